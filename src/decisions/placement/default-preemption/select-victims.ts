import { parseTime } from "../../../api/time.ts";
import type { Breakdown, FailedAttempt, Rejection } from "../plugin.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import { priorityOf } from "../snapshot/priority.ts";
import { splitByBudgets } from "./disruption-budgets.ts";

/** A node that has room for the Pod once these Pods are gone. */
export interface Candidate {
  readonly node: string;
  /** The most important first. */
  readonly victims: readonly PodInfo[];
  /** How many of them are taken although a disruption budget protects them. */
  readonly violations: number;
}

export type VictimSearch =
  | { readonly kind: "candidate"; readonly candidate: Candidate }
  /** No Pod on the node is less important. */
  | { readonly kind: "no-victims" }
  /** The Pod would not fit even without them. */
  | { readonly kind: "still-unfit"; readonly rejection: Rejection | Breakdown };

/**
 * Finds the fewest Pods that have to leave a node: removes all that are less important, and then puts back as many as
 * possible, those first that a budget protects, and the most important first (upstream: SelectVictimsOnNode).
 */
export function selectVictims(
  pod: PodInfo,
  node: NodeInfo,
  { tryNode, budgetsIn }: Pick<FailedAttempt, "tryNode" | "budgetsIn">,
): VictimSearch {
  const priority = priorityOf(pod.pod);
  const lower = node.pods.filter((each) => priorityOf(each.pod) < priority).toSorted(byImportance);
  if (lower.length === 0) return { kind: "no-victims" };
  const rejection = tryNode(node, { without: lower });
  if (rejection !== undefined) return { kind: "still-unfit", rejection };

  const gone = new Set(lower);
  /** Puts a Pod back if the incoming one fits beside it; false when it has to go. */
  const reprieve = (each: PodInfo): boolean => {
    gone.delete(each);
    if (tryNode(node, { without: [...gone] }) === undefined) return true;
    gone.add(each);
    return false;
  };
  const { violating, others } = splitByBudgets(lower, budgetsIn);
  const violations = violating.filter((each) => !reprieve(each)).length;
  for (const each of others) reprieve(each);
  const victims = lower.filter((each) => gone.has(each));
  // Everyone was put back: the Pod fits as the node is, and what rejected it has changed.
  if (victims.length === 0) return { kind: "no-victims" };
  return { kind: "candidate", candidate: { node: node.name, victims, violations } };
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
