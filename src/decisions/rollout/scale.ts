import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Action } from "./action.ts";
import {
  annotationsOf,
  beforeScaleAnnotation,
  countAnnotation,
  desiredReplicasAnnotation,
  parseInt64,
} from "./annotations.ts";
import { availableOf, isActive, sizeOf, totalOf } from "./counts.ts";
import { activeIn, type Fleet } from "./fleet.ts";
import { awaitsReports, grownSize } from "./growth.ts";
import type { Share } from "./proportional-scale.ts";
import { byYouth } from "./replica-set-order.ts";
import { scaleAndMark, scaleTo } from "./scale-replica-set.ts";
import { sharesWithinSurge } from "./shares-within-surge.ts";
import { go, type Step, waitForReports } from "./step.ts";

/**
 * Whether the Deployment was scaled, or a scale is still held back: some active ReplicaSet was sized for other replicas.
 * `Recreate` never shares out, so with several active ReplicaSets it is left to the rollout to end up with one: upstream
 * goes on seeing a scale it can do nothing about.
 */
export function isScalingEvent(fleet: Fleet): boolean {
  const { replicas, remembersScale, strategy } = fleet.budget;
  const active = activeIn(fleet);
  if (strategy === "Recreate" && active.length > 1) return false;
  return active.some((replicaSet) => {
    const desired = countAnnotation(replicaSet, desiredReplicasAnnotation);
    const isHeldBack = remembersScale && countAnnotation(replicaSet, beforeScaleAnnotation) !== undefined;
    return isHeldBack || (desired !== undefined && desired !== replicas);
  });
}

/** How several ReplicaSets share a scale; `undefined` when terminating Pods have not been counted. */
export type Sharing = (fleet: Fleet) => readonly Share[] | undefined;

/** Brings the ReplicaSets to the sizes that the Deployment's replicas ask for, without rolling anything out. */
export function scaleReplicaSets(fleet: Fleet, share: Sharing = sharesWithinSurge): Step {
  const active = activeIn(fleet);
  if (active.length <= 1) return scaleSingle(active[0] ?? successorOf(fleet), fleet);
  if (isSaturated(fleet)) return go(drainOld(fleet));
  return fleet.budget.strategy === "RollingUpdate" ? scaleTogether(fleet, share(fleet)) : go();
}

/** Scales every old ReplicaSet to nothing, the youngest first. */
export function drainOld(fleet: Fleet): readonly Action[] {
  return fleet.oldReplicaSets.toSorted(byYouth).flatMap((replicaSet) => scaleTo(replicaSet, 0, fleet));
}

/** Who gets the Pods when nobody has any: the new ReplicaSet, or else the youngest. */
function successorOf({ newReplicaSet, oldReplicaSets }: Fleet): ReplicaSet | undefined {
  return newReplicaSet ?? oldReplicaSets.toSorted(byYouth)[0];
}

function scaleSingle(replicaSet: ReplicaSet | undefined, fleet: Fleet): Step {
  if (replicaSet === undefined) return go();
  const { replicas, policy } = fleet.budget;
  const size = sizeOf(replicaSet);
  if (size === replicas) {
    // Outdated annotations would make every pass a scale and keep rollouts from ever starting.
    return go(isActive(replicaSet) ? scaleAndMark(replicaSet, { size }, fleet) : []);
  }
  if (size > replicas || policy !== "TerminationComplete") return go(scaleTo(replicaSet, replicas, fleet));
  const grown = grownSize(replicaSet, fleet);
  if (grown === undefined) return waitForReports(fleet);
  // Who has no Pods and gets none has nothing to continue from: a note would outlive the scale.
  if (awaitsReports(fleet) || grown === 0) return go();
  return go(scaleAndMark(replicaSet, { size: grown, partial: grown !== replicas }, fleet));
}

function scaleTogether(fleet: Fleet, shares: readonly Share[] | undefined): Step {
  if (shares === undefined) return waitForReports(fleet);
  const isGrowth = totalOf(activeIn(fleet), sizeOf) < fleet.budget.allowed;
  if (isGrowth && awaitsReports(fleet)) return go();
  return go(
    shares.flatMap(({ replicaSet, size, partial }) => scaleAndMark(replicaSet, { size, partial }, fleet)),
  );
}

/** Whether the new ReplicaSet has all replicas, knows it, and all of them are available. */
function isSaturated({ newReplicaSet, budget: { replicas } }: Fleet): boolean {
  if (newReplicaSet === undefined) return false;
  const desired = parseInt64(annotationsOf(newReplicaSet)[desiredReplicasAnnotation]);
  const sizes = [
    sizeOf(newReplicaSet),
    availableOf(newReplicaSet),
    desired === undefined ? -1 : Number(desired),
  ];
  return sizes.every((count) => count === replicas);
}
