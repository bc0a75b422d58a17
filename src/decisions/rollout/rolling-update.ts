import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { RolloutAction } from "./action.ts";
import { availableOf, hasReplicas, isStatusReliable, sizeOf, totalOf } from "./counts.ts";
import { heldOf, protectedIn } from "./protection.ts";
import type { Revisions } from "./revisions.ts";
import { outdatedIn } from "./grown-size.ts";
import { type Limit, unreported } from "./limit.ts";
import { scaleTo } from "./scale-replica-set.ts";

/** How many Pods the old ReplicaSets may lose. */
export interface Shrinkage {
  /** By their sizes: the rest must suffice even if no further new Pod becomes available. */
  readonly bySize: number;
  /** By the Pods that are available. */
  readonly byAvailability: number;
}

/** What sizes and statuses leave of the unavailable budget; negative when too few Pods are available already. */
function shrinkageOf({ budget, newReplicaSet, oldReplicaSets }: Revisions): Shrinkage {
  const newlyAvailable = newReplicaSet === undefined ? 0 : remaining(newReplicaSet);
  return {
    bySize: totalOf(oldReplicaSets, sizeOf) + newlyAvailable - budget.minAvailable,
    byAvailability: totalOf(oldReplicaSets, remaining) + newlyAvailable - budget.minAvailable,
  };
}

/** What the old ReplicaSets lose in one pass. */
export interface Shrunk {
  readonly actions: readonly RolloutAction[];
  /** The ReplicaSet whose status is older than its size, if that ended the stage early. */
  readonly stale?: ReplicaSet;
  /** What keeps them from losing anything. */
  readonly limitedBy?: Limit;
}

/** Shrinks the old ReplicaSets within the unavailable budget: first Pods that are not available, then available ones. */
export function shrinkOldReplicaSets(revisions: Revisions): Shrunk {
  if (!revisions.oldReplicaSets.some(hasReplicas)) return { actions: [] };
  const shrunk = shrinkWithin(shrinkageOf(revisions).bySize, revisions);
  return shrunk.actions.length > 0 ? shrunk : { ...shrunk, limitedBy: availabilityLimit(revisions) };
}

function shrinkWithin(most: number, revisions: Revisions): Shrunk {
  if (most <= 0) return { actions: [] };
  const cleaned = cleanUp(revisions, most);
  if (cleaned.stale !== undefined) return cleaned;
  return { actions: [...cleaned.actions, ...scaleDown(resized(revisions, cleaned.actions))] };
}

/** Why no Pod can be removed: too few are available, or they cannot be counted on before ReplicaSets report again. */
function availabilityLimit(revisions: Revisions): Limit {
  const { replicas, maxUnavailable, minAvailable } = revisions.budget;
  const available = totalOf(revisions.replicaSets, (each) => Math.min(availableOf(each), sizeOf(each)));
  return available > minAvailable
    ? unreported(outdatedIn(revisions))
    : { kind: "unavailable", available, replicas, maxUnavailable };
}

/** Removes Pods that are not available, the oldest ReplicaSet first: otherwise a broken old revision could block the rollout. */
function cleanUp(revisions: Revisions, most: number): Shrunk {
  const actions: RolloutAction[] = [];
  let left = most;
  for (const replicaSet of revisions.oldReplicaSets.filter(hasReplicas)) {
    if (left <= 0) break;
    if (heldOf(replicaSet) > 0) continue; // it removes Pods that are not available by itself
    const unavailable = sizeOf(replicaSet) - availableOf(replicaSet);
    // upstream: an "invalid request" whose error is dropped; what was done before it stands
    if (unavailable < 0) return { actions, stale: replicaSet };
    const removed = Math.min(left, unavailable);
    actions.push(...scaleTo(replicaSet, sizeOf(replicaSet) - removed, revisions));
    left -= removed;
  }
  return { actions };
}

/**
 * Removes available Pods, the oldest ReplicaSet first, as long as enough remain. Protected Pods come after all others: a
 * ReplicaSet that may not remove them yet uses up the budget until it may.
 */
function scaleDown(revisions: Revisions): readonly RolloutAction[] {
  const { oldReplicaSets } = revisions;
  const removed = oldReplicaSets.map(() => 0);
  let left = shrinkageOf(revisions).byAvailability;
  const remove = (index: number, most: number): void => {
    const taken = Math.max(Math.min(left, most - (removed[index] ?? 0)), 0);
    removed[index] = (removed[index] ?? 0) + taken;
    left -= taken;
  };
  for (const [index, old] of oldReplicaSets.entries()) remove(index, unprotectedOf(old, revisions));
  for (const [index, old] of oldReplicaSets.entries()) remove(index, sizeOf(old));
  return oldReplicaSets.flatMap((old, index) => scaleTo(old, sizeOf(old) - (removed[index] ?? 0), revisions));
}

/** How many Pods a ReplicaSet can lose before protected ones would have to go. */
function unprotectedOf(replicaSet: ReplicaSet, revisions: Revisions): number {
  const kept = Math.max(protectedIn(replicaSet, revisions), heldOf(replicaSet));
  return Math.max(sizeOf(replicaSet) - kept, 0);
}

/** The revisions with the old ReplicaSets as they are to be written: only their sizes are new. */
function resized(revisions: Revisions, actions: readonly RolloutAction[]): Revisions {
  const updates = new Map(
    actions.flatMap((action) =>
      action.kind === "update-replica-set" ? [[action.replicaSet.metadata.name, action.replicaSet]] : [],
    ),
  );
  return {
    ...revisions,
    oldReplicaSets: revisions.oldReplicaSets.map((old) => updates.get(old.metadata.name) ?? old),
  };
}

/** The available Pods that can be relied on: an outdated status may count some that are gone, or soon will be. */
function remaining(replicaSet: ReplicaSet): number {
  return isStatusReliable(replicaSet) ? Math.min(availableOf(replicaSet), sizeOf(replicaSet)) : 0;
}
