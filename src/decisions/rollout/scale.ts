import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { RolloutAction } from "./action.ts";
import {
  annotationsOf,
  beforeScaleAnnotation,
  countAnnotation,
  desiredReplicasAnnotation,
  parseInt64,
} from "./annotations.ts";
import { availableOf, hasReplicas, sizeOf, totalOf } from "./counts.ts";
import { recreateEvent, withoutProtection } from "./protection.ts";
import { activeReplicaSets, byYouth, type Revisions } from "./revisions.ts";
import { awaitsReports, grownSize } from "./grown-size.ts";
import { type Share, sharesWithinSurge } from "./proportional-scale.ts";
import { scaleAndMark, scaleTo } from "./scale-replica-set.ts";
import { proceed, type StageResult, wait } from "./pass.ts";
import { terminatingUnknown } from "./limit.ts";

/**
 * Whether the Deployment was scaled, or a scale is still held back: some active ReplicaSet was sized for other replicas.
 * `Recreate` never scales in proportion, so with several active ReplicaSets the rollout has to reduce them to one:
 * upstream goes on with a scale pass that changes nothing.
 */
export function isScalingEvent(revisions: Revisions): boolean {
  const { replicas, tracksPartialScale, strategy } = revisions.budget;
  const active = activeReplicaSets(revisions);
  if (strategy === "Recreate" && active.length > 1) return false;
  return active.some((replicaSet) => {
    const desired = countAnnotation(replicaSet, desiredReplicasAnnotation);
    const isHeldBack = tracksPartialScale && countAnnotation(replicaSet, beforeScaleAnnotation) !== undefined;
    return isHeldBack || (desired !== undefined && desired !== replicas);
  });
}

/** Whether terminating Pods hold back a scale of the ReplicaSet. */
export function isHeldBack(replicaSet: ReplicaSet, { budget }: Revisions): boolean {
  const isPartial = countAnnotation(replicaSet, beforeScaleAnnotation) !== undefined;
  return budget.policy === "TerminationComplete" && isPartial && hasReplicas(replicaSet);
}

/**
 * Whether a scale that could add no Pod now only waits for terminating Pods. As long as a ReplicaSet has yet to report,
 * there may be fewer of them than are known.
 */
export function waitsForTermination(revisions: Revisions): boolean {
  return !awaitsReports(revisions) && revisions.replicaSets.some((each) => isHeldBack(each, revisions));
}

/** How several ReplicaSets share a scale; `undefined` when the number of terminating Pods is not known. */
export type Sharing = (revisions: Revisions) => readonly Share[] | undefined;

/** Scales the ReplicaSets to the Deployment's replicas, without a rollout. */
export function scaleReplicaSets(revisions: Revisions, share: Sharing = sharesWithinSurge): StageResult {
  const active = activeReplicaSets(revisions);
  if (active.length <= 1) return scaleSingle(active[0] ?? successorOf(revisions), revisions);
  if (isSaturated(revisions)) return proceed(drainOld(revisions));
  return revisions.budget.strategy === "RollingUpdate"
    ? scaleTogether(revisions, share(revisions))
    : proceed();
}

/** Scales every old ReplicaSet to 0, the youngest first; for `Recreate`, protected Pods go, too. */
export function drainOld(revisions: Revisions): readonly RolloutAction[] {
  const isRecreate = revisions.budget.strategy === "Recreate";
  return revisions.oldReplicaSets.toSorted(byYouth).flatMap((replicaSet) => {
    if (!hasReplicas(replicaSet)) return [];
    if (!isRecreate) return scaleTo(replicaSet, 0, revisions);
    const drained = scaleTo(withoutProtection(replicaSet, revisions), 0, revisions);
    return [...drained, ...recreateEvent(replicaSet, revisions)];
  });
}

/** The ReplicaSet to scale when none is active: the new one, or else the youngest. */
function successorOf({ newReplicaSet, oldReplicaSets }: Revisions): ReplicaSet | undefined {
  return newReplicaSet ?? oldReplicaSets.toSorted(byYouth)[0];
}

function scaleSingle(replicaSet: ReplicaSet | undefined, revisions: Revisions): StageResult {
  if (replicaSet === undefined) return proceed();
  const { replicas, policy } = revisions.budget;
  const size = sizeOf(replicaSet);
  if (size === replicas) {
    // Outdated annotations would make every pass a scale pass, and no rollout would ever start.
    return proceed(hasReplicas(replicaSet) ? scaleAndMark(replicaSet, { size }, revisions) : []);
  }
  if (size > replicas || policy !== "TerminationComplete")
    return proceed(scaleTo(replicaSet, replicas, revisions));
  const grown = grownSize(replicaSet, revisions);
  if (grown.kind === "unknown") return wait(grown.limitedBy);
  // A ReplicaSet without Pods has no size to continue from: the annotation would outlive the scale.
  if (awaitsReports(revisions) || grown.pods === 0) return proceed([], grown.limitedBy);
  const partial = grown.pods !== replicas;
  return proceed(scaleAndMark(replicaSet, { size: grown.pods, partial }, revisions), grown.limitedBy);
}

function scaleTogether(revisions: Revisions, shares: readonly Share[] | undefined): StageResult {
  if (shares === undefined) return wait(terminatingUnknown(revisions.replicaSets));
  const isGrowth = totalOf(activeReplicaSets(revisions), sizeOf) < revisions.budget.allowed;
  if (isGrowth && awaitsReports(revisions)) return proceed();
  return proceed(
    shares.flatMap(({ replicaSet, size, partial }) => scaleAndMark(replicaSet, { size, partial }, revisions)),
  );
}

/** Whether the new ReplicaSet was scaled to all replicas, and all of them are available. */
function isSaturated({ newReplicaSet, budget: { replicas } }: Revisions): boolean {
  if (newReplicaSet === undefined) return false;
  const desired = parseInt64(annotationsOf(newReplicaSet)[desiredReplicasAnnotation]);
  const sizes = [
    sizeOf(newReplicaSet),
    availableOf(newReplicaSet),
    desired === undefined ? -1 : Number(desired),
  ];
  return sizes.every((count) => count === replicas);
}
