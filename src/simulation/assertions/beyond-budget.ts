import { describeReplacedPods, findReplacedPods } from "../../decisions/explain/replaced-pods.ts";
import type { ClusterTracker, PodScope } from "../tracking/cluster-tracker.ts";

/**
 * Why there are more Pods than `TerminationComplete` allows: ReplicaSets have replaced some that somebody else deleted.
 * Names the first Deployment with Pods in the scope to which this has happened.
 */
export function beyondBudget(tracker: ClusterTracker, selects: PodScope): string | undefined {
  const all = [...tracker.pods()].map(({ pod, workloads }) => ({
    pod,
    workload: workloads.at(-1) ?? "",
    isInScope: selects(pod, workloads),
  }));
  for (const workload of new Set(all.filter(({ isInScope }) => isInScope).map((each) => each.workload))) {
    const { policy, desired: replicas = 0, budget = replicas } = tracker.progress(workload) ?? {};
    if (policy === undefined) continue;
    // Those outside of the scope use up the budget as well.
    const pods = all.filter((each) => each.workload === workload).map(({ pod }) => pod);
    const found = findReplacedPods({ policy, replicas, maxSurge: budget - replicas }, pods);
    if (found !== undefined) return `${workload}: ${describeReplacedPods(found)}`;
  }
  return undefined;
}
