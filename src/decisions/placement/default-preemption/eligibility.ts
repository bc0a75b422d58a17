import { findCondition } from "../../../api/conditions.ts";
import type { FailedAttempt } from "../plugin.ts";
import { type PodInfo, priorityOf } from "../objects/pod-info.ts";
import type { ClusterView } from "../view/cluster-view.ts";

/** The condition of a Pod that is deleted to make room for another one. */
export const disruptionTargetCondition = "DisruptionTarget";
export const preemptionByScheduler = "PreemptionByScheduler";

/** Why a Pod may not preempt others now; `undefined` when it may (upstream: PodEligibleToPreemptOthers). */
export function whyNotEligible(
  pod: PodInfo,
  cluster: ClusterView,
  { nominatedNode, refused }: Pick<FailedAttempt, "nominatedNode" | "refused">,
): string | undefined {
  if (pod.pod.spec?.preemptionPolicy === "Never") return "not eligible due to preemptionPolicy=Never.";
  const node = cluster.nodes.find(({ name }) => name === nominatedNode);
  if (node === undefined) return undefined;
  // The nominated node became unfit for other reasons: there is nothing to wait for.
  if (refused.get(node.name) === "UnschedulableAndUnresolvable") return undefined;
  const priority = priorityOf(pod.pod);
  return node.pods.some((each) => priorityOf(each.pod) < priority && isLeavingForAnother(each))
    ? "not eligible due to a terminating pod on the nominated node."
    : undefined;
}

function isLeavingForAnother({ pod, isTerminating }: PodInfo): boolean {
  const condition = findCondition(pod.status?.conditions, disruptionTargetCondition);
  return isTerminating && condition?.status === "True" && condition.reason === preemptionByScheduler;
}
