import type { ReplicaSet, StatefulSet } from "../../../src/api/generated/apps-v1.ts";
import type {
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ReplicationController,
  Service,
} from "../../../src/api/generated/core-v1.ts";
import type { Labels } from "../../../src/api/labels/label-selector.ts";
import { keyOf, type StoredObject } from "../../../src/api/object.ts";
import { isTerminal } from "../../../src/api/pod-state.ts";
import { nodeInfo, type NodeInfo } from "./node-info.ts";
import { podInfo, type PodInfo } from "./pod-info.ts";
import { isObject, stringOf } from "../../../src/decisions/placement/objects/reading.ts";

/** The state of a cluster that placement reads. It must not change during a decision. */
export interface Snapshot {
  /** In the order in which they are examined. */
  readonly nodes: readonly NodeInfo[];
  /** The number of nodes that have an image of this name. */
  readonly nodesWithImage: (name: string) => number;
  readonly servicesIn: (namespace: string) => readonly Service[];
  readonly replicationController: Lookup<ReplicationController>;
  readonly replicaSet: Lookup<ReplicaSet>;
  readonly statefulSet: Lookup<StatefulSet>;
  /** The labels of a namespace; none for an unknown one. */
  readonly namespaceLabels: (namespace: string) => Labels;
  readonly claims: readonly PersistentVolumeClaim[];
  readonly volumes: readonly PersistentVolume[];
}

/** Finds an object by namespace and name. */
type Lookup<T> = (namespace: string, name: string) => T | undefined;

/** The objects of a cluster, as the API lists them. */
export interface ClusterObjects {
  readonly nodes: readonly Node[];
  readonly pods?: readonly Pod[];
  readonly services?: readonly Service[];
  readonly replicationControllers?: readonly ReplicationController[];
  readonly replicaSets?: readonly ReplicaSet[];
  readonly statefulSets?: readonly StatefulSet[];
  readonly namespaces?: readonly Namespace[];
  readonly persistentVolumeClaims?: readonly PersistentVolumeClaim[];
  readonly persistentVolumes?: readonly PersistentVolume[];
}

/** Takes a snapshot of API objects, without Pods in a terminal phase and Pods whose node is not listed. */
export function snapshotOf(objects: ClusterObjects): Snapshot {
  const podsOn = podsByNode(objects.pods ?? []);
  const nodes = objects.nodes
    .filter(isObject)
    .map((node) => nodeInfo(node, podsOn.get(stringOf(node.metadata?.name)) ?? []));
  const services = groupBy(objects.services ?? [], (service) => stringOf(service.metadata?.namespace));
  const namespaces = finder(objects.namespaces ?? []);
  return {
    nodes,
    nodesWithImage: imageCounter(nodes),
    servicesIn: (namespace) => services.get(namespace) ?? [],
    replicationController: finder(objects.replicationControllers ?? []),
    replicaSet: finder(objects.replicaSets ?? []),
    statefulSet: finder(objects.statefulSets ?? []),
    namespaceLabels: (namespace) => namespaces("", namespace)?.metadata.labels,
    claims: objects.persistentVolumeClaims ?? [],
    volumes: objects.persistentVolumes ?? [],
  };
}

function podsByNode(pods: readonly Pod[]): ReadonlyMap<string, readonly PodInfo[]> {
  const running = pods.filter((pod) => isObject(pod) && !isTerminal(pod));
  const placed = groupBy(running, (pod) => stringOf(pod.spec?.nodeName));
  return new Map([...placed].map(([node, group]) => [node, group.map(podInfo)]));
}

/** Counts the nodes that have an image, by every name of the image. */
export function imageCounter(nodes: readonly NodeInfo[]): Snapshot["nodesWithImage"] {
  const counts = new Map<string, number>();
  for (const { images } of nodes) {
    for (const name of images.keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return (name) => counts.get(name) ?? 0;
}

function finder<T extends StoredObject>(objects: readonly T[]): Lookup<T> {
  const byKey = new Map(
    objects
      .filter((object) => isObject(object) && isObject(object.metadata))
      .map((object) => [keyOf(object), object]),
  );
  return (namespace, name) => byKey.get(keyOf({ metadata: { namespace, name } }));
}

function groupBy<T>(items: readonly T[], keyOfItem: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items.filter(isObject)) {
    const group = groups.get(keyOfItem(item));
    if (group === undefined) groups.set(keyOfItem(item), [item]);
    else group.push(item);
  }
  return groups;
}
