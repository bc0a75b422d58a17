import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { countOf, isCount, podsOf, sizeOf, totalOf } from "./counts.ts";

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
