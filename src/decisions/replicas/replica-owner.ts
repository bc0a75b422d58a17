import type { ReplicaSet, ReplicaSetStatus } from "../../api/generated/apps-v1.ts";
import type { ReplicationController } from "../../api/generated/core-v1.ts";
import { controllerOf } from "../../api/owner-references.ts";

/** A ReplicaSet or ReplicationController; decisions treat both kinds alike. */
export type ReplicaOwner = ReplicaSet | ReplicationController;

/** The status of either kind; that of a ReplicationController has no terminating Pods. */
export type ReplicaStatus = ReplicaSetStatus;

export function isReplicationController(owner: ReplicaOwner): owner is ReplicationController {
  return owner.kind === "ReplicationController";
}

/** Whether kube-controller-manager looks at how many Pods share a node: for ReplicaSets that have a controller only. */
export function isRankedByNodes(owner: ReplicaOwner): boolean {
  return !isReplicationController(owner) && controllerOf(owner) !== undefined;
}

/** The desired number of an owner's Pods, 1 when it is absent; `undefined` when it is not a count. */
export function desiredReplicasOf({ spec }: ReplicaOwner): number | undefined {
  const replicas = spec?.replicas ?? 1;
  return Number.isSafeInteger(replicas) && replicas >= 0 ? replicas : undefined;
}
