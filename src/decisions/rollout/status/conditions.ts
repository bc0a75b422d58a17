import { maxInt32 } from "../../../api/int-or-string.ts";
import { findCondition, withoutCondition } from "../../../api/conditions.ts";
import type { Deployment, DeploymentCondition, DeploymentStatus } from "../../../api/generated/apps-v1.ts";
import { isJsonObject } from "../../../api/json.ts";
import { formatTime, type Instant } from "../../../api/time.ts";
import type { RolloutAction } from "../action.ts";
import { countOf } from "../counts.ts";
import type { RolloutState } from "../state.ts";

/** Why a Deployment's `Progressing` condition is what it is. */
export type ProgressingReason =
  | "NewReplicaSetCreated"
  | "FoundNewReplicaSet"
  | "ReplicaSetUpdated"
  | "NewReplicaSetAvailable"
  | "ProgressDeadlineExceeded"
  | "ReplicaSetCreateError"
  | "DeploymentPaused"
  | "DeploymentResumed";

const progressingStatus: Readonly<Record<ProgressingReason, "True" | "False" | "Unknown">> = {
  NewReplicaSetCreated: "True",
  FoundNewReplicaSet: "True",
  ReplicaSetUpdated: "True",
  NewReplicaSetAvailable: "True",
  ProgressDeadlineExceeded: "False",
  ReplicaSetCreateError: "False",
  DeploymentPaused: "Unknown",
  DeploymentResumed: "Unknown",
};

/** A `Progressing` condition as of now. */
export function progressing(reason: ProgressingReason, message: string, now: Instant): DeploymentCondition {
  return condition({ type: "Progressing", status: progressingStatus[reason], reason, message }, now);
}

/** The `Available` condition as of now. */
export function available(isAvailable: boolean, now: Instant): DeploymentCondition {
  return condition(
    isAvailable
      ? {
          type: "Available",
          status: "True",
          reason: "MinimumReplicasAvailable",
          message: "Deployment has minimum availability.",
        }
      : {
          type: "Available",
          status: "False",
          reason: "MinimumReplicasUnavailable",
          message: "Deployment does not have minimum availability.",
        },
    now,
  );
}

/** The conditions of a status, without entries that lack a type or a status. */
export function conditionsOf<C extends { readonly type: string; readonly status: string }>(
  status: { readonly conditions?: readonly C[] } | undefined,
): readonly C[] {
  const conditions: unknown = status?.conditions;
  return Array.isArray(conditions) ? conditions.filter((entry): entry is C => isCondition(entry)) : [];
}

function isCondition(entry: unknown): boolean {
  return isJsonObject(entry) && typeof entry["type"] === "string" && typeof entry["status"] === "string";
}

/** The stored `Progressing` condition, if there is one. */
export function progressingOf(status: DeploymentStatus | undefined): DeploymentCondition | undefined {
  return findCondition(conditionsOf(status), "Progressing");
}

/**
 * The conditions with one of them set. While status and reason stay the same nothing changes, not even the message;
 * while the status stays the same, so does the transition time.
 */
export function setCondition(
  conditions: readonly DeploymentCondition[],
  next: DeploymentCondition,
): readonly DeploymentCondition[] {
  const present = findCondition(conditions, next.type);
  if (present?.status === next.status && present.reason === next.reason) return conditions;
  return replaceCondition(conditions, next);
}

/** Sets a condition as `setCondition` does, but replaces it even if only its time changes. */
export function replaceCondition(
  conditions: readonly DeploymentCondition[],
  next: DeploymentCondition,
): readonly DeploymentCondition[] {
  const present = findCondition(conditions, next.type);
  const since = present?.status === next.status ? present.lastTransitionTime : next.lastTransitionTime;
  const entry = since === undefined ? next : { ...next, lastTransitionTime: since };
  return [...withoutCondition(conditions, next.type), entry];
}

/** How long a Deployment may go without progress, in seconds; `undefined` when there is no deadline. */
export function deadlineOf(deployment: Deployment): number | undefined {
  const seconds = deployment.spec.progressDeadlineSeconds ?? maxInt32;
  return countOf(seconds) === maxInt32 ? undefined : countOf(seconds);
}

function condition(
  what: Required<Pick<DeploymentCondition, "type" | "status" | "reason" | "message">>,
  now: Instant,
): DeploymentCondition {
  const { type, status, reason, message } = what;
  const time = formatTime(now);
  return { type, status, lastUpdateTime: time, lastTransitionTime: time, reason, message };
}

/** Records in a condition that a Deployment was paused or resumed: a pause does not count towards the deadline. */
export function recordPause({ deployment, now }: RolloutState): readonly RolloutAction[] {
  const reason = progressingOf(deployment.status)?.reason;
  // A rollout that exceeded its deadline keeps that condition while paused.
  if (deadlineOf(deployment) === undefined || reason === "ProgressDeadlineExceeded") return [];
  const isPaused = deployment.spec.paused === true;
  if (isPaused === (reason === "DeploymentPaused")) return [];
  const next = isPaused
    ? progressing("DeploymentPaused", "Deployment is paused", now)
    : progressing("DeploymentResumed", "Deployment is resumed", now);
  const conditions = setCondition(conditionsOf(deployment.status), next);
  return [
    { kind: "update-status", deployment: { ...deployment, status: { ...deployment.status, conditions } } },
  ];
}
