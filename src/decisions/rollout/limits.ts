import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { annotationsOf, beforeScaleAnnotation, countAnnotation, revisionAnnotation } from "./annotations.ts";
import { deadlineOf, progressingOf } from "./conditions.ts";
import { availableOf, countOf, isActive, isStatusReliable, podsOf, sizeOf, totalOf } from "./counts.ts";
import { activeReplicaSets, type Revisions } from "./fleet.ts";
import { awaitsReports, podUsageOf, grownSize, headroom } from "./grown-size.ts";
import type { Limit, RevisionLimit } from "./limit.ts";
import { isComplete } from "./progress.ts";
import { noneRemain, remainingOldPods } from "./recreate.ts";
import { shrinkOldReplicaSets } from "./rolling-update.ts";
import { terminatingUnknown } from "./stage-result.ts";
import { totalTerminating } from "./terminating.ts";

/** Says for every revision what limits it as things stand: the new one first, then the old ones from the oldest. */
export function limitsOf(fleet: Revisions): readonly RevisionLimit[] {
  const isEnding = isBeingDeleted(fleet.deployment);
  const none: Limit = { kind: "none" };
  return [
    describe("new", fleet.newReplicaSet, isEnding ? none : limitOfNew(fleet)),
    ...fleet.oldReplicaSets.map((replicaSet) =>
      describe("old", replicaSet, isEnding ? none : limitOfOld(replicaSet, fleet)),
    ),
  ];
}

function describe(role: "new" | "old", replicaSet: ReplicaSet | undefined, limit: Limit): RevisionLimit {
  if (replicaSet === undefined) return { role, size: 0, limit };
  const revision = annotationsOf(replicaSet)[revisionAnnotation];
  return {
    role,
    replicaSet: replicaSet.metadata.name,
    ...(revision === undefined ? {} : { revision }),
    size: sizeOf(replicaSet),
    limit,
  };
}

function limitOfNew(fleet: Revisions): Limit {
  const { newReplicaSet, budget } = fleet;
  if (newReplicaSet !== undefined && sizeOf(newReplicaSet) >= budget.replicas)
    return limitOfCompletion(fleet);
  if (fleet.deployment.spec.paused === true) {
    // Paused, the Pods of a single revision still follow the replicas.
    return isAlone(newReplicaSet, fleet) ? limitOfGrowth(fleet) : { kind: "paused" };
  }
  const leftovers = budget.strategy === "Recreate" ? remainingOldPods(fleet) : undefined;
  return leftovers === undefined || noneRemain(leftovers)
    ? limitOfGrowth(fleet)
    : { kind: "old-pods", ...leftovers };
}

function isAlone(replicaSet: ReplicaSet | undefined, fleet: Revisions): boolean {
  return replicaSet !== undefined && activeReplicaSets(fleet).every((other) => other === replicaSet);
}

function limitOfGrowth(fleet: Revisions): Limit {
  const { newReplicaSet } = fleet;
  const size = newReplicaSet === undefined ? 0 : sizeOf(newReplicaSet);
  return (grownSize(newReplicaSet, fleet) ?? 0) > size ? { kind: "next-pass" } : limitOfCrowd(fleet);
}

/** The new ReplicaSet has all Pods: what is still missing before the rollout is done. */
function limitOfCompletion(fleet: Revisions): Limit {
  const { deployment, newReplicaSet, budget } = fleet;
  const { replicas } = budget;
  if (isComplete(fleet, deployment.status)) return { kind: "complete" };
  const available = newReplicaSet === undefined ? 0 : availableOf(newReplicaSet);
  const deadlineSeconds = deadlineOf(deployment);
  if (available < replicas) {
    if (deadlineSeconds === undefined) return { kind: "availability", available, replicas };
    const exceeded = progressingOf(deployment.status)?.reason === "ProgressDeadlineExceeded";
    return { kind: "progress-deadline", available, replicas, deadlineSeconds, exceeded };
  }
  const terminating = countOf(deployment.status?.terminatingReplicas);
  return budget.policy === "TerminationComplete" && terminating > 0
    ? { kind: "draining", terminating }
    : limitOfWork(fleet);
}

/** Every size is right: only ReplicaSets whose Pods are not yet as many can still have something to do. */
function limitOfWork(fleet: Revisions): Limit {
  const { replicaSets, budget } = fleet;
  if (budget.policy === "TerminationComplete" && totalTerminating(replicaSets) === undefined)
    return terminatingUnknown(fleet);
  const working = replicaSets.filter((each) => !isStatusReliable(each) || podsOf(each) !== sizeOf(each));
  return working.length === 0 ? { kind: "none" } : unreported(working);
}

function limitOfOld(replicaSet: ReplicaSet, fleet: Revisions): Limit {
  const { budget, deployment, newReplicaSet } = fleet;
  if (!isActive(replicaSet)) return { kind: "none" };
  if (
    budget.policy === "TerminationComplete" &&
    countAnnotation(replicaSet, beforeScaleAnnotation) !== undefined
  ) {
    return limitOfCrowd(fleet);
  }
  if (deployment.spec.paused === true) return { kind: "paused" };
  if (budget.strategy === "Recreate" || newReplicaSet === undefined) return { kind: "next-pass" };
  const isShrinking = shrinkOldReplicaSets(fleet).actions.length > 0;
  return isShrinking ? { kind: "next-pass" } : limitOfAvailability(fleet);
}

/** Why nothing is added, or why it is only added in the next pass. */
function limitOfCrowd(fleet: Revisions): Limit {
  const crowd = podUsageOf(fleet);
  if (crowd === undefined) return terminatingUnknown(fleet);
  if (awaitsReports(fleet)) return limitOfReports(fleet);
  if (headroom(crowd) > 0) return { kind: "next-pass" };
  const { replicas, maxSurge } = fleet.budget;
  const { pods, terminating, cap } = crowd;
  return pods < cap
    ? { kind: "terminating", pods, terminating, replicas, maxSurge }
    : { kind: "surge", pods, replicas, maxSurge };
}

/** Why nothing is taken away. */
function limitOfAvailability(fleet: Revisions): Limit {
  const { replicas, maxUnavailable, minAvailable } = fleet.budget;
  const available = totalOf(fleet.replicaSets, (each) => Math.min(availableOf(each), sizeOf(each)));
  return available > minAvailable
    ? limitOfReports(fleet)
    : { kind: "unavailable", available, replicas, maxUnavailable };
}

function limitOfReports({ replicaSets }: Revisions): Limit {
  return unreported(
    replicaSets.filter((each) => !isStatusReliable(each) || availableOf(each) > sizeOf(each)),
  );
}

function unreported(replicaSets: readonly ReplicaSet[]): Limit {
  return { kind: "unreported", replicaSets: replicaSets.map(({ metadata }) => metadata.name) };
}
