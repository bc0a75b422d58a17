import type { DeploymentStatus } from "../../../api/generated/apps-v1.ts";
import { type Instant, parseTime } from "../../../api/time.ts";
import { deadlineOf, progressingOf } from "./conditions.ts";
import { isCounted } from "../counted-pods.ts";
import {
  availableOf,
  countOf,
  isCount,
  isStatusReliable,
  podsOf,
  sizeOf,
  totalTerminating,
} from "../counts.ts";
import type { Revisions } from "../revisions.ts";
import { type Limit, terminatingUnknown, unreported } from "../limit.ts";

/** Whether a status shows a complete rollout; under `TerminationComplete` no Pod may be terminating any more. */
export function isComplete(revisions: Revisions, status: DeploymentStatus | undefined): boolean {
  const { deployment, budget } = revisions;
  const counts = [status?.updatedReplicas, status?.replicas, status?.availableReplicas];
  const isObserved = countOf(status?.observedGeneration) >= countOf(deployment.metadata.generation);
  const isDrained = budget.policy !== "TerminationComplete" || terminatingIn(revisions, status) === 0;
  return isObserved && isDrained && counts.every((count) => countOf(count) === budget.replicas);
}

/** The terminating Pods of a status; those that were counted where none is reported. */
function terminatingIn(revisions: Revisions, status: DeploymentStatus | undefined): number | undefined {
  return isCounted(revisions) ? totalTerminating(revisions.replicaSets) : status?.terminatingReplicas;
}

/** What a rollout whose new ReplicaSet has all replicas still waits for; `complete` when it waits for nothing. */
export function completionLimit(revisions: Revisions, status: DeploymentStatus | undefined): Limit {
  const { newReplicaSet, budget } = revisions;
  if (isComplete(revisions, status)) return { kind: "complete" };
  const available = newReplicaSet === undefined ? 0 : availableOf(newReplicaSet);
  if (available < budget.replicas) return pendingPods(available, revisions, status);
  const terminating = countOf(terminatingIn(revisions, status));
  return budget.policy === "TerminationComplete" && terminating > 0
    ? { kind: "draining", terminating }
    : pendingReports(revisions);
}

/** Not all Pods of the new ReplicaSet are available. */
function pendingPods(available: number, { deployment, budget }: Revisions, status?: DeploymentStatus): Limit {
  const { replicas } = budget;
  const deadlineSeconds = deadlineOf(deployment);
  if (deadlineSeconds === undefined) return { kind: "availability", available, replicas };
  const exceeded = progressingOf(status)?.reason === "ProgressDeadlineExceeded";
  return { kind: "progress-deadline", available, replicas, deadlineSeconds, exceeded };
}

/** All Pods are available: only ReplicaSets that have not reported what their size asks for can be waited for. */
function pendingReports({ replicaSets, budget }: Revisions): Limit {
  if (budget.policy === "TerminationComplete" && totalTerminating(replicaSets) === undefined)
    return terminatingUnknown(replicaSets);
  const pending = replicaSets.filter((each) => !isStatusReliable(each) || podsOf(each) !== sizeOf(each));
  return pending.length === 0 ? { kind: "none" } : unreported(pending);
}

/** Whether a rollout progressed between two statuses: more updated, ready or available Pods, or fewer old ones. */
export function hasProgressed(
  { budget }: Revisions,
  before: DeploymentStatus | undefined,
  after: DeploymentStatus,
): boolean {
  const old = (status: DeploymentStatus | undefined) =>
    countOf(status?.replicas) - countOf(status?.updatedReplicas);
  return (
    countOf(after.updatedReplicas) > countOf(before?.updatedReplicas) ||
    old(after) < old(before) ||
    countOf(after.readyReplicas) > countOf(before?.readyReplicas) ||
    countOf(after.availableReplicas) > countOf(before?.availableReplicas) ||
    (budget.policy === "TerminationComplete" && hasDrained(before, after))
  );
}

function hasDrained(before: DeploymentStatus | undefined, after: DeploymentStatus): boolean {
  const [then, now] = [before?.terminatingReplicas, after.terminatingReplicas];
  return isCount(then) && isCount(now) && now < then;
}

/** Whether the deadline has passed without progress; a complete rollout never times out. */
export function isTimedOut({ deployment, now }: Revisions, status: DeploymentStatus): boolean {
  const condition = progressingOf(status);
  const due = dueAt(status, deadlineOf(deployment));
  if (condition === undefined || due === undefined || condition.reason === "NewReplicaSetAvailable")
    return false;
  return condition.reason === "ProgressDeadlineExceeded" || due < now;
}

/** When the time to make progress is over; a condition without an update time is overdue. */
function dueAt(
  status: DeploymentStatus | undefined,
  deadlineSeconds: number | undefined,
): Instant | undefined {
  const condition = progressingOf(status);
  if (condition === undefined || deadlineSeconds === undefined) return undefined;
  return (parseTime(condition.lastUpdateTime) ?? 0) + deadlineSeconds * 1000;
}

/** Whether the rollout was declared complete before: it stays so until there are old Pods again. */
export function isRolledOut({ deployment }: Revisions, status: DeploymentStatus): boolean {
  const isOneRevision = countOf(status.replicas) === countOf(status.updatedReplicas);
  return isOneRevision && progressingOf(deployment.status)?.reason === "NewReplicaSetAvailable";
}

/** When to check the deadline: never, now, or after some milliseconds. */
export type ProgressCheck =
  | { readonly kind: "never" }
  | { readonly kind: "now" }
  | { readonly kind: "in"; readonly ms: number };

/** When to check the deadline of a rollout that did not progress. */
export function progressCheck(revisions: Revisions, status: DeploymentStatus): ProgressCheck {
  const { deployment, now } = revisions;
  const due = dueAt(deployment.status, deadlineOf(deployment));
  const isOver = progressingOf(deployment.status)?.reason === "ProgressDeadlineExceeded";
  if (due === undefined || isOver || isComplete(revisions, status)) return { kind: "never" };
  return due - now < 1000 ? { kind: "now" } : { kind: "in", ms: due - now };
}
