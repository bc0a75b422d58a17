import type { StoredObject } from "../../src/api/object.ts";
import type { Resource } from "../../src/api/resource.ts";
import {
  deployments,
  jobs,
  namespaces,
  nodes,
  podDisruptionBudgets,
  pods,
  priorityClasses,
  replicaSets,
  replicationControllers,
  services,
  statefulSets,
} from "../../src/api/resources.ts";
import type { Deployment, ReplicaSet, StatefulSet } from "../../src/api/generated/apps-v1.ts";
import type { Job } from "../../src/api/generated/batch-v1.ts";
import type {
  Namespace,
  Node,
  Pod,
  ReplicationController,
  Service,
} from "../../src/api/generated/core-v1.ts";
import type { PodDisruptionBudget } from "../../src/api/generated/policy-v1.ts";
import type { PriorityClass } from "../../src/api/generated/scheduling-v1.ts";

/** The kinds that the page watches, by the name of their collection. */
export interface WatchedKinds {
  readonly pods: Pod;
  readonly nodes: Node;
  readonly namespaces: Namespace;
  readonly deployments: Deployment;
  readonly replicaSets: ReplicaSet;
  readonly replicationControllers: ReplicationController;
  readonly statefulSets: StatefulSet;
  readonly jobs: Job;
  readonly services: Service;
  readonly podDisruptionBudgets: PodDisruptionBudget;
  readonly priorityClasses: PriorityClass;
}

export type WatchedKind = keyof WatchedKinds;

/** The resource of each kind. */
export const watchedResources: { readonly [K in WatchedKind]: Resource<WatchedKinds[K]> } = {
  nodes,
  pods,
  deployments,
  replicaSets,
  replicationControllers,
  statefulSets,
  jobs,
  namespaces,
  services,
  podDisruptionBudgets,
  priorityClasses,
};

export const watchedKinds = Object.keys(watchedResources) as readonly WatchedKind[];

/** One object that was added, changed or deleted: what it was before, and what it is now. */
export interface Change {
  readonly kind: WatchedKind;
  readonly key: string;
  readonly before: StoredObject | undefined;
  readonly after: StoredObject | undefined;
}
