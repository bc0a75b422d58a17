import { findCondition, withoutCondition } from "./conditions.ts";
import type { Condition } from "./generated/meta-v1.ts";
import type { PodDisruptionBudgetStatus } from "./generated/policy-v1.ts";
import { formatTime, type Instant } from "./time.ts";

type ConditionContent = Pick<Condition, "status" | "reason" | "message"> & {
  readonly observedGeneration: number;
};

/** What the DisruptionAllowed condition says about a count. */
export function disruptionAllowed(counted: {
  readonly disruptionsAllowed: number;
  readonly observedGeneration: number;
}): ConditionContent {
  const isAllowed = counted.disruptionsAllowed > 0;
  return {
    status: isAllowed ? "True" : "False",
    reason: isAllowed ? "SufficientPods" : "InsufficientPods",
    message: "",
    observedGeneration: counted.observedGeneration,
  };
}

/** The conditions with this one; its transition time stays while its status does. */
export function withDisruptionAllowed(
  conditions: readonly Condition[] | undefined,
  content: ConditionContent,
  now: Instant,
): readonly Condition[] {
  const type = "DisruptionAllowed";
  const before = findCondition(conditions, type);
  const lastTransitionTime = before?.status === content.status ? before.lastTransitionTime : formatTime(now);
  return [...withoutCondition(conditions, type), { type, ...content, lastTransitionTime }];
}

/** The status after one disruption was spent on a Pod. */
export function withDisruptionSpent(
  status: PodDisruptionBudgetStatus | undefined,
  podName: string,
  now: Instant,
): PodDisruptionBudgetStatus {
  const disruptionsAllowed = (status?.disruptionsAllowed ?? 0) - 1;
  const spent = {
    ...status,
    disruptionsAllowed,
    disruptedPods: { ...status?.disruptedPods, [podName]: formatTime(now) },
  };
  if (disruptionsAllowed > 0) return spent;
  const observedGeneration = status?.observedGeneration ?? 0;
  const content = disruptionAllowed({ disruptionsAllowed, observedGeneration });
  return { ...spent, conditions: withDisruptionAllowed(status?.conditions, content, now) };
}
