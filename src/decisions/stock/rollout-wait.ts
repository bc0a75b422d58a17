import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { controllerOf } from "../../api/owner-references.ts";
import { isTerminating } from "../../api/pod-state.ts";
import type { Instant } from "../../api/time.ts";
import { hasReplicas, sizeOf, totalOf } from "../rollout/counts.ts";
import { planRollout } from "../rollout/plan-rollout.ts";
import { describeProtectionWait } from "../rollout/protection.ts";
import { byYouth, type Revisions, revisionsOf } from "../rollout/revisions.ts";
import type { RolloutState } from "../rollout/state.ts";
import { progressingOf } from "../rollout/status/conditions.ts";
import { type PodBudget, podBudget } from "./admitted-size.ts";
import { deferredText } from "./deferred-shrink.ts";
import { type HeldState, readHeld } from "./held-shrink.ts";

/** A Deployment whose growth is capped, and what it has. */
export interface CappedInput {
  readonly deployment: Deployment;
  readonly replicaSets: readonly ReplicaSet[];
  /** All that match its selector. */
  readonly pods: readonly Pod[];
  /** By the UID of its ReplicaSet, how many active Pods say themselves that they are protected; absent: that does not count. */
  readonly protectedPods?: RolloutState["protectedPods"];
  readonly now: Instant;
}

/** What the rollout of a Deployment waits for. */
export type RolloutWait =
  /** For nothing, or for nothing that could be done about. */
  | { readonly kind: "none" }
  /** It would ask for more, and there is room: it only has to be woken. */
  | { readonly kind: "room"; readonly replicaSet: ReplicaSet; readonly budget: PodBudget }
  /** It would ask for more, and terminating Pods take up the budget. */
  | {
      readonly kind: "termination";
      readonly replicaSet: ReplicaSet;
      readonly budget: PodBudget;
      readonly awaited: readonly Pod[];
    }
  /** The stock controller keeps asking an old ReplicaSet for protected Pods, and these others may shrink. */
  | { readonly kind: "protection"; readonly shrinkings: readonly Shrinking[] };

/** Finds out what keeps a Deployment under `TerminationComplete` from growing. */
export function rolloutWait(input: CappedInput): RolloutWait {
  const { deployment, replicaSets, pods, now } = input;
  const revisions = revisionsOf({ deployment, replicaSets, gates: defaultFeatureGates, now });
  const replicaSet = growingReplicaSet(revisions);
  if (replicaSet === undefined) return { kind: "none" };
  const budget = podBudget(input);
  if (budget.room > 0) return { kind: "room", replicaSet, budget };
  const awaited = pods.filter(isTerminating);
  return awaited.length === 0 ? { kind: "none" } : { kind: "termination", replicaSet, budget, awaited };
}

/** The ReplicaSet that the stock controller would enlarge if it looked now. */
function growingReplicaSet(revisions: Revisions): ReplicaSet | undefined {
  const { deployment, budget, newReplicaSet, replicaSets } = revisions;
  if (deployment.spec.paused === true) return growingWhilePaused(revisions);
  if (newReplicaSet === undefined || sizeOf(newReplicaSet) >= budget.replicas) return undefined;
  const isFree =
    budget.strategy === "Recreate"
      ? replicaSets.every((each) => each === newReplicaSet || !hasReplicas(each))
      : totalOf(replicaSets, sizeOf) < budget.maxReplicas;
  return isFree ? newReplicaSet : undefined;
}

/** Only a size that its one ReplicaSet does not have makes a paused Deployment act. */
function growingWhilePaused({ replicaSets, budget }: Revisions): ReplicaSet | undefined {
  const active = replicaSets.filter(hasReplicas);
  if (active.length > 1) return undefined;
  const only = active[0] ?? replicaSets.toSorted(byYouth)[0];
  return only !== undefined && sizeOf(only) < budget.replicas ? only : undefined;
}

/** A smaller size for an old ReplicaSet. */
export interface Shrinking {
  readonly replicaSet: ReplicaSet;
  readonly size: number;
}

/**
 * The old ReplicaSets that may shrink although the new one cannot grow, within `maxUnavailable`: Pods that are not
 * available first, then those of the oldest. While growth is capped the stock controller gets no further than trying to
 * grow, so one Pod that does not end would block a rollout for good.
 */
export function shrinkingsWhileCapped(input: CappedInput): readonly Shrinking[] {
  const spec = { ...input.deployment.spec, podReplacementPolicy: "TerminationComplete" };
  const deployment = { ...input.deployment, spec };
  return plannedShrinkings({ ...input, deployment });
}

/**
 * The old ReplicaSets that may shrink although protected Pods hold back an older one. The stock controller counts every
 * size that it has asked for as reached, so it asks the oldest ReplicaSet again and again, and no other.
 */
export function shrinkingsBesideProtected(input: CappedInput): readonly Shrinking[] {
  const { replicaSets } = input;
  // A size that is being decided may use up what this plan would.
  const isDeciding = replicaSets.some((each) => deferredText(each) !== undefined || heldBack(each)?.isDue);
  return isDeciding || !replicaSets.some(heldBack) ? [] : plannedShrinkings(input);
}

/**
 * What a rollout waits for although the stock controller calls it failed: its deadline cannot be extended while protected
 * Pods are all that is waited for. `undefined` where it does not, or waits for something else, too.
 */
export function waitBeyondDeadline({ deployment, replicaSets, now }: CappedInput): string | undefined {
  if (progressingOf(deployment.status)?.reason !== "ProgressDeadlineExceeded") return undefined;
  const revisions = revisionsOf({ deployment, replicaSets, gates: defaultFeatureGates, now });
  return describeProtectionWait(revisions, (each) => heldBack(each) !== undefined);
}

/** How a ReplicaSet is held back by protected Pods; `undefined`: it is not, or its size has changed since. */
function heldBack(replicaSet: ReplicaSet): HeldState | undefined {
  const held = readHeld(replicaSet.metadata.labels);
  return held?.at === sizeOf(replicaSet) ? held : undefined;
}

/**
 * The sizes that our own Deployment controller would give old ReplicaSets now. Those that are held back are left out: the stock
 * controller asks for them again by itself.
 */
function plannedShrinkings(input: CappedInput): readonly Shrinking[] {
  const { deployment, pods, now } = input;
  const replicaSets = withTerminatingPods(input.replicaSets, pods);
  const protectedPods = input.protectedPods && {
    ...input.protectedPods,
    // All that are left are protected, by a picker if not by themselves.
    ...Object.fromEntries(
      input.replicaSets.filter(heldBack).map((each) => [each.metadata.uid, sizeOf(each)]),
    ),
  };
  const plan = planRollout({
    deployment,
    replicaSets,
    pods,
    ...(protectedPods && { protectedPods }),
    gates: defaultFeatureGates,
    now,
  });
  if (plan.kind !== "rolling-update") return [];
  const byUid = new Map(input.replicaSets.map((replicaSet) => [replicaSet.metadata.uid, replicaSet]));
  const sizes = new Map<ReplicaSet, number>();
  for (const action of plan.actions) {
    if (action.kind !== "update-replica-set") continue;
    const replicaSet = byUid.get(action.replicaSet.metadata.uid);
    const size = sizeOf(action.replicaSet);
    if (replicaSet === undefined || heldBack(replicaSet) !== undefined) continue;
    if (size < sizeOf(replicaSet)) sizes.set(replicaSet, size);
  }
  return Array.from(sizes, ([replicaSet, size]) => ({ replicaSet, size }));
}

/**
 * The ReplicaSets with the terminating Pods that admission counts: not every API server stores what they report, and
 * Pods of deleted ReplicaSets, which no status reports, take up the budget too. These count for the first.
 */
function withTerminatingPods(
  replicaSets: readonly ReplicaSet[],
  pods: readonly Pod[],
): readonly ReplicaSet[] {
  const counts = new Map(replicaSets.map(({ metadata }) => [metadata.uid, 0]));
  const [first] = counts.keys();
  for (const pod of pods.filter(isTerminating)) {
    const owner = controllerOf(pod)?.uid ?? "";
    const counted = counts.has(owner) ? owner : (first ?? "");
    counts.set(counted, (counts.get(counted) ?? 0) + 1);
  }
  return replicaSets.map((replicaSet) => ({
    ...replicaSet,
    status: {
      replicas: 0,
      ...replicaSet.status,
      terminatingReplicas: counts.get(replicaSet.metadata.uid) ?? 0,
    },
  }));
}
