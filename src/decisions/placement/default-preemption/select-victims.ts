import { parseTime } from "../../../api/time.ts";
import type { PluginFailure, FailedAttempt, Rejection } from "../plugin.ts";
import type { NodeInfo } from "../objects/node-info.ts";
import { type PodInfo, priorityOf } from "../objects/pod-info.ts";
import type { ClusterView, DryRun } from "../view/cluster-view.ts";
import type { PodDisruptionBudget } from "../../../api/generated/policy-v1.ts";
import { type LabelSelection, matchesLabels } from "../../../api/labels/label-selector.ts";
import { isObject, numberOf, pairsOf } from "../objects/reading.ts";
import { readSelector } from "../objects/pod-selection.ts";
import { findCondition } from "../../../api/conditions.ts";

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
  | { readonly kind: "still-unfit"; readonly rejection: Rejection | PluginFailure };

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

/** Finds the budgets of a namespace. */
type BudgetsIn = (namespace: string) => readonly PodDisruptionBudget[];

interface CountedBudget {
  readonly budget: PodDisruptionBudget;
  readonly selection: LabelSelection;
  /** How many more of its Pods may go. */
  allowed: number;
}

/**
 * Splits Pods, in their order, by whether removing all of them would violate a budget: a Pod violates one that the Pods
 * before it have used up (upstream: filterPodsWithPDBViolation).
 */
function splitByBudgets(
  pods: readonly PodInfo[],
  budgetsIn: BudgetsIn,
): { readonly violating: readonly PodInfo[]; readonly others: readonly PodInfo[] } {
  const counted = new Map<string, readonly CountedBudget[]>();
  const violating: PodInfo[] = [];
  const others: PodInfo[] = [];
  for (const pod of pods) {
    const budgets = counted.get(pod.namespace) ?? budgetsIn(pod.namespace).flatMap(countBudget);
    counted.set(pod.namespace, budgets);
    (takeFromBudgets(pod, budgets) ? violating : others).push(pod);
  }
  return { violating, others };
}

/** A budget whose selector is absent, empty or makes no sense protects no Pod. */
function countBudget(budget: PodDisruptionBudget): readonly CountedBudget[] {
  const read = readSelector(budget.spec?.selector);
  if (!read.ok || read.selection.selects === "nothing" || read.selection.requirements.length === 0) return [];
  return [{ budget, selection: read.selection, allowed: numberOf(budget.status?.disruptionsAllowed, 0) }];
}

/** Whether a budget of the Pod is violated; every one of them is charged. */
function takeFromBudgets({ name, labels }: PodInfo, budgets: readonly CountedBudget[]): boolean {
  if (pairsOf(labels).length === 0) return false;
  let isViolated = false;
  for (const each of budgets) {
    if (!matchesLabels(each.selection, labels)) continue;
    // The API server has charged the budget for this Pod already.
    const disrupted = each.budget.status?.disruptedPods;
    if (isObject(disrupted) && Object.hasOwn(disrupted, name)) continue;
    each.allowed--;
    if (each.allowed < 0) isViolated = true;
  }
  return isViolated;
}

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
