import { isJsonObject, type Json } from "../../src/api/json.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { isBeingDeleted } from "../../src/api/object.ts";
import { isReady } from "../../src/api/pod-state.ts";
import {
  controllerRevisions,
  daemonSets,
  events,
  persistentVolumeClaims,
  pods,
  statefulSets,
} from "../../src/api/resources.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { eventually } from "./eventually.ts";

type SetKind = "StatefulSet" | "DaemonSet";

const setOf = async (client: Client, namespace: string, kind: SetKind) =>
  kind === "StatefulSet"
    ? client.get(statefulSets, { namespace, name: "web" })
    : client.get(daemonSets, { namespace, name: "web" });

export const podsOf = async (client: Client, namespace: string): Promise<readonly Pod[]> =>
  [...(await client.list(pods, { namespace })).items].sort((a, b) =>
    a.metadata.name < b.metadata.name ? -1 : 1,
  );

const isBroken = ({ metadata }: Pod) => metadata.annotations?.["sim.trimtab.dev/neverReady"] === "true";

/** Resolves once the set has seen its spec, its Pods are ready or cannot become so, and nothing is written for a second. */
export async function untilDone(client: Client, namespace: string, kind: SetKind): Promise<void> {
  let before = "";
  let same = 0;
  await eventually(`the ${kind} in ${namespace} is done`, async () => {
    const set = await setOf(client, namespace, kind);
    const found = await podsOf(client, namespace);
    const all = [set, ...found, ...(await client.list(persistentVolumeClaims, { namespace })).items];
    const now = all.map(({ metadata }) => `${metadata.uid} ${metadata.resourceVersion}`).join();
    const settled =
      (set.status?.observedGeneration ?? 0) >= (set.metadata.generation ?? 0) &&
      found.every(
        (pod) => !isBeingDeleted(pod) && (isReady(pod) || (isBroken(pod) && pod.status?.phase === "Running")),
      ) &&
      countsAre(set.status, found);
    same = settled && now === before ? same + 1 : 0;
    before = now;
    return same >= 10 ? true : undefined;
  });
}

/** A node may have two daemon Pods, of which the status counts one. */
function countsAre(status: object | undefined, found: readonly Pod[]): boolean {
  const { replicas, readyReplicas, currentNumberScheduled } = (status ?? {}) as Record<string, number>;
  if (currentNumberScheduled !== undefined) return currentNumberScheduled > 0;
  return (replicas ?? 0) === found.length && (readyReplicas ?? 0) === found.filter(isReady).length;
}

/** What differs between any two runs, and what other programs than the controllers write. */
const identity = new Set([
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "managedFields",
  "namespace",
  "selfLink",
  "lastTransitionTime",
  "volumeName",
  "topology.kubernetes.io/zone",
  "nodeName",
  // Of claims, written by the binder of volumes.
  "pv.kubernetes.io/bind-completed",
  "pv.kubernetes.io/bound-by-controller",
  // Of DaemonSets: Trimtab has no template generations.
  "deprecated.daemonset.template.generation",
  "pod-template-generation",
]);

function comparable(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).filter(isOfSet).map((each) => comparable(each));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => !identity.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, comparable(member ?? null)]));
}

/** Not the volume of the service account, whose name is drawn. */
function isOfSet(value: Json): boolean {
  const name = isJsonObject(value) ? value["name"] : undefined;
  return typeof name !== "string" || !name.startsWith("kube-api-access-");
}

/** The set, its Pods, revisions and claims, and the texts of its events but for reasons that only Trimtab gives. */
export async function outcomeOf(client: Client, namespace: string, kind: SetKind) {
  const isDaemon = kind === "DaemonSet";
  const plain = (object: object) => comparable(object as Json);
  const set = await setOf(client, namespace, kind);
  const revisions = (await client.list(controllerRevisions, { namespace })).items;
  const claims = (await client.list(persistentVolumeClaims, { namespace })).items;
  const found = await podsOf(client, namespace);
  // Those of DaemonSets are hashes of Go structures; all controllers agree on what has the same.
  const hashes = new Map(
    revisions.map(({ metadata, revision }) => [metadata.labels?.["controller-revision-hash"], revision]),
  );
  const withNumbers = (of: Pod["metadata"]["labels"] = {}) => {
    const hash = of["controller-revision-hash"];
    return isDaemon ? { ...of, "controller-revision-hash": `revision ${hashes.get(hash)}` } : of;
  };
  const one = found.map(({ metadata, spec }) => {
    const { name, generateName, labels, annotations, ownerReferences } = metadata;
    return {
      name: isDaemon ? `on ${spec.nodeName}` : name,
      metadata: plain({ generateName, labels: withNumbers(labels), annotations, ownerReferences }),
      spec: plain(spec),
    };
  });
  return {
    status: plain(set.status ?? {}),
    pods: one.sort((a, b) => byText(a, b)),
    revisions: revisions
      .map(({ metadata: { name, labels, ...metadata }, revision, data = null }) =>
        plain({
          metadata: { ...metadata, labels: withNumbers(labels), ...(!isDaemon && { name }) },
          revision,
          data,
        }),
      )
      .sort(byText),
    claims: claims.map(({ metadata, spec }) => plain({ metadata, spec })).sort(byText),
    set: plain({ ...set.metadata, generation: undefined }),
  };
}

const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

/** The texts of the events about Pods that the set's controller made, once there is one for each. */
export async function creationEvents(client: Client, namespace: string, names: readonly string[]) {
  const wanted = new Set(names.map((name) => `Pod ${name} `));
  return eventually(`events of ${namespace}`, async () => {
    const texts = (await client.list(events, { namespace })).items
      .filter(({ reason, message = "" }) => reason === "SuccessfulCreate" && message.includes("Pod "))
      .map(({ message = "" }) => message);
    const isThere = [...wanted].every((name) => texts.some((text) => text.includes(name)));
    return isThere ? [...new Set(texts)].sort() : undefined;
  });
}
