import { controllerOf } from "../../api/owner-references.ts";
import { isTerminal } from "../../api/pod-state.ts";
import { hasReported, podsOf, totalOf } from "./counts.ts";
import type { Fleet } from "./fleet.ts";
import { grownSize } from "./growth.ts";
import { scaleTo } from "./scale-replica-set.ts";
import { go, type Step, waitForReports } from "./step.ts";
import { terminatingIn } from "./terminating.ts";

/** What of the old revisions a `Recreate` rollout still has to wait for. */
export interface Leftovers {
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
export function leftoversOf(fleet: Fleet): Leftovers | undefined {
  const { oldReplicaSets, budget } = fleet;
  const reported = totalOf(oldReplicaSets, podsOf);
  if (budget.policy === undefined) {
    return { running: Math.max(reported, countOldPods(fleet)), terminating: 0, unreported: 0 };
  }
  // A ReplicaSet that was just scaled to nothing may have Pods its report does not show yet.
  const unreported = oldReplicaSets.filter((old) => !hasReported(old)).length;
  const terminating = budget.policy === "TerminationComplete" ? terminatingIn(oldReplicaSets) : 0;
  if (terminating === undefined && reported + unreported === 0) return undefined;
  return { running: reported, terminating: terminating ?? 0, unreported };
}

/** Whether nothing of the old revisions is left to wait for. */
export function isGone({ running, terminating, unreported }: Leftovers): boolean {
  return running + terminating + unreported === 0;
}

/** Sizes the new ReplicaSet once the old Pods are gone; only its own terminating Pods can still hold places. */
export function sizeOnlyReplicaSet(fleet: Fleet): Step {
  const { newReplicaSet } = fleet;
  if (newReplicaSet === undefined) return go();
  const size = grownSize(newReplicaSet, fleet, [newReplicaSet]);
  return size === undefined ? waitForReports(fleet) : go(scaleTo(newReplicaSet, size, fleet));
}

/** Old Pods that have not ended; terminating ones still run. */
function countOldPods({ pods = [], newReplicaSet }: Fleet): number {
  const newUid = newReplicaSet?.metadata.uid;
  return pods.filter((pod) => !isTerminal(pod) && controllerOf(pod)?.uid !== newUid).length;
}
