import type { Pod, PodSpec, PodTemplateSpec } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import { kindStrategyOf } from "../../cluster/apiserver/kinds/kinds.ts";
import { keyOf, type StoredObject } from "../../api/object.ts";
import { isControlledBy } from "../../api/owner-references.ts";
import { apiVersionOf, qualifiedName, type Resource } from "../../api/resource.ts";
import type { Store, StoredJson } from "../../cluster/store/store.ts";
import {
  type ClusterObjects,
  clusterResources,
  collectionNames,
} from "../../decisions/explain/cluster-objects.ts";
import { draftRevision, podRevisionLabel } from "../../decisions/revisions/draft-revision.ts";
import { withCurrentData } from "../../decisions/gather/gather-daemon.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import type { SimulatedClusterOptions } from "../simulated-cluster.ts";
import {
  type Assumptions,
  inheritFailures,
  simulatedNodeOf,
  simulatedClassOf,
  simulatedPodOf,
  simulatedVolumeOf,
  withProbeHandlers,
} from "./simulated-objects.ts";
import type { Snapshot } from "./snapshot.ts";
import { namespaces, priorityClasses, serviceAccounts } from "../../api/resources.ts";

/**
 * Components without which a snapshot is simulated: it does not have the owners of all Pods, so the garbage collector
 * would delete those of Jobs and of custom resources; nor does it have what the others act on, such as claims.
 */
const withoutComponents: readonly string[] = [
  "garbage-collector",
  "job",
  "cronjob",
  "ttl-after-finished",
  "endpoint-slice",
  "service-account",
  "root-ca",
  "clusterrole-aggregation",
  "resource-quota",
];

/**
 * What a simulated cluster is started with so that it begins where the snapshot was taken: its clock at that moment, its
 * objects with their UIDs and times in their order, simulated kubelets on its nodes, and every Pod that runs running.
 */
export function simulatedClusterOf(
  { takenAt, objects, isAnonymised }: Snapshot,
  assumptions: Assumptions = {},
): Pick<SimulatedClusterOptions, "nodes" | "clock" | "without" | "load" | "guard"> {
  const inherit = inheritFailures(objects.pods);
  return {
    nodes: 0,
    clock: new VirtualClock(takenAt),
    // Anonymised names have no ordinals, which the controller of StatefulSets reads.
    without: isAnonymised ? [...withoutComponents, "statefulset"] : withoutComponents,
    load: (store) => loadObjects(store, objects, assumptions),
    guard: (object) =>
      object.kind === "Pod" ? (inherit(object as unknown as Pod) as unknown as StoredJson) : object,
  };
}

function loadObjects(store: Store, objects: ClusterObjects, assumptions: Assumptions): void {
  const put = (resource: Resource, object: JsonObject) => {
    const complete = { apiVersion: apiVersionOf(resource), kind: resource.kind, ...object };
    // Stored objects have their defaults; a snapshot has only those that are on its list.
    const defaulted = kindStrategyOf(resource).defaults?.(complete) ?? complete;
    store.collection(qualifiedName(resource)).put(keyOf(defaulted as unknown as StoredObject), defaulted);
  };
  const simulated: ClusterObjects = {
    ...objects,
    nodes: objects.nodes.map((node) => simulatedNodeOf(node, assumptions)),
    pods: objects.pods.map(simulatedPodOf),
    persistentVolumes: objects.persistentVolumes.map(simulatedVolumeOf),
    storageClasses: objects.storageClasses.map(simulatedClassOf),
  };
  for (const { resource, object } of missingObjects(objects)) put(resource, object);
  for (const name of collectionNames)
    for (const object of simulated[name])
      put(clusterResources[name], withProbes(object) as unknown as JsonObject);
  // With the template as it was stored just now.
  const stored = [...objectsIn(store).daemonSets, ...objectsIn(store).statefulSets];
  for (const { metadata, spec } of stored) {
    const own = objects.controllerRevisions.filter((revision) => isControlledBy(revision, metadata.uid));
    for (const revision of withCurrentData(own, spec.template))
      put(clusterResources.controllerRevisions, revision as unknown as JsonObject);
  }
  for (const set of objectsIn(store).statefulSets) {
    const hasRevisions = objects.controllerRevisions.some((one) => isControlledBy(one, set.metadata.uid));
    const name = set.status?.updateRevision;
    // Where revisions were not read, the Pods are at the one in the status: else all of them would be replaced.
    if (hasRevisions || name === undefined) continue;
    const naming = { resource: clusterResources.statefulSets, name, revision: 1 };
    const draft = draftRevision(set, { ...naming, hashLabel: podRevisionLabel, hash: name });
    const metadata = { ...draft.metadata, uid: `revision-${name}`, resourceVersion: "1" };
    put(clusterResources.controllerRevisions, { ...draft, metadata } as unknown as JsonObject);
  }
}

/** An object whose Pod spec, or that of its template, passes the validation of the API server. */
function withProbes<T extends { readonly metadata: object }>(object: T): T {
  const { spec } = object as { readonly spec?: PodSpec & { readonly template?: PodTemplateSpec } };
  const template = spec?.template;
  if (template?.spec !== undefined)
    return {
      ...object,
      spec: { ...spec, template: { ...template, spec: withProbeHandlers(template.spec) } },
    };
  return spec?.containers === undefined ? object : { ...object, spec: withProbeHandlers(spec) };
}

/** The objects that a store has now, as a snapshot of it would list them. */
export function objectsIn(store: Store): ClusterObjects {
  const stored = collectionNames.map((name) => {
    const collection = store.collection(qualifiedName(clusterResources[name]));
    return [name, [...collection.records()].map(({ object }) => object)];
  });
  return Object.fromEntries(stored) as ClusterObjects;
}

/** An object that a snapshot refers to and does not have. */
interface MissingObject {
  readonly resource: Resource;
  readonly object: JsonObject;
}

/**
 * What the API server needs so that Pods can be created: their namespaces and priority classes, if the snapshot was
 * taken without permission to read them, and a service account in each namespace.
 */
function missingObjects(objects: ClusterObjects): readonly MissingObject[] {
  const names = namespaceNames(objects);
  const known = new Set(objects.namespaces.map(({ metadata }) => metadata.name));
  return [
    ...names
      .filter((name) => !known.has(name))
      .map((name) => ({ resource: namespaces, object: active(name) })),
    ...names.map((namespace) => ({
      resource: serviceAccounts,
      object: { metadata: { name: "default", namespace, uid: uidOf(`account ${namespace}`) } },
    })),
    ...missingClasses(objects),
  ];
}

function active(name: string): JsonObject {
  return {
    metadata: { name, uid: uidOf(`namespace ${name}`) },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  };
}

/** Returns a UID that no object of the cluster has; no decision depends on it. */
function uidOf(what: string): string {
  return `simulated ${what}`;
}

function namespaceNames(objects: ClusterObjects): readonly string[] {
  const all = collectionNames
    .filter((name) => clusterResources[name].namespaced)
    .flatMap((name) => objects[name].map(({ metadata }) => metadata.namespace ?? ""));
  const own = objects.namespaces.map(({ metadata }) => metadata.name);
  return [...new Set([...own, ...all])].sort();
}

/** The priority classes that Pods name, with the priority that Pods of the class have. */
function missingClasses({ pods, priorityClasses: known }: ClusterObjects): readonly MissingObject[] {
  const values = new Map<string, number>();
  for (const { spec } of pods)
    if (spec.priorityClassName !== undefined && spec.priorityClassName !== "")
      values.set(spec.priorityClassName, spec.priority ?? 0);
  for (const { metadata } of known) values.delete(metadata.name);
  return [...values].map(([name, value]) => ({
    resource: priorityClasses,
    object: { metadata: { name, uid: uidOf(`priority class ${name}`) }, value },
  }));
}
