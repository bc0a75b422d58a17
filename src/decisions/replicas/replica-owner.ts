import type { ReplicaSet, ReplicaSetStatus } from "../../api/generated/apps-v1.ts";
import type { ReplicationController } from "../../api/generated/core-v1.ts";

/** What keeps a number of like Pods: one set of decisions serves both kinds. */
export type ReplicaOwner = ReplicaSet | ReplicationController;

/** What either kind reports; a ReplicationController knows no terminating Pods. */
export type ReplicaStatus = ReplicaSetStatus;

/** How many Pods an owner is to have, 1 where it does not say; `undefined` when what it says is no count. */
export function desiredReplicasOf({ spec }: ReplicaOwner): number | undefined {
  const replicas = spec?.replicas ?? 1;
  return Number.isSafeInteger(replicas) && replicas >= 0 ? replicas : undefined;
}
