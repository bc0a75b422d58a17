import { parseTime } from "../../../api/time.ts";
import type { Breakdown, FailedAttempt, Rejection } from "../plugin.ts";
import type { NodeInfo } from "../objects/node-info.ts";
import { type PodInfo, priorityOf } from "../objects/pod-info.ts";
import type { ClusterView, DryRun } from "../view/cluster-view.ts";
import { splitByBudgets } from "./disruption-budgets.ts";

/** A node that has room for the Pod once these Pods are gone. */
export interface PreemptionCandidate {
  readonly node: string;
  /** The most important first. */
  readonly victims: readonly PodInfo[];
  /** How many of them are taken although a disruption budget protects them. */
  readonly violations: number;
}

export type VictimSearch =
  | { readonly kind: "candidate"; readonly candidate: PreemptionCandidate }
  /** No Pod on the node has a lower priority. */
  | { readonly kind: "no-victims" }
  /** The Pod would not fit even without them. */
  | { readonly kind: "still-unfit"; readonly rejection: Rejection | Breakdown };

/**
 * Finds the fewest Pods that have to leave a node: removes all that are less important, and then puts back as many as
 * possible, those first that a budget protects, and the most important first (upstream: SelectVictimsOnNode).
 */
export function selectVictims(pod: PodInfo, node: NodeInfo, context: VictimContext): VictimSearch {
  const { cluster, rejectionBy, budgetsIn } = context;
  const priority = priorityOf(pod.pod);
  const lower = node.pods.filter((each) => priorityOf(each.pod) < priority).toSorted(byImportance);
  if (lower.length === 0) return { kind: "no-victims" };
  return cluster.dryRun(node, { without: lower }, (assumed): VictimSearch => {
    const rejection = rejectionBy(assumed.node, assumed.cluster);
    if (rejection !== undefined) return { kind: "still-unfit", rejection };
    const { violating, others } = splitByBudgets(lower, budgetsIn);
    const gone = new Set(putBack([...violating, ...others], assumed, rejectionBy));
    // All of them were put back: the Pod fits as the node is, and what rejected it has changed.
    if (gone.size === 0) return { kind: "no-victims" };
    const violations = violating.filter((each) => gone.has(each)).length;
    const victims = lower.filter((each) => gone.has(each));
    return { kind: "candidate", candidate: { node: node.name, victims, violations } };
  });
}

export interface VictimContext extends Pick<FailedAttempt, "rejectionBy" | "budgetsIn"> {
  readonly cluster: ClusterView;
}

/** Puts Pods back in their order and returns those beside which the Pod does not fit. */
function putBack(
  pods: readonly PodInfo[],
  assumed: DryRun,
  rejectionBy: FailedAttempt["rejectionBy"],
): readonly PodInfo[] {
  const gone: PodInfo[] = [];
  for (const pod of pods) {
    assumed.addPod(pod);
    if (rejectionBy(assumed.node, assumed.cluster) === undefined) continue;
    assumed.removePod(pod);
    gone.push(pod);
  }
  return gone;
}

/** Orders by priority, then by how long a Pod has been running (upstream: MoreImportantPod). */
export function byImportance(a: PodInfo, b: PodInfo): number {
  const difference = priorityOf(b.pod) - priorityOf(a.pod);
  return difference === 0 ? compare(startOf(a), startOf(b)) : difference;
}

/** When a Pod started; one that has not is younger than all others. */
export function startOf({ pod }: PodInfo): number {
  return parseTime(pod.status?.startTime) ?? Infinity;
}

const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);
