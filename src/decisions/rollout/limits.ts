import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { annotationsOf, beforeScaleAnnotation, countAnnotation, revisionAnnotation } from "./annotations.ts";
import { deadlineOf, progressingOf } from "./conditions.ts";
import { availableOf, countOf, sizeOf, totalOf } from "./counts.ts";
import { activeIn, type Fleet } from "./fleet.ts";
import { crowdOf, grownSize, roomIn } from "./growth.ts";
import type { Limit, RevisionLimit } from "./limit.ts";
import { isComplete } from "./progress.ts";
import { isGone, leftoversOf } from "./recreate.ts";
import { shrinkOldReplicaSets } from "./rolling-update.ts";
import { unreported } from "./step.ts";

/** Says for every revision what limits it as things stand: the new one first, then the old ones from the oldest. */
export function limitsOf(fleet: Fleet): readonly RevisionLimit[] {
  const isEnding = (fleet.deployment.metadata.deletionTimestamp ?? null) !== null;
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

function limitOfNew(fleet: Fleet): Limit {
  const { newReplicaSet, budget } = fleet;
  if (newReplicaSet !== undefined && sizeOf(newReplicaSet) >= budget.replicas)
    return limitOfCompletion(fleet);
  if (fleet.deployment.spec.paused === true) {
    // Paused, the Pods of a single revision still follow the replicas.
    return isAlone(newReplicaSet, fleet) ? limitOfGrowth(fleet) : { kind: "paused" };
  }
  const leftovers = budget.strategy === "Recreate" ? leftoversOf(fleet) : undefined;
  return leftovers === undefined || isGone(leftovers)
    ? limitOfGrowth(fleet)
    : { kind: "old-pods", ...leftovers };
}

function isAlone(replicaSet: ReplicaSet | undefined, fleet: Fleet): boolean {
  return replicaSet !== undefined && activeIn(fleet).every((other) => other === replicaSet);
}

function limitOfGrowth(fleet: Fleet): Limit {
  const { newReplicaSet } = fleet;
  const size = newReplicaSet === undefined ? 0 : sizeOf(newReplicaSet);
  const grown = grownSize(newReplicaSet, fleet);
  if (grown === undefined) return unreported(fleet);
  return grown > size ? { kind: "next-pass" } : limitOfCrowd(fleet);
}

/** The new ReplicaSet has all Pods: what is still missing before the rollout is done. */
function limitOfCompletion(fleet: Fleet): Limit {
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
    : { kind: "none" };
}

function limitOfOld(replicaSet: ReplicaSet, fleet: Fleet): Limit {
  const { budget, deployment, newReplicaSet } = fleet;
  const size = sizeOf(replicaSet);
  if (size === 0) return { kind: "none" };
  if (
    budget.policy === "TerminationComplete" &&
    countAnnotation(replicaSet, beforeScaleAnnotation) !== undefined
  ) {
    return limitOfCrowd(fleet);
  }
  if (deployment.spec.paused === true) return { kind: "paused" };
  if (budget.strategy === "Recreate" || newReplicaSet === undefined) return { kind: "next-pass" };
  const { actions, stale } = shrinkOldReplicaSets(fleet);
  if (stale === replicaSet) return { kind: "stale-report", size, available: availableOf(replicaSet) };
  const { name } = replicaSet.metadata;
  const shrinks = actions.some(
    (action) => action.kind === "update-replica-set" && action.replicaSet.metadata.name === name,
  );
  return shrinks ? { kind: "next-pass" } : limitOfAvailability(fleet);
}

function limitOfCrowd(fleet: Fleet): Limit {
  const crowd = crowdOf(fleet);
  if (crowd === undefined) return unreported(fleet);
  if (roomIn(crowd) > 0) return { kind: "next-pass" };
  const { replicas, maxSurge } = fleet.budget;
  const { pods, terminating, cap } = crowd;
  return pods < cap
    ? { kind: "terminating", pods, terminating, replicas, maxSurge }
    : { kind: "surge", pods, replicas, maxSurge };
}

function limitOfAvailability({ replicaSets, budget: { replicas, maxUnavailable } }: Fleet): Limit {
  const available = totalOf(replicaSets, (replicaSet) =>
    Math.min(availableOf(replicaSet), sizeOf(replicaSet)),
  );
  return { kind: "unavailable", available, replicas, maxUnavailable };
}
