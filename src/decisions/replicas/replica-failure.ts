import { findCondition, withoutCondition } from "../../api/conditions.ts";
import type { ReplicaSetCondition } from "../../api/generated/apps-v1.ts";
import { formatTime, type Instant } from "../../api/time.ts";

/** The outcome of creating or deleting Pods. */
export type ManageOutcome =
  /** Nothing was attempted: the condition stays as it is. */
  | { readonly kind: "skipped" }
  | { readonly kind: "succeeded" }
  | { readonly kind: "failed"; readonly reason: FailureReason; readonly message: string };

/** The reason of the condition. */
export type FailureReason = "FailedCreate" | "FailedDelete";

export type Conditions = readonly ReplicaSetCondition[] | undefined;

const type = "ReplicaFailure";

/**
 * The conditions after an attempt: a failure is reported until an attempt succeeds, with the message of the latest one.
 * Conditions of other types stay as they are; an empty list becomes absent.
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
  const isSame = present?.reason === reason && isSameMessage(present.message ?? "", message);
  if (present?.status === "True" && isSame) return conditions;
  // Another message is not a transition.
  const since = present?.status === "True" ? present.lastTransitionTime : undefined;
  const lastTransitionTime = since ?? formatTime(now);
  return [
    ...withoutCondition(conditions, type),
    { type, status: "True", lastTransitionTime, reason, message },
  ];
}

/** What the API server appends to the name of a Pod that is created by its prefix. */
const generatedSuffix = /(?<=-)[bcdfghjklmnpqrstvwxz2456789]{5}(?![a-z0-9])/g;

/** Whether two messages differ at most in generated names: each attempt is refused for a Pod of another name. */
function isSameMessage(one: string, other: string): boolean {
  return one === other || one.replaceAll(generatedSuffix, "*") === other.replaceAll(generatedSuffix, "*");
}

function orAbsent(conditions: readonly ReplicaSetCondition[]): Conditions {
  return conditions.length === 0 ? undefined : conditions;
}
