import type { DeploymentStatus } from "../../../api/generated/apps-v1.ts";
import { formatTime } from "../../../api/time.ts";
import { conditionsOf, progressing, progressingOf, replaceCondition, setCondition } from "./conditions.ts";
import { hasProgressed, isComplete, isRolledOut, isTimedOut } from "./progress.ts";
import type { Revisions } from "../revisions.ts";
import { describeProtectionWait, namesProtectionWait } from "../protection.ts";
import { describeWait, terminationWait } from "./termination-wait.ts";

/**
 * The status with the `Progressing` condition up to date. A rollout that was declared complete stays so, unless there
 * are old Pods again or terminating Pods hold back a scale.
 */
export function withProgress(revisions: Revisions, status: DeploymentStatus): DeploymentStatus {
  const termination = terminationWait(revisions);
  if (isRolledOut(revisions, status) && termination?.until !== "growth") return status;
  if (isComplete(revisions, status)) return withCondition(revisions, status, "NewReplicaSetAvailable");
  const hasBegun = hasProgressed(revisions, revisions.deployment.status, status) || isIncomplete(revisions);
  const protection = describeProtectionWait(revisions);
  const wait = termination === undefined ? protection : describeWait(termination);
  if (hasBegun) return withMessage(revisions, withCondition(revisions, status, "ReplicaSetUpdated"), wait);
  if (!isTimedOut(revisions, status)) return withMessage(revisions, status, wait);
  // Whoever is protected may take longer than the deadline, and that is no failure of the rollout.
  const outcome = protection === undefined ? "ProgressDeadlineExceeded" : "ReplicaSetUpdated";
  return withMessage(revisions, withCondition(revisions, status, outcome), wait);
}

/** Whether the stored condition calls a rollout complete that is not: under `TerminationComplete` its deadline starts. */
function isIncomplete({ budget, deployment }: Revisions): boolean {
  const isDeclared = progressingOf(deployment.status)?.reason === "NewReplicaSetAvailable";
  return budget.policy === "TerminationComplete" && isDeclared;
}

const messages = {
  NewReplicaSetAvailable: "has successfully progressed",
  ReplicaSetUpdated: "is progressing",
  ProgressDeadlineExceeded: "has timed out progressing",
} as const;

function withCondition(
  revisions: Revisions,
  status: DeploymentStatus,
  reason: keyof typeof messages,
): DeploymentStatus {
  const set = reason === "ReplicaSetUpdated" ? replaceCondition : setCondition;
  const condition = progressing(reason, messageOf(revisions, reason), revisions.now);
  return { ...status, conditions: set(conditionsOf(status), condition) };
}

function messageOf({ newReplicaSet, deployment }: Revisions, reason: keyof typeof messages): string {
  const subject =
    newReplicaSet === undefined
      ? `Deployment "${deployment.metadata.name}"`
      : `ReplicaSet "${newReplicaSet.metadata.name}"`;
  return `${subject} ${messages[reason]}.`;
}

/** The status whose `Progressing` condition says what is waited for; the time since the last progress stays. */
function withMessage(
  revisions: Revisions,
  status: DeploymentStatus,
  wait: string | undefined,
): DeploymentStatus {
  const present = progressingOf(status);
  if (present === undefined || !saysWaits(revisions, present.message, wait)) return status;
  if (wait === undefined && present.reason !== "ReplicaSetUpdated") return status;
  const reason = present.reason === "ProgressDeadlineExceeded" ? present.reason : "ReplicaSetUpdated";
  const usual = messageOf(revisions, reason);
  const message = wait === undefined ? usual : `${usual} ${wait}.`;
  if (present.reason === reason && present.message === message) return status;
  const { lastUpdateTime = formatTime(revisions.now) } = present;
  const next = { ...progressing(reason, message, revisions.now), lastUpdateTime };
  return { ...status, conditions: replaceCondition(conditionsOf(status), next) };
}

/** Whether the message is ours to change: otherwise it stays as kube-controller-manager would have it. */
function saysWaits({ budget }: Revisions, present: string | undefined, wait: string | undefined): boolean {
  return budget.policy === "TerminationComplete" || wait !== undefined || namesProtectionWait(present);
}
