import { steeringSummary } from "../../decisions/explain/steering-summary.ts";
import { activePodsOf } from "../../decisions/gather/owned-objects.ts";
import { decideRemoval, type RemovalContext } from "./decide-removal.ts";
import { type FoundWorkload, listWorkloadPods } from "./find-workload.ts";
import type { SizeChange } from "./size-change.ts";

/**
 * Says which Pods a scale-down would remove, for a dry run: nothing is written, and a picker is not asked. `undefined`
 * where there is nothing to choose, or where it is asked for too often.
 */
export async function foretellRemoval(
  change: SizeChange,
  workload: FoundWorkload,
  { deps, budget }: RemovalContext,
): Promise<string | undefined> {
  const listed = await listWorkloadPods(workload, deps.client, budget.signal);
  const pods = activePodsOf(workload.replicaSet, { claimablePods: () => listed });
  if (pods.length <= change.asked) return undefined;
  const gathered = { deps, budget, consultant: undefined, pods, listed };
  const decided = await decideRemoval(change, workload, gathered);
  if (decided === undefined) return undefined;
  const but = workload.wishes.picker === undefined ? "" : " (its pod picker is not asked in a dry run)";
  return `trimtab steer${but}: ${steeringSummary(decided.removal.choice)}`;
}
