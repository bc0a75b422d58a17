import type { DeploymentStatus } from "../../../api/generated/apps-v1.ts";
import type { RolloutAction } from "../action.ts";
import { progressingOf } from "./conditions.ts";
import { availableOf, podsOf, sizeOf, totalOf, totalTerminating } from "../counts.ts";
import { headroom, type PodUsage, podUsageOf } from "../grown-size.ts";
import type { Revisions } from "../revisions.ts";
import { isHeldBack } from "../scale.ts";

/** The terminating Pods that a Deployment waits for under `TerminationComplete`. */
export interface TerminationWait extends PodUsage {
  /** What they hold back: Pods to be added, or only that the rollout is complete. */
  readonly until: "growth" | "completion";
  readonly replicas: number;
  readonly maxSurge: number;
}

/** What a Deployment waits for when terminating Pods are all that holds it back; `undefined` when they do not. */
export function terminationWait(revisions: Revisions): TerminationWait | undefined {
  const { budget, deployment } = revisions;
  if (budget.policy !== "TerminationComplete" || deployment.spec.paused === true) return undefined;
  const usage = podUsageOf(revisions);
  if (usage === undefined || usage.terminating === 0) return undefined;
  const { replicas, maxSurge } = budget;
  if (isGrowthHeld(usage, revisions)) return { ...usage, until: "growth", replicas, maxSurge };
  return isAllAvailable(revisions) ? { ...usage, until: "completion", replicas, maxSurge } : undefined;
}

function isGrowthHeld(usage: PodUsage, revisions: Revisions): boolean {
  const { newReplicaSet, replicaSets, oldReplicaSets, budget } = revisions;
  const isNewMissing = newReplicaSet === undefined || sizeOf(newReplicaSet) < budget.replicas;
  if (!isNewMissing && !replicaSets.some((each) => isHeldBack(each, revisions))) return false;
  const isRecreating = budget.strategy === "Recreate" && (totalTerminating(oldReplicaSets) ?? 0) > 0;
  return isRecreating || (headroom(usage) <= 0 && usage.pods < usage.cap);
}

function isAllAvailable({ newReplicaSet, replicaSets, budget }: Revisions): boolean {
  const counts = newReplicaSet === undefined ? [] : [sizeOf(newReplicaSet), availableOf(newReplicaSet)];
  return [...counts, totalOf(replicaSets, podsOf)].every((count) => count === budget.replicas);
}

const isWaiting = "still terminating";

/** What is waited for, with its numbers: `2 of 12 Pods are still terminating; 10 + 2 allowed`. */
export function describeWait({ pods, terminating, replicas, maxSurge }: TerminationWait): string {
  const all = pods + terminating;
  const allowed = maxSurge === 0 ? String(replicas) : `${replicas} + ${maxSurge}`;
  const verb = terminating === 1 ? "is" : "are";
  return `${terminating} of ${all} ${all === 1 ? "Pod" : "Pods"} ${verb} ${isWaiting}; ${allowed} allowed`;
}

/** Records an Event when a wait begins: when the next status names it, and the stored one does not. */
export function announceWait(revisions: Revisions, next: DeploymentStatus): readonly RolloutAction[] {
  const wait = terminationWait(revisions);
  if (wait === undefined || !namesWait(next) || namesWait(revisions.deployment.status)) return [];
  const message = `Waiting: ${describeWait(wait)}`;
  return [{ kind: "record-event", event: { type: "Normal", reason: "WaitingForTermination", message } }];
}

function namesWait(status: DeploymentStatus | undefined): boolean {
  return progressingOf(status)?.message?.includes(isWaiting) === true;
}
