import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";

/** The largest count the API can hold. */
export const maxInt32 = 2_147_483_647;

/** A count as the API allows it: whole, not negative, an int32; larger ones read as the largest, everything else as 0. */
export function countOf(value: unknown): number {
  if (isCount(value)) return value;
  return typeof value === "number" && value > maxInt32 ? maxInt32 : 0;
}

/** Whether a value can stand in a replica count. */
export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= maxInt32;
}

/** How many Pods a Deployment is to have; the API's default is 1. */
export function replicasOf(deployment: Deployment): number {
  return countOf(deployment.spec.replicas ?? 1);
}

/** How many Pods a ReplicaSet is to have. */
export function sizeOf(replicaSet: ReplicaSet): number {
  return countOf(replicaSet.spec.replicas ?? 1);
}

/** How many Pods a ReplicaSet last reported, terminating ones not counted. */
export function podsOf(replicaSet: ReplicaSet): number {
  return countOf(replicaSet.status?.replicas);
}

/** How many of them it reported ready. */
export function readyOf(replicaSet: ReplicaSet): number {
  return countOf(replicaSet.status?.readyReplicas);
}

/** How many of them it reported available. */
export function availableOf(replicaSet: ReplicaSet): number {
  return countOf(replicaSet.status?.availableReplicas);
}

/** A ReplicaSet is active when it is to have Pods at all. */
export function isActive(replicaSet: ReplicaSet): boolean {
  return sizeOf(replicaSet) > 0;
}

/** Whether a ReplicaSet has reported since its spec last changed. */
export function isStatusCurrent({ metadata, status }: ReplicaSet): boolean {
  return countOf(status?.observedGeneration) >= countOf(metadata.generation);
}

/**
 * Whether a ReplicaSet's counts can be relied on: it has reported on its size, or never had another. One that was
 * changed since may have Pods its report does not show, or may have lost some that it does.
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

/** How many Pods of a ReplicaSet are ending; `undefined` when it does not say, though it has reported before. */
export function terminatingOf(replicaSet: ReplicaSet): number | undefined {
  const { terminatingReplicas, observedGeneration } = replicaSet.status ?? {};
  if (isCount(terminatingReplicas)) return terminatingReplicas;
  const neverReported = countOf(observedGeneration) === 0;
  return neverReported && (terminatingReplicas ?? null) === null ? 0 : undefined;
}

/** How many Pods are ending in all; `undefined` as soon as one ReplicaSet does not say. */
export function totalTerminating(replicaSets: readonly ReplicaSet[]): number | undefined {
  return withoutTerminatingCount(replicaSets).length > 0
    ? undefined
    : totalOf(replicaSets, (replicaSet) => terminatingOf(replicaSet) ?? 0);
}

/** The ReplicaSets that should say how many of their Pods are ending, and do not. */
export function withoutTerminatingCount(replicaSets: readonly ReplicaSet[]): readonly ReplicaSet[] {
  return replicaSets.filter((replicaSet) => terminatingOf(replicaSet) === undefined);
}

/** The Pods ReplicaSets have or are about to have: what is still to be created counts, what is still to be deleted too. */
export function totalPresent(replicaSets: readonly ReplicaSet[]): number {
  return totalOf(replicaSets, (replicaSet) => Math.max(sizeOf(replicaSet), podsOf(replicaSet)));
}
