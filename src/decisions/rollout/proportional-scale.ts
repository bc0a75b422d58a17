import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import {
  beforeScaleAnnotation,
  countAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
} from "./annotations.ts";
import { countOf, sizeOf, totalOf } from "./counts.ts";
import { activeIn, type Fleet } from "./fleet.ts";
import { crowdOf, roomIn } from "./growth.ts";
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

/**
 * Spreads a Deployment's replicas and surge over its active ReplicaSets in proportion to what they had, in the order in
 * which they are to be written; `undefined` when that depends on terminating Pods nobody has counted.
 *
 * Under `TerminationComplete` there are two plans: the full one, as if nothing were terminating, and the one that fits
 * now. Where they differ a ReplicaSet is only partly scaled, and continues from what it had before the scale began.
 */
export function proportionalShares(
  fleet: Fleet,
  deferInFlight: boolean = deferInFlightOnRescale,
): readonly Share[] | undefined {
  const active = activeIn(fleet);
  const full = fleet.budget.allowed - totalOf(active, sizeOf);
  const fitting = fittingNow(full, fleet);
  if (fitting === undefined) return undefined;
  const claims = inOrder(active, fitting, fleet).map((replicaSet) => claimOf(replicaSet, full, fleet));
  const wanted = distribute(claims, full);
  const granted = grant(claims, { wanted, full, fitting, replicas: fleet.budget.replicas, deferInFlight });
  return claims.map(({ replicaSet, size }, index) => ({
    replicaSet,
    size: granted[index] ?? size,
    partial: granted[index] !== wanted[index],
  }));
}

/** How many Pods can be added now: all of them, but under `TerminationComplete` only into places that are free. */
function fittingNow(full: number, fleet: Fleet): number | undefined {
  if (fleet.budget.policy !== "TerminationComplete" || full <= 0) return full;
  const crowd = crowdOf(fleet);
  return crowd === undefined ? undefined : Math.max(roomIn(crowd), 0);
}

/** The largest first; between equals the younger gains first and the older loses first. */
function inOrder(
  active: readonly ReplicaSet[],
  budget: number,
  { budget: { policy } }: Fleet,
): readonly ReplicaSet[] {
  if (budget < 0) return active.toSorted(bySizeThenAge);
  // upstream sorts only when there is something to share out; the policy needs the order for its full plan, too
  return budget === 0 && policy !== "TerminationComplete" ? active : active.toSorted(bySizeThenYouth);
}

/** What a ReplicaSet would gain or lose by its proportion alone. */
interface Claim {
  readonly replicaSet: ReplicaSet;
  readonly size: number;
  readonly gain: number;
}

function claimOf(replicaSet: ReplicaSet, full: number, fleet: Fleet): Claim {
  const gain = proportionalGain(replicaSet, fleet);
  const claim = { replicaSet, size: sizeOf(replicaSet) };
  if (fleet.budget.policy !== "TerminationComplete") return { ...claim, gain };
  // A ReplicaSet that holds leftovers is above its proportion. Shrinking it while others grow would only make more
  // Pods terminate, and the cap would be exceeded by our own doing.
  return { ...claim, gain: full > 0 ? Math.max(gain, 0) : Math.min(gain, 0) };
}

/** The change that keeps a ReplicaSet's part of all Pods what it was when it was last sized. */
export function proportionalGain(replicaSet: ReplicaSet, { budget, deployment }: Fleet): number {
  const size = sizeOf(replicaSet);
  if (budget.replicas === 0) return -size;
  const divisor = countAnnotation(replicaSet, maxReplicasAnnotation) || countOf(deployment.status?.replicas);
  if (divisor === 0) return 0;
  const remembered =
    budget.policy === "TerminationComplete" && countAnnotation(replicaSet, beforeScaleAnnotation);
  return Math.round(((remembered || size) * budget.maxReplicas) / divisor) - size;
}

/** Hands out a number of Pods by claim, in order and until none are left; what nobody claims goes to the first. */
function distribute(claims: readonly Claim[], budget: number): number[] {
  let left = budget;
  const sizes = claims.map(({ size, gain }) => {
    const share = left === 0 ? 0 : budget > 0 ? Math.min(gain, left) : Math.max(gain, left);
    left -= share;
    return size + share;
  });
  if (left !== 0) sizes[0] = Math.max((sizes[0] ?? 0) + left, 0);
  return sizes;
}

interface Grant {
  readonly wanted: readonly number[];
  readonly full: number;
  readonly fitting: number;
  readonly replicas: number;
  readonly deferInFlight: boolean;
}

function grant(claims: readonly Claim[], terms: Grant): readonly number[] {
  const { wanted, full, fitting } = terms;
  if (fitting === full) return wanted;
  return fitting > 0 && terms.deferInFlight && isRescale(claims, terms.replicas)
    ? distributeDeferring(claims, wanted, fitting)
    : distribute(claims, fitting);
}

/** Whether the Deployment was scaled again while an earlier scale is still held back. */
function isRescale(claims: readonly Claim[], replicas: number): boolean {
  const fresh = claims.filter((claim) => !isInFlight(claim));
  return (
    fresh.length < claims.length &&
    fresh.some(({ replicaSet }) => {
      const desired = countAnnotation(replicaSet, desiredReplicasAnnotation);
      return desired !== undefined && desired !== replicas;
    })
  );
}

/** Those that are not in flight take their share; the rest is handed out in order, nobody getting more than wanted. */
function distributeDeferring(
  claims: readonly Claim[],
  wanted: readonly number[],
  budget: number,
): readonly number[] {
  let left = budget;
  const take = (most: number) => {
    const share = Math.max(Math.min(most, left), 0);
    left -= share;
    return share;
  };
  const sizes = claims.map((claim, index) => {
    const { size, gain } = claim;
    return size + (isInFlight(claim) ? 0 : take(Math.min(gain, (wanted[index] ?? size) - size)));
  });
  return sizes.map((size, index) => size + take((wanted[index] ?? size) - size));
}

function isInFlight({ replicaSet }: Claim): boolean {
  return countAnnotation(replicaSet, beforeScaleAnnotation) !== undefined;
}
