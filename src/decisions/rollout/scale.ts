import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { RolloutAction } from "./action.ts";
import {
  annotationsOf,
  beforeScaleAnnotation,
  countAnnotation,
  desiredReplicasAnnotation,
  parseInt64,
} from "./annotations.ts";
import { availableOf, isActive, sizeOf, totalOf } from "./counts.ts";
import { activeReplicaSets, type Revisions } from "./fleet.ts";
import { awaitsReports, grownSize } from "./grown-size.ts";
import type { Share } from "./proportional-scale.ts";
import { byYouth } from "./replica-set-order.ts";
import { scaleAndMark, scaleTo } from "./scale-replica-set.ts";
import { sharesWithinSurge } from "./shares-within-surge.ts";
import { proceed, type StageResult, wait } from "./pass.ts";
import { terminatingUnknown } from "./limit.ts";

/**
 * Whether the Deployment was scaled, or a scale is still held back: some active ReplicaSet was sized for other replicas.
 * `Recreate` never shares out, so with several active ReplicaSets it is left to the rollout to end up with one: upstream
 * goes on seeing a scale it can do nothing about.
 */
export function isScalingEvent(fleet: Revisions): boolean {
  const { replicas, tracksPartialScale, strategy } = fleet.budget;
  const active = activeReplicaSets(fleet);
  if (strategy === "Recreate" && active.length > 1) return false;
  return active.some((replicaSet) => {
    const desired = countAnnotation(replicaSet, desiredReplicasAnnotation);
    const isHeldBack = tracksPartialScale && countAnnotation(replicaSet, beforeScaleAnnotation) !== undefined;
    return isHeldBack || (desired !== undefined && desired !== replicas);
  });
}

/** How several ReplicaSets share a scale; `undefined` when terminating Pods have not been counted. */
export type Sharing = (fleet: Revisions) => readonly Share[] | undefined;

/** Brings the ReplicaSets to the sizes that the Deployment's replicas ask for, without rolling anything out. */
export function scaleReplicaSets(fleet: Revisions, share: Sharing = sharesWithinSurge): StageResult {
  const active = activeReplicaSets(fleet);
  if (active.length <= 1) return scaleSingle(active[0] ?? successorOf(fleet), fleet);
  if (isSaturated(fleet)) return proceed(drainOld(fleet));
  return fleet.budget.strategy === "RollingUpdate" ? scaleTogether(fleet, share(fleet)) : proceed();
}

/** Scales every old ReplicaSet to nothing, the youngest first. */
export function drainOld(fleet: Revisions): readonly RolloutAction[] {
  return fleet.oldReplicaSets.toSorted(byYouth).flatMap((replicaSet) => scaleTo(replicaSet, 0, fleet));
}

/** Who gets the Pods when nobody has any: the new ReplicaSet, or else the youngest. */
function successorOf({ newReplicaSet, oldReplicaSets }: Revisions): ReplicaSet | undefined {
  return newReplicaSet ?? oldReplicaSets.toSorted(byYouth)[0];
}

function scaleSingle(replicaSet: ReplicaSet | undefined, fleet: Revisions): StageResult {
  if (replicaSet === undefined) return proceed();
  const { replicas, policy } = fleet.budget;
  const size = sizeOf(replicaSet);
  if (size === replicas) {
    // Outdated annotations would make every pass a scale and keep rollouts from ever starting.
    return proceed(isActive(replicaSet) ? scaleAndMark(replicaSet, { size }, fleet) : []);
  }
  if (size > replicas || policy !== "TerminationComplete")
    return proceed(scaleTo(replicaSet, replicas, fleet));
  const grown = grownSize(replicaSet, fleet);
  if (grown.kind === "unknown") return wait(grown.limitedBy);
  // Who has no Pods and gets none has nothing to continue from: a note would outlive the scale.
  if (awaitsReports(fleet) || grown.pods === 0) return proceed([], grown.limitedBy);
  const partial = grown.pods !== replicas;
  return proceed(scaleAndMark(replicaSet, { size: grown.pods, partial }, fleet), grown.limitedBy);
}

function scaleTogether(fleet: Revisions, shares: readonly Share[] | undefined): StageResult {
  if (shares === undefined) return wait(terminatingUnknown(fleet.replicaSets));
  const isGrowth = totalOf(activeReplicaSets(fleet), sizeOf) < fleet.budget.allowed;
  if (isGrowth && awaitsReports(fleet)) return proceed();
  return proceed(
    shares.flatMap(({ replicaSet, size, partial }) => scaleAndMark(replicaSet, { size, partial }, fleet)),
  );
}

/** Whether the new ReplicaSet has all replicas, knows it, and all of them are available. */
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
