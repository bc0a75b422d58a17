import type { ClusterObjects } from "../../decisions/explain/cluster-objects.ts";
import type { ExplainedObject } from "../../decisions/explain/object-reference.ts";
import { isNamed } from "../../decisions/explain/object-reference.ts";
import type { ActionDocument } from "../../simulation/scenario-files/scenario-document.ts";
import { titleOf } from "../../user-actions/describe-action.ts";
import { zoneOf } from "../../api/well-known.ts";
import type { Flags, Invocation } from "../command.ts";
import { collectionOfKind, readObject, unknownObject } from "../explain/object-argument.ts";
import { nearestName } from "../../api/nearest-name.ts";

const repeated = { type: "string", multiple: true } as const;

/** The flags that say what is changed; each may be given several times. */
export const changeFlags = {
  scale: { ...repeated, value: "WORKLOAD=N", help: "Scale a workload: web=3, rs/web-1=3" },
  image: { ...repeated, value: "DEPLOYMENT[:CONTAINER]=IMAGE", help: "Set an image, which rolls it out" },
  restart: { ...repeated, value: "DEPLOYMENT", help: "Replace all Pods, as kubectl rollout restart does" },
  "zone-down": { ...repeated, value: "ZONE", help: "All nodes of a zone fail" },
  "node-down": { ...repeated, value: "NODE", help: "A node fails" },
  cordon: { ...repeated, value: "NODE", help: "A node takes no more Pods" },
  drain: {
    ...repeated,
    value: "NODE",
    help: "A node is drained, as kubectl drain --ignore-daemonsets --force does",
  },
  delete: { ...repeated, value: "POD", help: "A Pod is deleted" },
} satisfies Flags;

/** A workload that is changed. */
interface WorkloadName {
  readonly kind: Exclude<ExplainedObject["kind"], "Pod">;
  readonly namespace: string;
  readonly name: string;
}

/** The changes as events of a scenario, or every mistake as a sentence. */
export type ReadChanges =
  | { readonly ok: true; readonly changes: readonly ActionDocument[] }
  | { readonly ok: false; readonly problems: readonly string[] };

interface Context {
  readonly objects: ClusterObjects;
  /** Of the names in flags. */
  readonly namespace: string;
}

type Read = (text: string, context: Context) => ActionDocument | string;

/** Failures come first and changes of workloads last, however the flags were ordered: all happen at one moment. */
const readers: Readonly<Record<keyof typeof changeFlags, Read>> = {
  "zone-down": (text, context) => named(text, zonesIn(context), (zone) => ({ down: { zone } })),
  "node-down": (text, context) => named(text, nodesIn(context), (node) => ({ down: { node } })),
  cordon: (text, context) => named(text, nodesIn(context), (node) => ({ cordon: { node } })),
  drain: (text, context) => named(text, nodesIn(context), (node) => ({ drain: { node } })),
  image: readImage,
  restart: (text, context) => {
    const workload = readWorkload(text, context, "rollout");
    return typeof workload === "string" ? workload : { restart: targetOf(workload) };
  },
  scale: readScale,
  delete: (text, { objects, namespace }) => {
    const reference = { kind: "Pod", namespace, name: text.replace(/^(pod|pods|po)\//, "") } as const;
    const isThere = objects.pods.some((pod) => isNamed(pod, reference));
    return isThere
      ? { delete: { object: titleOf(reference), namespace } }
      : unknownObject(objects, reference);
  },
};

/** Reads the flags of `changeFlags`; names have to be those of objects. */
export function readChanges(flags: Invocation["flags"], context: Context): ReadChanges {
  const read = Object.entries(readers).flatMap(([name, reader]) =>
    valuesOf(flags, name).map((value) => {
      const result = reader(value, context);
      return typeof result === "string" ? `--${name} ${value}: ${result}` : result;
    }),
  );
  const problems = read.filter((each) => typeof each === "string");
  const changes = read.filter((each) => typeof each !== "string");
  if (problems.length > 0) return { ok: false, problems };
  if (changes.length > 0) return { ok: true, changes };
  const names = Object.keys(changeFlags).map((name) => `--${name}`);
  return { ok: false, problems: [`say what to change: ${names.join(", ")}`] };
}

function valuesOf(flags: Invocation["flags"], name: string): readonly string[] {
  const value = flags[name];
  return Array.isArray(value) ? value.map(String) : [];
}

function readScale(text: string, context: Context): ActionDocument | string {
  const at = text.lastIndexOf("=");
  const [name, size] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  const replicas = Number(size);
  if (name === "" || !/^\d+$/.test(size) || replicas > 2_147_483_647)
    return "a workload and its size are needed, such as web=3";
  const workload = readWorkload(name, context, "scale-down");
  return typeof workload === "string" ? workload : { scale: { ...targetOf(workload), replicas } };
}

function readImage(text: string, context: Context): ActionDocument | string {
  const { name, container, image } =
    /^(?<name>[^:=]+)(?::(?<container>[^:=]*))?=(?<image>.+)$/.exec(text)?.groups ?? {};
  if (name === undefined || image === undefined)
    return "a Deployment and an image are needed, such as web=nginx:1.29";
  const workload = readWorkload(name, context, "rollout");
  if (typeof workload === "string") return workload;
  const containers = containersOf(workload, context);
  const [only = "", ...others] = containers;
  if (container === undefined && others.length > 0)
    return `it has several containers: name one, such as ${workload.name}:${only}=${image}`;
  return named(container ?? only, { what: "container", known: containers }, (known) => ({
    setImage: { ...targetOf(workload), container: known, image },
  }));
}

const targetOf = (workload: WorkloadName) => ({
  workload: titleOf(workload),
  namespace: workload.namespace,
});

function containersOf(workload: WorkloadName, { objects }: Context): readonly string[] {
  const found = [...objects.deployments, ...objects.statefulSets, ...objects.daemonSets];
  const templated = found.find((each) => isNamed(each, workload));
  return (templated?.spec.template.spec?.containers ?? []).map(({ name }) => name);
}

function readWorkload(
  text: string,
  { objects, namespace }: Context,
  topic: "scale-down" | "rollout",
): WorkloadName | string {
  if (/^jobs?\//i.test(text)) return "Jobs are not simulated";
  const changed = changedKinds[topic];
  const read = readObject([text], topic);
  if (!read.ok) return read.meant !== undefined || !text.includes("/") ? read.problem : onlyThese(changed);
  const { name } = read;
  const kind = changed.find((each) => each === read.kind);
  if (kind === undefined) return onlyThese(changed);
  const reference: ExplainedObject = { kind, namespace, name };
  if (!objects[collectionOfKind(kind)].some((each) => isNamed(each, reference)))
    return unknownObject(objects, reference);
  return { kind, namespace, name };
}

const changedKinds = {
  "scale-down": ["Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"],
  rollout: ["Deployment", "StatefulSet", "DaemonSet"],
} as const satisfies Readonly<Record<string, readonly WorkloadName["kind"][]>>;

function onlyThese(kinds: readonly string[]): string {
  const names = kinds.map((kind) => `${kind}s`);
  const [last = ""] = names.splice(-1);
  return `only ${names.length === 0 ? last : `${names.join(", ")} and ${last}`} can be changed`;
}

/** The change of a name that is known, or which one was probably meant. */
function named(
  name: string,
  { what, known }: { readonly what: string; readonly known: readonly string[] },
  change: (name: string) => ActionDocument,
): ActionDocument | string {
  if (known.includes(name)) return change(name);
  const meant = nearestName(name, known) ?? known.find((each) => each.endsWith(`-${name}`));
  const some = known.slice(0, 5).join(", ");
  if (meant !== undefined) return `there is no such ${what}; did you mean ${meant}?`;
  return known.length === 0 ? `there are no ${what}s` : `there is no such ${what}; there are ${some}`;
}

const nodesIn = ({ objects }: Context) => ({
  what: "node",
  known: objects.nodes.map(({ metadata }) => metadata.name),
});

const zonesIn = ({ objects }: Context) => ({
  what: "zone",
  known: [...new Set(objects.nodes.map(({ metadata }) => zoneOf(metadata)))]
    .filter((zone) => zone !== undefined)
    .sort(),
});
