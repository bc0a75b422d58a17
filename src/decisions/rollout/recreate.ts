import { controllerOf } from "../../api/owner-references.ts";
import { isTerminal } from "../../api/pod-state.ts";
import { isStatusCurrent, podsOf, totalOf } from "./counts.ts";
import type { Revisions } from "./fleet.ts";
import { grownSize } from "./grown-size.ts";
import { scaleTo } from "./scale-replica-set.ts";
import { proceed, type StageResult, waitForTerminatingCount } from "./stage-result.ts";
import { totalTerminating } from "./terminating.ts";

/** What of the old revisions a `Recreate` rollout still has to wait for. */
export interface RemainingOldPods {
  /** Old Pods that run, as far as reports and, without a policy, the Pods themselves tell. */
  readonly running: number;
  /** Old Pods that are ending and must be gone first. */
  readonly terminating: number;
  /** Old ReplicaSets that have not yet reported on their last size. */
  readonly unreported: number;
}

/**
 * Counts what is left of the old revisions; `undefined` when terminating Pods count and a ReplicaSet does not say how
 * many. Without a policy the Pods themselves are looked at; with one the reports of the ReplicaSets suffice.
 */
export function remainingOldPods(fleet: Revisions): RemainingOldPods | undefined {
  const { oldReplicaSets, budget } = fleet;
  const reported = totalOf(oldReplicaSets, podsOf);
  if (budget.policy === undefined) {
    return { running: Math.max(reported, countOldPods(fleet)), terminating: 0, unreported: 0 };
  }
  // A ReplicaSet that was just scaled to nothing may have Pods its report does not show yet.
  const unreported = oldReplicaSets.filter((old) => !isStatusCurrent(old)).length;
  const terminating = budget.policy === "TerminationComplete" ? totalTerminating(oldReplicaSets) : 0;
  if (terminating === undefined && reported + unreported === 0) return undefined;
  return { running: reported, terminating: terminating ?? 0, unreported };
}

/** Whether nothing of the old revisions is left to wait for. */
export function noneRemain({ running, terminating, unreported }: RemainingOldPods): boolean {
  return running + terminating + unreported === 0;
}

/** Sizes the new ReplicaSet once the old Pods are gone; only its own terminating Pods can still hold places. */
export function sizeOnlyReplicaSet(fleet: Revisions): StageResult {
  const { newReplicaSet } = fleet;
  if (newReplicaSet === undefined) return proceed();
  const size = grownSize(newReplicaSet, fleet, [newReplicaSet]);
  return size === undefined ? waitForTerminatingCount(fleet) : proceed(scaleTo(newReplicaSet, size, fleet));
}

/** Old Pods that have not ended; terminating ones still run. */
function countOldPods({ pods = [], newReplicaSet }: Revisions): number {
  const newUid = newReplicaSet?.metadata.uid;
  return pods.filter((pod) => !isTerminal(pod) && controllerOf(pod)?.uid !== newUid).length;
}
