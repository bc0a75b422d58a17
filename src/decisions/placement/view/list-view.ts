import type { ReplicaSet, StatefulSet } from "../../../api/generated/apps-v1.ts";
import type {
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ReplicationController,
  Service,
} from "../../../api/generated/core-v1.ts";
import type { StorageClass } from "../../../api/generated/storage-v1.ts";
import { keyOf, type StoredObject } from "../../../api/object.ts";
import { isTerminal } from "../../../api/pod-state.ts";
import { totalAmounts } from "../objects/amounts.ts";
import { describeNode, type NodeInfo } from "../objects/node-info.ts";
import { hasAffinity, podInfo, type PodInfo } from "../objects/pod-info.ts";
import { isObject, stringOf } from "../objects/reading.ts";
import { classNameOf, isReservedFor } from "../../volumes/volume-match.ts";
import type {
  AssumedChange,
  ClusterView,
  DryRun,
  ObjectLookup,
  ObjectLookups,
  VolumeLookups,
} from "./cluster-view.ts";
import { columnsOf, columnsWith } from "./list-columns.ts";

/** The objects of a cluster, as the API lists them. */
export interface PlacementObjects {
  readonly nodes: readonly Node[];
  readonly pods?: readonly Pod[];
  readonly services?: readonly Service[];
  readonly replicationControllers?: readonly ReplicationController[];
  readonly replicaSets?: readonly ReplicaSet[];
  readonly statefulSets?: readonly StatefulSet[];
  readonly namespaces?: readonly Namespace[];
  /** Absent: claims are not known, and Pods are placed as if they had none. */
  readonly persistentVolumeClaims?: readonly PersistentVolumeClaim[];
  readonly persistentVolumes?: readonly PersistentVolume[];
  readonly storageClasses?: readonly StorageClass[];
}

/** A view of lists. It never changes; `withPod` returns another view. */
export interface ListView extends ClusterView {
  /** The same cluster with another Pod on a node. */
  readonly withPod: (node: NodeInfo, pod: PodInfo) => ListView;
}

/** Makes a view of API objects, without Pods in a terminal phase and Pods whose node is not listed. */
export function clusterViewOf(objects: PlacementObjects): ListView {
  const podsOn = podsByNode(objects.pods ?? []);
  const nodes = objects.nodes.filter(isObject).map((node, slot): NodeInfo => ({
    ...describeNode(node),
    slot,
    ...podMembers(podsOn.get(stringOf(node.metadata?.name)) ?? []),
  }));
  return viewOf({
    ...lookupsIn(objects),
    nodes,
    columns: columnsOf(nodes),
    nodesWithImage: imageCounter(nodes),
  });
}

type ListViewMembers = Omit<ListView, "withPod" | "dryRun">;

function viewOf(members: ListViewMembers): ListView {
  return {
    ...members,
    withPod: (node, pod) => withPods(members, node, [...node.pods, pod]),
    dryRun: (node, change, ask) => ask(dryRunOf(members, node, change)),
  };
}

function dryRunOf(before: ListViewMembers, node: NodeInfo, change: AssumedChange): DryRun {
  const kept = node.pods.filter((pod) => change.without?.includes(pod) !== true);
  const added = (change.with ?? []).filter((pod) => !kept.includes(pod));
  let pods: readonly PodInfo[] = [...kept, ...added];
  let assumed: ClusterView | undefined;
  return {
    get cluster() {
      return (assumed ??= withPods(before, node, pods));
    },
    get node() {
      return this.cluster.nodes[node.slot] ?? node;
    },
    addPod(pod) {
      pods = [...pods, pod];
      assumed = undefined;
    },
    removePod(pod) {
      pods = pods.filter((each) => each !== pod);
      assumed = undefined;
    },
  };
}

function withPods(before: ListViewMembers, node: NodeInfo, pods: readonly PodInfo[]): ListView {
  const changed: NodeInfo = { ...node, ...podMembers(pods) };
  const nodes = before.nodes.with(node.slot, changed);
  return viewOf({ ...before, nodes, columns: columnsWith(before.columns, nodes, changed) });
}

/** What a node has by its Pods. */
function podMembers(
  pods: readonly PodInfo[],
): Pick<NodeInfo, "pods" | "podsWithAffinity" | "requested" | "nonZeroRequested" | "hostPorts"> {
  return {
    pods,
    podsWithAffinity: pods.filter(hasAffinity),
    requested: totalAmounts(pods.map(({ request }) => request)),
    nonZeroRequested: totalAmounts(pods.map(({ nonZeroRequest }) => nonZeroRequest)),
    hostPorts: pods.flatMap(({ hostPorts }) => hostPorts),
  };
}

function podsByNode(pods: readonly Pod[]): ReadonlyMap<string, readonly PodInfo[]> {
  const running = pods.filter((pod) => isObject(pod) && !isTerminal(pod));
  const placed = groupBy(running, (pod) => stringOf(pod.spec?.nodeName));
  return new Map([...placed].map(([node, group]) => [node, group.map(podInfo)]));
}

function imageCounter(nodes: readonly NodeInfo[]): ClusterView["nodesWithImage"] {
  const counts = new Map<string, number>();
  for (const { images } of nodes)
    for (const name of images.keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return (name) => counts.get(name) ?? 0;
}

/** Finds objects in lists. */
export function lookupsIn(objects: Omit<PlacementObjects, "nodes" | "pods">): ObjectLookups {
  const services = groupBy(objects.services ?? [], (service) => stringOf(service.metadata?.namespace));
  const namespaces = finder(objects.namespaces ?? []);
  return {
    servicesIn: (namespace) => services.get(namespace) ?? [],
    replicationController: finder(objects.replicationControllers ?? []),
    replicaSet: finder(objects.replicaSets ?? []),
    statefulSet: finder(objects.statefulSets ?? []),
    namespaceLabels: (namespace) => namespaces("", namespace)?.metadata.labels,
    volumes: volumesIn(objects),
  };
}

function volumesIn({
  persistentVolumeClaims,
  persistentVolumes = [],
  storageClasses = [],
}: Omit<PlacementObjects, "nodes" | "pods">): VolumeLookups | undefined {
  if (persistentVolumeClaims === undefined) return undefined;
  const [volumes, classes] = [finder(persistentVolumes), finder(storageClasses)];
  const known = persistentVolumes.filter(isObject);
  const isFree = ({ spec }: PersistentVolume) => !isObject(spec?.claimRef);
  const unclaimed = groupBy(known.filter(isFree), (volume) => classNameOf(volume) ?? "");
  const claimed = groupBy(
    known.filter((volume) => !isFree(volume)),
    ({ spec: { claimRef } }) => claimKey(claimRef?.namespace, claimRef?.name),
  );
  return {
    claim: finder(persistentVolumeClaims),
    volume: (name) => volumes("", name),
    storageClass: (name) => classes("", name),
    reservedFor: (claim) =>
      claimed
        .get(claimKey(claim.metadata.namespace, claim.metadata.name))
        ?.find((volume) => isReservedFor(volume, claim)),
    unclaimed: (storageClass) => unclaimed.get(storageClass) ?? [],
    bindsClaims: true,
  };
}

function claimKey(namespace: unknown, name: unknown): string {
  return `${stringOf(namespace)}/${stringOf(name)}`;
}

function finder<T extends StoredObject>(objects: readonly T[]): ObjectLookup<T> {
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
