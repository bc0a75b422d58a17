import type { ClusterObjects } from "../../decisions/explain/cluster-objects.ts";
import type { ExplainedObject } from "../../decisions/explain/object-reference.ts";
import { nearestName } from "../../api/nearest-name.ts";

/** What is explained. */
export type Topic = "scale-down" | "placement" | "rollout";

type Kind = ExplainedObject["kind"];

/** The names by which kubectl knows the kinds. */
const kinds: Readonly<Record<Kind, readonly string[]>> = {
  Deployment: ["deployment", "deployments", "deploy", "deployment.apps", "deployments.apps"],
  ReplicaSet: ["replicaset", "replicasets", "rs", "replicaset.apps", "replicasets.apps"],
  ReplicationController: ["replicationcontroller", "replicationcontrollers", "rc"],
  StatefulSet: ["statefulset", "statefulsets", "sts", "statefulset.apps", "statefulsets.apps"],
  DaemonSet: ["daemonset", "daemonsets", "ds", "daemonset.apps", "daemonsets.apps"],
  Pod: ["pod", "pods", "po"],
};

/** The kinds that each topic is about; the first is meant by a name without a kind. */
export const topicKinds: Readonly<Record<Topic, readonly Kind[]>> = {
  "scale-down": ["Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"],
  placement: ["Pod", "Deployment", "ReplicaSet", "ReplicationController", "StatefulSet", "DaemonSet"],
  rollout: ["Deployment", "StatefulSet", "DaemonSet"],
};

/** The collection of each kind. */
const collections = {
  Deployment: "deployments",
  ReplicaSet: "replicaSets",
  ReplicationController: "replicationControllers",
  StatefulSet: "statefulSets",
  DaemonSet: "daemonSets",
  Pod: "pods",
} as const satisfies Readonly<Record<Kind, keyof ClusterObjects>>;

/** The collection of a kind. */
export function collectionOfKind(kind: Kind): (typeof collections)[Kind] {
  return collections[kind];
}

export type ReadObject =
  | { readonly ok: true; readonly kind: Kind; readonly name: string }
  | { readonly ok: false; readonly problem: string; readonly meant?: string };

/** Reads `deploy/web`, `deployment web` or `web`. */
export function readObject(words: readonly string[], topic: Topic): ReadObject {
  const allowed = topicKinds[topic];
  const [first = ""] = allowed;
  const sample = `${kinds[first as Kind][0] ?? ""}/web`;
  const [kindText, name, ...more] = splitObject(words);
  if (name === undefined || name === "" || more.length > 0)
    return { ok: false, problem: `one object is needed, such as trimtab explain ${topic} ${sample}` };
  if (kindText === undefined) return { ok: true, kind: first as Kind, name };
  const kind = kindNamed(kindText);
  if (kind !== undefined && allowed.includes(kind)) return { ok: true, kind, name };
  if (kind === undefined) return unknownKind(kindText, { topic, name });
  return { ok: false, problem: `${topic} is not explained for a ${kind}; it explains ${allowed.join(", ")}` };
}

function unknownKind(kindText: string, { topic, name }: { topic: Topic; name: string }): ReadObject {
  const allowed = topicKinds[topic];
  const known = allowed.flatMap((each) => kinds[each]);
  const meant = nearestName(kindText.toLowerCase(), known);
  const unknown = `${topic} does not know the kind ${JSON.stringify(kindText)}`;
  if (meant === undefined) return { ok: false, problem: `${unknown}; it explains ${allowed.join(", ")}` };
  return { ok: false, problem: `${unknown}; did you mean ${meant}/${name}?`, meant };
}

/** The kind that kubectl knows by a name, if it is one of those that are explained. */
export function kindNamed(text: string): Kind | undefined {
  return allKinds.find((each) => kinds[each].includes(text.toLowerCase()));
}

const allKinds = Object.keys(kinds) as readonly Kind[];

/** Splits `deploy/web`, `deploy web` or `web` into the name of a kind, if there is one, and that of an object. */
export function splitObject(words: readonly string[]): readonly (string | undefined)[] {
  const [only = "", ...rest] = words;
  if (rest.length > 0) return words;
  return only.includes("/") ? only.split("/") : [undefined, only];
}

/** Why an object was not found: the nearest names of its kind and namespace, or where else there is one. */
export function unknownObject(objects: ClusterObjects, { kind, namespace, name }: ExplainedObject): string {
  const all = objects[collections[kind]].map(({ metadata }) => metadata);
  const here = all.filter((each) => each.namespace === namespace).map((each) => each.name);
  const missing = `there is no ${kind} ${name} in namespace ${namespace}`;
  const meant = nearestNames(name, here);
  if (meant.length > 0) return `${missing}; did you mean ${meant.join(" or ")}?`;
  const elsewhere = all.find((each) => each.name === name)?.namespace;
  if (elsewhere !== undefined) return `${missing}, but in ${elsewhere}: -n ${elsewhere}`;
  return here.length === 0 ? `${missing}, which has none` : `${missing}; it has ${someOf(here)}`;
}

/** Says that a node was not found, and which was probably meant. */
export function unknownNode({ nodes }: ClusterObjects, node: string): string {
  const names = nodes.map(({ metadata }) => metadata.name);
  const meant = nearestNames(node, names);
  const missing = `there is no node ${node}`;
  if (meant.length > 0) return `${missing}; did you mean ${meant.join(" or ")}?`;
  return names.length === 0 ? missing : `${missing}; there are ${someOf(names)}`;
}

const mostNames = 3;

/** The names that were most likely meant, the nearest first. */
function nearestNames(typed: string, names: readonly string[]): readonly string[] {
  const nearest: string[] = [];
  while (nearest.length < mostNames) {
    const next = nearestName(
      typed,
      names.filter((name) => !nearest.includes(name)),
    );
    if (next === undefined) break;
    nearest.push(next);
  }
  return nearest;
}

function someOf(names: readonly string[]): string {
  const sorted = names.toSorted();
  const more = names.length - mostNames;
  return sorted.slice(0, mostNames).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Every object that a topic can explain, as `deployment/web`, or under the name of the kind that was typed, as `deploy/web`. */
export function objectNames(objects: ClusterObjects, topic: Topic, typed = ""): readonly string[] {
  const [typedKind = ""] = typed.split("/", 1);
  return topicKinds[topic].flatMap((kind) => {
    const prefix = kinds[kind].includes(typedKind) ? typedKind : (kinds[kind][0] ?? "");
    return objects[collections[kind]].map(({ metadata }) => `${prefix}/${metadata.name}`);
  });
}
