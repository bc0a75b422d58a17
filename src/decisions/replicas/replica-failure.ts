import { findCondition, withoutCondition } from "../../api/conditions.ts";
import type { ReplicaSetCondition } from "../../api/generated/apps-v1.ts";
import { formatTime, type Instant } from "../../api/time.ts";

/** How creating or deleting Pods went. */
export type ManageOutcome =
  /** Nothing was tried, so nothing was learnt. */
  | { readonly kind: "skipped" }
  | { readonly kind: "succeeded" }
  | { readonly kind: "failed"; readonly reason: FailureReason; readonly message: string };

/** What could not be done. */
export type FailureReason = "FailedCreate" | "FailedDelete";

export type Conditions = readonly ReplicaSetCondition[] | undefined;

const type = "ReplicaFailure";

/**
 * The conditions after an attempt: a failure is told until an attempt succeeds, and in the words of the latest one.
 * Conditions of others stay as they are; no conditions at all are an absent list.
 */
export function withReplicaFailure(conditions: Conditions, managed: ManageOutcome, now: Instant): Conditions {
  switch (managed.kind) {
    case "skipped":
      return orAbsent(conditions ?? []);
    case "succeeded":
      return orAbsent(withoutCondition(conditions, type));
    case "failed":
      return withFailure(conditions ?? [], managed, now);
  }
}

function withFailure(
  conditions: readonly ReplicaSetCondition[],
  { reason, message }: { readonly reason: string; readonly message: string },
  now: Instant,
): readonly ReplicaSetCondition[] {
  const present = findCondition(conditions, type);
  if (present?.status === "True" && present.reason === reason && present.message === message) {
    return conditions;
  }
  // Other words for a failure are not a transition.
  const since = present?.status === "True" ? present.lastTransitionTime : undefined;
  const lastTransitionTime = since ?? formatTime(now);
  return [
    ...withoutCondition(conditions, type),
    { type, status: "True", lastTransitionTime, reason, message },
  ];
}

function orAbsent(conditions: readonly ReplicaSetCondition[]): Conditions {
  return conditions.length === 0 ? undefined : conditions;
}
