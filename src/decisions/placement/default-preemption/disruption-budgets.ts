import type { PodDisruptionBudget } from "../../../api/generated/policy-v1.ts";
import { type LabelSelection, matchesLabels } from "../../../api/labels/label-selector.ts";
import type { PodInfo } from "../objects/pod-info.ts";
import { isObject, numberOf, pairsOf } from "../objects/reading.ts";
import { readSelector } from "../objects/pod-selection.ts";

/** Finds the budgets of a namespace. */
export type BudgetsIn = (namespace: string) => readonly PodDisruptionBudget[];

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
export function splitByBudgets(
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
