import type { ReplicaSet, StatefulSet } from "../../../api/generated/apps-v1.ts";
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  ReplicationController,
  Service,
} from "../../../api/generated/core-v1.ts";
import type { StorageClass } from "../../../api/generated/storage-v1.ts";
import type { Labels } from "../../../api/labels/label-selector.ts";
import type { NodeInfo } from "../objects/node-info.ts";
import type { PodInfo } from "../objects/pod-info.ts";
import type { ClusterColumns } from "./cluster-columns.ts";

/**
 * The cluster as placement reads it. The scheduler keeps one that changes with the cluster; `clusterViewOf` makes one of
 * lists, which never changes. No view changes while a decision runs, except in the dry runs of that decision.
 */
export interface ClusterView extends ObjectLookups {
  /** In the order in which they are examined. */
  readonly nodes: readonly NodeInfo[];
  /** The same nodes and their Pods as columns, by slot of the node. */
  readonly columns: ClusterColumns;
  /** The number of nodes that have an image of this name. */
  readonly nodesWithImage: (name: string) => number;
  /** Asks a question as if a node were without some of its Pods, or had others. Afterwards the view is as it was. */
  dryRun<T>(node: NodeInfo, change: AssumedChange, ask: (assumed: DryRun) => T): T;
}

/** Finds the objects that placement reads besides nodes and Pods. */
export interface ObjectLookups {
  readonly servicesIn: (namespace: string) => readonly Service[];
  readonly replicationController: ObjectLookup<ReplicationController>;
  readonly replicaSet: ObjectLookup<ReplicaSet>;
  readonly statefulSet: ObjectLookup<StatefulSet>;
  /** The labels of a namespace; none for an unknown one. */
  readonly namespaceLabels: (namespace: string) => Labels;
  /** Absent: what claims Pods have and where their volumes are is not known, and does not matter then. */
  readonly volumes?: VolumeLookups | undefined;
}

/** Finds claims and volumes. */
export interface VolumeLookups {
  readonly claim: ObjectLookup<PersistentVolumeClaim>;
  readonly volume: (name: string) => PersistentVolume | undefined;
  readonly storageClass: (name: string) => StorageClass | undefined;
  /** The volume that is kept for a claim. */
  readonly reservedFor: (claim: PersistentVolumeClaim) => PersistentVolume | undefined;
  /** The volumes of a class that no claim has. */
  readonly unclaimed: (storageClass: string) => readonly PersistentVolume[];
  /** Whether claims that wait for their first Pod get a volume once that has a node. */
  readonly bindsClaims: boolean;
}

/** Finds an object by namespace and name. */
export type ObjectLookup<T> = (namespace: string, name: string) => T | undefined;

/** What a dry run assumes of a node. */
export interface AssumedChange {
  readonly without?: readonly PodInfo[];
  /** Those that the node does not have already. */
  readonly with?: readonly PodInfo[];
}

/** The cluster as a dry run assumes it. A decision reads `cluster` and `node` again after it has added or removed a Pod. */
export interface DryRun {
  readonly cluster: ClusterView;
  /** The node with the Pods that it is assumed to have. */
  readonly node: NodeInfo;
  addPod(pod: PodInfo): void;
  removePod(pod: PodInfo): void;
}
