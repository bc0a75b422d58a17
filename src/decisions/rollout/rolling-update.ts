import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { RolloutAction } from "./action.ts";
import { availableOf, isActive, isStatusReliable, sizeOf, totalOf } from "./counts.ts";
import type { Revisions } from "./fleet.ts";
import { grownSize } from "./grown-size.ts";
import { scaleTo } from "./scale-replica-set.ts";
import { proceed, type StageResult, waitForTerminatingCount } from "./stage-result.ts";

/** Sizes the new ReplicaSet: as large as surge and policy let it be, and never larger than all replicas. */
export function sizeNewReplicaSet(fleet: Revisions): StageResult {
  const { newReplicaSet } = fleet;
  if (newReplicaSet === undefined) return proceed();
  const size = grownSize(newReplicaSet, fleet);
  return size === undefined ? waitForTerminatingCount(fleet) : proceed(scaleTo(newReplicaSet, size, fleet));
}

/** How many Pods the old ReplicaSets may lose. */
export interface Shrinkage {
  /** By their sizes: what is left must suffice even if no new Pod that is not available yet ever becomes so. */
  readonly bySize: number;
  /** By the Pods that are available. */
  readonly byAvailability: number;
}

/** What sizes and reports leave of the unavailable budget; negative when there is too little already. */
export function shrinkageOf({ budget, newReplicaSet, oldReplicaSets }: Revisions): Shrinkage {
  const newlyAvailable = newReplicaSet === undefined ? 0 : remaining(newReplicaSet);
  return {
    bySize: totalOf(oldReplicaSets, sizeOf) + newlyAvailable - budget.minAvailable,
    byAvailability: totalOf(oldReplicaSets, remaining) + newlyAvailable - budget.minAvailable,
  };
}

export interface Shrunk {
  readonly actions: readonly RolloutAction[];
  /** The ReplicaSet whose report is older than its size, if that ended the step early. */
  readonly stale?: ReplicaSet;
}

/** Shrinks the old ReplicaSets within the unavailable budget: first the Pods that serve nobody, then available ones. */
export function shrinkOldReplicaSets(fleet: Revisions): Shrunk {
  const { bySize } = shrinkageOf(fleet);
  if (bySize <= 0 || !fleet.oldReplicaSets.some(isActive)) return { actions: [] };
  const cleaned = cleanUp(fleet, bySize);
  if (cleaned.stale !== undefined) return cleaned;
  return { actions: [...cleaned.actions, ...scaleDown(resized(fleet, cleaned.actions))] };
}

/** Takes Pods that are not available, the oldest ReplicaSet first: otherwise a broken old revision could block the rollout. */
function cleanUp(fleet: Revisions, most: number): Shrunk {
  const actions: RolloutAction[] = [];
  let left = most;
  for (const replicaSet of fleet.oldReplicaSets.filter(isActive)) {
    if (left <= 0) break;
    const unavailable = sizeOf(replicaSet) - availableOf(replicaSet);
    // upstream: an "invalid request" whose error is dropped; what was done before it stands
    if (unavailable < 0) return { actions, stale: replicaSet };
    const step = Math.min(left, unavailable);
    actions.push(...scaleTo(replicaSet, sizeOf(replicaSet) - step, fleet));
    left -= step;
  }
  return { actions };
}

/** Takes available Pods, the oldest ReplicaSet first, as long as enough remain. */
function scaleDown(fleet: Revisions): readonly RolloutAction[] {
  const actions: RolloutAction[] = [];
  let left = shrinkageOf(fleet).byAvailability;
  for (const replicaSet of fleet.oldReplicaSets) {
    if (left <= 0) break;
    const step = Math.min(left, sizeOf(replicaSet));
    actions.push(...scaleTo(replicaSet, sizeOf(replicaSet) - step, fleet));
    left -= step;
  }
  return actions;
}

/** The fleet with the old ReplicaSets as they are to be written: their reports hold, only their sizes are new. */
function resized(fleet: Revisions, actions: readonly RolloutAction[]): Revisions {
  const updates = new Map(
    actions.flatMap((action) =>
      action.kind === "update-replica-set" ? [[action.replicaSet.metadata.name, action.replicaSet]] : [],
    ),
  );
  return {
    ...fleet,
    oldReplicaSets: fleet.oldReplicaSets.map((old) => updates.get(old.metadata.name) ?? old),
  };
}

/** The available Pods that can be counted on: an outdated report may count some that are gone, or soon will be. */
function remaining(replicaSet: ReplicaSet): number {
  return isStatusReliable(replicaSet) ? Math.min(availableOf(replicaSet), sizeOf(replicaSet)) : 0;
}
