import type {
  ControllerRevision,
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
} from "../../api/generated/apps-v1.ts";
import type {
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ReplicationController,
  Service,
} from "../../api/generated/core-v1.ts";
import type { PodDisruptionBudget } from "../../api/generated/policy-v1.ts";
import type { PriorityClass } from "../../api/generated/scheduling-v1.ts";
import type { StorageClass } from "../../api/generated/storage-v1.ts";
import type { Resource } from "../../api/resource.ts";
import * as resources from "../../api/resources.ts";

/**
 * The objects of a cluster at one moment that decisions read, however they were gathered: a command that listed them, a
 * snapshot file, a page that watches them. Explanations are functions of it.
 */
export interface ClusterObjects {
  readonly namespaces: readonly Namespace[];
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  readonly deployments: readonly Deployment[];
  readonly replicaSets: readonly ReplicaSet[];
  readonly replicationControllers: readonly ReplicationController[];
  readonly statefulSets: readonly StatefulSet[];
  readonly daemonSets: readonly DaemonSet[];
  readonly controllerRevisions: readonly ControllerRevision[];
  readonly services: readonly Service[];
  readonly podDisruptionBudgets: readonly PodDisruptionBudget[];
  readonly priorityClasses: readonly PriorityClass[];
  readonly persistentVolumeClaims: readonly PersistentVolumeClaim[];
  readonly persistentVolumes: readonly PersistentVolume[];
  readonly storageClasses: readonly StorageClass[];
}

/** A cluster without objects. */
export const noObjects: ClusterObjects = {
  namespaces: [],
  nodes: [],
  pods: [],
  deployments: [],
  replicaSets: [],
  replicationControllers: [],
  statefulSets: [],
  daemonSets: [],
  controllerRevisions: [],
  services: [],
  podDisruptionBudgets: [],
  priorityClasses: [],
  persistentVolumeClaims: [],
  persistentVolumes: [],
  storageClasses: [],
};

/** A collection of `ClusterObjects`. */
export type CollectionName = keyof ClusterObjects;

/** The resource that each collection holds the objects of. */
export const clusterResources: {
  readonly [Name in CollectionName]: Resource<ClusterObjects[Name][number]>;
} = {
  namespaces: resources.namespaces,
  nodes: resources.nodes,
  pods: resources.pods,
  deployments: resources.deployments,
  replicaSets: resources.replicaSets,
  replicationControllers: resources.replicationControllers,
  statefulSets: resources.statefulSets,
  daemonSets: resources.daemonSets,
  controllerRevisions: resources.controllerRevisions,
  services: resources.services,
  podDisruptionBudgets: resources.podDisruptionBudgets,
  priorityClasses: resources.priorityClasses,
  persistentVolumeClaims: resources.persistentVolumeClaims,
  persistentVolumes: resources.persistentVolumes,
  storageClasses: resources.storageClasses,
};

/** Every collection, in the order in which snapshots list them. */
export const collectionNames = Object.keys(clusterResources) as readonly CollectionName[];
