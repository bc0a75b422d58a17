import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import {
  beforeScaleAnnotation,
  countAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
} from "./annotations.ts";
import { countOf, sizeOf, totalOf } from "./counts.ts";
import { headroom, podUsageOf } from "./grown-size.ts";
import { activeReplicaSets, bySizeThenAge, bySizeThenYouth, type Revisions } from "./revisions.ts";

/**
 * Whether ReplicaSets with an unfinished earlier scale come last when the Deployment is scaled again.
 * One row of the proposal's last table (66/38/21) comes out only this way; without it the row is 64/38/23.
 */
const deferInFlightOnRescale = true;

/** A ReplicaSet's size by the proportional scale. */
export interface Share {
  readonly replicaSet: ReplicaSet;
  readonly size: number;
  /** Whether terminating Pods keep it from the size it would have without them. */
  readonly partial: boolean;
}

/** Variants of the proportional scale. */
export interface Rules {
  readonly deferInFlight: boolean;
  /**
   * Whether no ReplicaSet may shrink in a scale-up or grow in a scale-down; so under `TerminationComplete`. A ReplicaSet
   * with the remainder of an earlier scale is above its proportion: to shrink it while others grow would make more Pods
   * terminate and exceed the cap. Without that policy Kubernetes lets it happen.
   */
  readonly monotone: boolean;
}

/**
 * Spreads a Deployment's replicas and surge over its active ReplicaSets in proportion to what they had, in the order in
 * which they are to be written; `undefined` when that depends on an unknown number of terminating Pods.
 *
 * Under `TerminationComplete` there are two plans: the full one, as if nothing were terminating, and the one that fits
 * now. Where they differ a ReplicaSet is only partly scaled, and continues from what it had before the scale began.
 */
export function proportionalShares(
  revisions: Revisions,
  rules: Partial<Rules> = {},
): readonly Share[] | undefined {
  const { deferInFlight = deferInFlightOnRescale } = rules;
  const { monotone = revisions.budget.policy === "TerminationComplete" } = rules;
  const active = activeReplicaSets(revisions);
  const full = revisions.budget.allowed - totalOf(active, sizeOf);
  const fitting = fittingNow(full, revisions);
  if (fitting === undefined) return undefined;
  const ordered = inOrder(active, fitting, revisions);
  const candidates = ordered.map((replicaSet) => {
    const gain = proportionalGain(replicaSet, revisions);
    const inFlight = countAnnotation(replicaSet, beforeScaleAnnotation) !== undefined;
    return { size: sizeOf(replicaSet), gain: monotone ? towards(full, gain) : gain, inFlight };
  });
  const remainderTo = full > 0 ? firstUnfinished(ordered, revisions) : 0;
  const wanted = distribute(candidates, full, remainderTo);
  const isDeferred = deferInFlight && isRescale(ordered, revisions);
  const fittingSizes = () =>
    isDeferred && fitting > 0
      ? distributeDeferring(candidates, wanted, fitting)
      : distribute(candidates, fitting, remainderTo);
  const granted = fitting === full ? wanted : fittingSizes();
  return ordered.map((replicaSet, index) => ({
    replicaSet,
    size: granted[index] ?? sizeOf(replicaSet),
    partial: granted[index] !== wanted[index],
  }));
}

/** How many Pods can be added now: all, but under `TerminationComplete` only as many as there is headroom for. */
function fittingNow(full: number, revisions: Revisions): number | undefined {
  if (revisions.budget.policy !== "TerminationComplete" || full <= 0) return full;
  const usage = podUsageOf(revisions);
  return usage === undefined ? undefined : Math.max(headroom(usage), 0);
}

/** The largest first; between equals the younger gains first and the older loses first. */
function inOrder(
  active: readonly ReplicaSet[],
  budget: number,
  { budget: { policy } }: Revisions,
): readonly ReplicaSet[] {
  if (budget < 0) return active.toSorted(bySizeThenAge);
  // upstream sorts only when there is something to share out; the policy needs the order for its full plan, too
  return budget === 0 && policy !== "TerminationComplete" ? active : active.toSorted(bySizeThenYouth);
}

/** A gain in a scale-up, a loss in a scale-down, or nothing. */
function towards(full: number, gain: number): number {
  return full > 0 ? Math.max(gain, 0) : Math.min(gain, 0);
}

/** The change that keeps a ReplicaSet's proportion of all Pods what it was at its last scale. */
export function proportionalGain(replicaSet: ReplicaSet, { budget, deployment }: Revisions): number {
  const size = sizeOf(replicaSet);
  if (budget.replicas === 0) return -size;
  const divisor = countAnnotation(replicaSet, maxReplicasAnnotation) || countOf(deployment.status?.replicas);
  if (divisor === 0) return 0;
  const sizeBefore =
    budget.policy === "TerminationComplete" && countAnnotation(replicaSet, beforeScaleAnnotation);
  return Math.round(((sizeBefore || size) * budget.maxReplicas) / divisor) - size;
}

/**
 * Whether the Deployment was scaled again while an earlier scale is still held back: some ReplicaSets have finished a
 * scale that others wait for. In a paused Deployment one may wait for its part of the surge alone, sized for the same
 * replicas as the others; the scale that follows is then the first, and all of them share it.
 */
function isRescale(active: readonly ReplicaSet[], { budget: { replicas } }: Revisions): boolean {
  const isInFlight = (each: ReplicaSet) => countAnnotation(each, beforeScaleAnnotation) !== undefined;
  const sizedFor = (each: ReplicaSet) => countAnnotation(each, desiredReplicasAnnotation);
  const waiting = active.filter(isInFlight).map(sizedFor);
  const finished = active.filter((each) => !isInFlight(each)).map((each) => sizedFor(each) ?? replicas);
  return finished.some((desired) => desired !== replicas && waiting.some((other) => other !== desired));
}

/**
 * The first of the ReplicaSets that a scale has not finished with, or simply the first when none is held back. Without
 * this a rollout beside a scale that waits would never end: the scale would give back what the rollout has removed.
 */
function firstUnfinished(ordered: readonly ReplicaSet[], { budget }: Revisions): number {
  const marks = (each: ReplicaSet, name: string) => countAnnotation(each, name);
  const isInFlight = (each: ReplicaSet) => marks(each, beforeScaleAnnotation) !== undefined;
  const isUnfinished = (each: ReplicaSet) =>
    isInFlight(each) ||
    marks(each, desiredReplicasAnnotation) !== budget.replicas ||
    marks(each, maxReplicasAnnotation) !== budget.maxReplicas;
  const isGoingOn = budget.policy === "TerminationComplete" && ordered.some(isInFlight);
  return isGoingOn ? ordered.findIndex(isUnfinished) : 0;
}

/** The size of a ReplicaSet, and what it would gain or lose by its proportion alone. */
export interface ScaleCandidate {
  readonly size: number;
  readonly gain: number;
  /** Whether it still waits for an earlier scale. */
  readonly inFlight: boolean;
}

/** Distributes a number of Pods by proportion, in order and until none are left; the remainder goes to one of them. */
function distribute(
  candidates: readonly ScaleCandidate[],
  budget: number,
  remainderTo: number,
): readonly number[] {
  let left = budget;
  const sizes = candidates.map(({ size, gain }) => {
    const share = left === 0 ? 0 : budget > 0 ? Math.min(gain, left) : Math.max(gain, left);
    left -= share;
    return size + share;
  });
  return left === 0
    ? sizes
    : sizes.map((size, index) => (index === remainderTo ? Math.max(size + left, 0) : size));
}

/** The same among those that are not in flight; the remainder goes to all in order, up to the wanted sizes. */
function distributeDeferring(
  candidates: readonly ScaleCandidate[],
  wanted: readonly number[],
  budget: number,
): readonly number[] {
  let left = budget;
  const take = (most: number) => {
    const share = Math.max(Math.min(most, left), 0);
    left -= share;
    return share;
  };
  const missing = (size: number, index: number) => (wanted[index] ?? size) - size;
  return candidates
    .map(
      ({ size, gain, inFlight }, index) => size + (inFlight ? 0 : take(Math.min(gain, missing(size, index)))),
    )
    .map((size, index) => size + take(missing(size, index)));
}

/**
 * The proportional shares, but never more Pods in all than there were or than the surge allows. Kubernetes has no such
 * check: where annotations do not fit the sizes, after a change of maxSurge or of a size by hand, a proportion can ask
 * for more Pods in the middle of a scale-down. Then no ReplicaSet may grow.
 */
export function sharesWithinSurge(revisions: Revisions): readonly Share[] | undefined {
  const shares = proportionalShares(revisions);
  if (shares === undefined) return undefined;
  const before = shares.reduce((sum, { replicaSet }) => sum + sizeOf(replicaSet), 0);
  const after = shares.reduce((sum, { size }) => sum + size, 0);
  if (after <= Math.max(before, revisions.budget.allowed)) return shares;
  return proportionalShares(revisions, { monotone: true });
}
