import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { isStatusReliable, sizeOf, totalOf } from "./counts.ts";
import type { Revisions } from "./fleet.ts";
import { totalPresent, totalTerminating } from "./terminating.ts";

/** What a ReplicaSet shares its budget with while it grows. */
export interface PodUsage {
  /** Pods that are there or about to be, terminating ones apart. */
  readonly pods: number;
  /** Terminating Pods that hold a place; 0 under policies that do not let them. */
  readonly terminating: number;
  /** How many Pods of both sorts there may be. */
  readonly cap: number;
}

/** Counts what shares the budget; `undefined` when terminating Pods count and a ReplicaSet does not say how many. */
export function podUsageOf(
  fleet: Revisions,
  among: readonly ReplicaSet[] = fleet.replicaSets,
): PodUsage | undefined {
  const { policy, strategy, replicas, maxReplicas } = fleet.budget;
  const cap = strategy === "RollingUpdate" ? maxReplicas : replicas;
  if (policy !== "TerminationComplete") return { pods: totalOf(among, sizeOf), terminating: 0, cap };
  const terminating = totalTerminating(among);
  return terminating === undefined ? undefined : { pods: totalPresent(among), terminating, cap };
}

/** Whether terminating Pods count and some ReplicaSet has yet to report on its size: until then nothing is added. */
export function awaitsReports(
  { budget, replicaSets }: Revisions,
  among: readonly ReplicaSet[] = replicaSets,
): boolean {
  return budget.policy === "TerminationComplete" && !among.every(isStatusReliable);
}

/** How many Pods may still be added; negative when there are too many already. */
export function headroom({ pods, terminating, cap }: PodUsage): number {
  return cap - pods - terminating;
}

/**
 * The size a ReplicaSet may have now on its way to all replicas; `undefined` when that depends on terminating Pods
 * nobody has counted. Too large a ReplicaSet shrinks whatever else there is.
 */
export function grownSize(
  replicaSet: ReplicaSet | undefined,
  fleet: Revisions,
  among: readonly ReplicaSet[] = fleet.replicaSets,
): number | undefined {
  const { replicas } = fleet.budget;
  const size = replicaSet === undefined ? 0 : sizeOf(replicaSet);
  if (size >= replicas) return replicas;
  const crowd = podUsageOf(fleet, among);
  if (crowd === undefined) return undefined;
  if (awaitsReports(fleet, among)) return size;
  return Math.min(size + Math.max(headroom(crowd), 0), replicas);
}
