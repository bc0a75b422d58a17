import { maxInt32 } from "../../api/int-or-string.ts";
import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";

/** A count as the API allows it: whole, not negative, an int32; larger ones read as the largest, everything else as 0. */
export function countOf(value: unknown): number {
  if (isCount(value)) return value;
  return typeof value === "number" && value > maxInt32 ? maxInt32 : 0;
}

/** Whether a value is a valid replica count. */
export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= maxInt32;
}

/** The desired replicas of a Deployment; the API's default is 1. */
export function replicasOf(deployment: Deployment): number {
  return countOf(deployment.spec.replicas ?? 1);
}

/** The desired replicas of a ReplicaSet. */
export function sizeOf(replicaSet: ReplicaSet): number {
  return countOf(replicaSet.spec.replicas ?? 1);
}

/** The Pods in the status of a ReplicaSet, without terminating ones. */
export function podsOf(replicaSet: ReplicaSet): number {
  return countOf(replicaSet.status?.replicas);
}

/** The ready Pods in its status. */
export function readyOf(replicaSet: ReplicaSet): number {
  return countOf(replicaSet.status?.readyReplicas);
}

/** The available Pods in its status. */
export function availableOf(replicaSet: ReplicaSet): number {
  return countOf(replicaSet.status?.availableReplicas);
}

/** Whether a ReplicaSet has any desired replicas. */
export function hasReplicas(replicaSet: ReplicaSet): boolean {
  return sizeOf(replicaSet) > 0;
}

/** Whether the status of a ReplicaSet is at least as new as its spec. */
export function isStatusCurrent({ metadata, status }: ReplicaSet): boolean {
  return countOf(status?.observedGeneration) >= countOf(metadata.generation);
}

/**
 * Whether a ReplicaSet's counts can be relied on: its status is current, or its spec never changed. A ReplicaSet whose
 * size changed since may have Pods that its status does not show, or may have lost some that it shows.
 */
export function isStatusReliable(replicaSet: ReplicaSet): boolean {
  return isStatusCurrent(replicaSet) || countOf(replicaSet.metadata.generation) <= 1;
}

/** The sum of one count over many ReplicaSets. */
export function totalOf(
  replicaSets: readonly ReplicaSet[],
  count: (replicaSet: ReplicaSet) => number,
): number {
  return replicaSets.reduce((total, replicaSet) => total + count(replicaSet), 0);
}

/** The terminating Pods of a ReplicaSet; `undefined` when it has a status that does not report them. */
export function terminatingOf(replicaSet: ReplicaSet): number | undefined {
  const { terminatingReplicas, observedGeneration } = replicaSet.status ?? {};
  if (isCount(terminatingReplicas)) return terminatingReplicas;
  const neverReported = countOf(observedGeneration) === 0;
  return neverReported && (terminatingReplicas ?? null) === null ? 0 : undefined;
}

/** The terminating Pods of all ReplicaSets; `undefined` when one of them does not report its own. */
export function totalTerminating(replicaSets: readonly ReplicaSet[]): number | undefined {
  return withoutTerminatingCount(replicaSets).length > 0
    ? undefined
    : totalOf(replicaSets, (replicaSet) => terminatingOf(replicaSet) ?? 0);
}

/** The ReplicaSets that do not report how many of their Pods are terminating. */
export function withoutTerminatingCount(replicaSets: readonly ReplicaSet[]): readonly ReplicaSet[] {
  return replicaSets.filter((replicaSet) => terminatingOf(replicaSet) === undefined);
}
