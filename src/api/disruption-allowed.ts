import { findCondition, withoutCondition } from "./conditions.ts";
import type { Condition } from "./generated/meta-v1.ts";
import type { PodDisruptionBudgetStatus } from "./generated/policy-v1.ts";
import { formatTime, type Instant } from "./time.ts";

type ConditionContent = Pick<Condition, "status" | "reason" | "message"> & {
  readonly observedGeneration: number;
};

/** Returns the DisruptionAllowed condition for a count of allowed disruptions. */
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

/** Sets a condition; keeps its transition time while its status does not change. */
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

/** Returns the status after a Pod has used one disruption. */
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
