import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import {
  beforeScaleAnnotation,
  countAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
} from "./annotations.ts";
import { countOf, sizeOf, totalOf } from "./counts.ts";
import { distribute, distributeDeferring } from "./distribute.ts";
import { activeReplicaSets, type Revisions } from "./fleet.ts";
import { podUsageOf, headroom } from "./grown-size.ts";
import { bySizeThenAge, bySizeThenYouth } from "./replica-set-order.ts";

/**
 * Whether ReplicaSets that still wait for an earlier scale let the others go first when the Deployment is scaled again.
 * One row of the proposal's last table (66/38/21) comes out only this way; without it the row is 64/38/23.
 */
export const deferInFlightOnRescale = true;

/** A ReplicaSet's size by the proportional scale. */
export interface Share {
  readonly replicaSet: ReplicaSet;
  readonly size: number;
  /** Whether terminating Pods keep it from the size it would have without them. */
  readonly partial: boolean;
}

/** Where the proportional scale leaves a choice. */
export interface Rules {
  readonly deferInFlight: boolean;
  /**
   * Whether nobody may shrink in a scale-up or grow in a scale-down; so under `TerminationComplete`. A ReplicaSet that
   * holds leftovers is above its proportion: shrinking it while others grow would only make more Pods terminate, and
   * the cap would be exceeded by our own doing. Without that policy Kubernetes lets it happen.
   */
  readonly monotone: boolean;
}

/**
 * Spreads a Deployment's replicas and surge over its active ReplicaSets in proportion to what they had, in the order in
 * which they are to be written; `undefined` when that depends on terminating Pods nobody has counted.
 *
 * Under `TerminationComplete` there are two plans: the full one, as if nothing were terminating, and the one that fits
 * now. Where they differ a ReplicaSet is only partly scaled, and continues from what it had before the scale began.
 */
export function proportionalShares(
  fleet: Revisions,
  rules: Partial<Rules> = {},
): readonly Share[] | undefined {
  const { deferInFlight = deferInFlightOnRescale } = rules;
  const { monotone = fleet.budget.policy === "TerminationComplete" } = rules;
  const active = activeReplicaSets(fleet);
  const full = fleet.budget.allowed - totalOf(active, sizeOf);
  const fitting = fittingNow(full, fleet);
  if (fitting === undefined) return undefined;
  const ordered = inOrder(active, fitting, fleet);
  const claims = ordered.map((replicaSet) => {
    const gain = proportionalGain(replicaSet, fleet);
    const inFlight = countAnnotation(replicaSet, beforeScaleAnnotation) !== undefined;
    return { size: sizeOf(replicaSet), gain: monotone ? towards(full, gain) : gain, inFlight };
  });
  const wanted = distribute(claims, full);
  const isDeferred = deferInFlight && isRescale(ordered, fleet);
  const fittingSizes = () =>
    isDeferred && fitting > 0 ? distributeDeferring(claims, wanted, fitting) : distribute(claims, fitting);
  const granted = fitting === full ? wanted : fittingSizes();
  return ordered.map((replicaSet, index) => ({
    replicaSet,
    size: granted[index] ?? sizeOf(replicaSet),
    partial: granted[index] !== wanted[index],
  }));
}

/** How many Pods can be added now: all of them, but under `TerminationComplete` only into places that are free. */
function fittingNow(full: number, fleet: Revisions): number | undefined {
  if (fleet.budget.policy !== "TerminationComplete" || full <= 0) return full;
  const crowd = podUsageOf(fleet);
  return crowd === undefined ? undefined : Math.max(headroom(crowd), 0);
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

/** The change that keeps a ReplicaSet's part of all Pods what it was when it was last sized. */
export function proportionalGain(replicaSet: ReplicaSet, { budget, deployment }: Revisions): number {
  const size = sizeOf(replicaSet);
  if (budget.replicas === 0) return -size;
  const divisor = countAnnotation(replicaSet, maxReplicasAnnotation) || countOf(deployment.status?.replicas);
  if (divisor === 0) return 0;
  const remembered =
    budget.policy === "TerminationComplete" && countAnnotation(replicaSet, beforeScaleAnnotation);
  return Math.round(((remembered || size) * budget.maxReplicas) / divisor) - size;
}

/** Whether the Deployment was scaled again while an earlier scale is still held back. */
function isRescale(active: readonly ReplicaSet[], { budget: { replicas } }: Revisions): boolean {
  const fresh = active.filter((each) => countAnnotation(each, beforeScaleAnnotation) === undefined);
  const isOutdated = (each: ReplicaSet) =>
    (countAnnotation(each, desiredReplicasAnnotation) ?? replicas) !== replicas;
  return fresh.length < active.length && fresh.some(isOutdated);
}
