import { controllerOf } from "../../api/owner-references.ts";
import { isTerminal } from "../../api/pod-state.ts";
import { unreportedTerminating } from "./counted-pods.ts";
import { isStatusCurrent, podsOf, totalOf, totalTerminating } from "./counts.ts";
import type { Revisions } from "./revisions.ts";
import { terminatingUnknown } from "./limit.ts";
import { proceed, type StageResult, wait } from "./pass.ts";

/** The Pods of old revisions that a `Recreate` rollout still waits for. */
export interface RemainingOldPods {
  /** Old Pods that run, by the statuses of their ReplicaSets and, without a policy, by the Pods themselves. */
  readonly running: number;
  /** Old Pods that are terminating and must be gone first. */
  readonly terminating: number;
  /** Old ReplicaSets that have not yet reported on their last size. */
  readonly unreported: number;
}

/**
 * Counts the Pods of the old revisions; `undefined` when terminating Pods count and a ReplicaSet does not report them.
 * Without a policy the Pods themselves are counted, too; with one the statuses of the ReplicaSets suffice.
 */
export function remainingOldPods(revisions: Revisions): RemainingOldPods | undefined {
  const { oldReplicaSets, budget } = revisions;
  const reported = totalOf(oldReplicaSets, podsOf);
  if (budget.policy === undefined) {
    return { running: Math.max(reported, countOldPods(revisions)), terminating: 0, unreported: 0 };
  }
  // A ReplicaSet that was just scaled to nothing may have Pods that its status does not show yet.
  const unreported = oldReplicaSets.filter((old) => !isStatusCurrent(old)).length;
  if (budget.policy !== "TerminationComplete") return { running: reported, terminating: 0, unreported };
  const terminating = totalTerminating(oldReplicaSets);
  if (terminating === undefined && reported + unreported === 0) return undefined;
  const seen = totalOf(oldReplicaSets, (old) => unreportedTerminating(old, revisions));
  return { running: reported, terminating: (terminating ?? 0) + seen, unreported };
}

/** Waits until no Pod of the old revisions is left; only then may the new one begin. */
export function awaitOldPods(revisions: Revisions): StageResult {
  const remaining = remainingOldPods(revisions);
  if (remaining === undefined) return wait(terminatingUnknown(revisions.replicaSets));
  const { running, terminating, unreported } = remaining;
  return running + terminating + unreported === 0
    ? proceed()
    : proceed([], { kind: "old-pods", ...remaining });
}

/** Old Pods that have neither succeeded nor failed; terminating ones still run. */
function countOldPods({ pods = [], newReplicaSet }: Revisions): number {
  const newUid = newReplicaSet?.metadata.uid;
  return pods.filter((pod) => !isTerminal(pod) && controllerOf(pod)?.uid !== newUid).length;
}
