import type {
  HorizontalPodAutoscalerBehavior,
  HPAScalingPolicy,
  HPAScalingRules,
} from "../../api/generated/autoscaling-v2.ts";
import type { Instant } from "../../api/time.ts";
import { changeWithin, type ScalingHistory } from "./scaling-history.ts";

/** Which bound a number of Pods was limited by. */
export type LimitReason =
  | "DesiredWithinRange"
  | "TooFewReplicas"
  | "TooManyReplicas"
  | "ScaleUpLimit"
  | "ScaleDownLimit";

export interface Limited {
  readonly replicas: number;
  readonly because: LimitReason;
}

/** A number of Pods to limit. */
export interface Unlimited {
  readonly wanted: number;
  readonly currentReplicas: number;
  readonly minReplicas: number;
  readonly maxReplicas: number;
  readonly history: ScalingHistory;
  readonly now: Instant;
}

/** Limits a number of Pods by the policies and by the least and the most. */
export function limitReplicas(
  state: Unlimited,
  behavior: HorizontalPodAutoscalerBehavior | undefined,
): Limited {
  return behavior === undefined ? limitByDefault(state) : limitByPolicies(state, behavior);
}

/** Without a behavior the number of Pods at most doubles at a time, or becomes four. */
// upstream: convertDesiredReplicasWithRules
function limitByDefault({ wanted, currentReplicas, minReplicas, maxReplicas }: Unlimited): Limited {
  if (wanted < minReplicas) return { replicas: minReplicas, because: "TooFewReplicas" };
  const fastest = Math.max(2 * currentReplicas, 4);
  if (wanted <= Math.min(fastest, maxReplicas)) return { replicas: wanted, because: "DesiredWithinRange" };
  return maxReplicas > fastest
    ? { replicas: fastest, because: "ScaleUpLimit" }
    : { replicas: maxReplicas, because: "TooManyReplicas" };
}

// upstream: convertDesiredReplicasWithBehaviorRate
function limitByPolicies(state: Unlimited, behavior: HorizontalPodAutoscalerBehavior): Limited {
  const { wanted, currentReplicas, minReplicas, maxReplicas } = state;
  if (wanted > currentReplicas) {
    const fastest = Math.max(policyLimit(state, behavior.scaleUp, growth), currentReplicas);
    if (wanted > Math.min(fastest, maxReplicas))
      return maxReplicas > fastest
        ? { replicas: fastest, because: "ScaleUpLimit" }
        : { replicas: maxReplicas, because: "TooManyReplicas" };
  } else if (wanted < currentReplicas) {
    const fastest = Math.min(policyLimit(state, behavior.scaleDown, shrinkage), currentReplicas);
    if (wanted < Math.max(fastest, minReplicas))
      return minReplicas < fastest
        ? { replicas: fastest, because: "ScaleDownLimit" }
        : { replicas: minReplicas, because: "TooFewReplicas" };
  }
  return { replicas: wanted, because: "DesiredWithinRange" };
}

/** One direction: how far a policy allows to go, and which of two limits is the larger change. */
interface Direction {
  readonly reach: (start: number, policy: HPAScalingPolicy) => number;
  readonly farther: (a: number, b: number) => number;
  readonly nearer: (a: number, b: number) => number;
}

const growth: Direction = {
  // Rounded up: a small share of few Pods would never add one.
  reach: (start, { type, value }) => (type === "Pods" ? start + value : Math.ceil(start * (1 + value / 100))),
  farther: Math.max,
  nearer: Math.min,
};

const shrinkage: Direction = {
  reach: (start, { type, value }) =>
    type === "Pods" ? start - value : Math.trunc(start * (1 - value / 100)),
  farther: Math.min,
  nearer: Math.max,
};

/** The number of Pods that the policies of a direction allow to go to. */
function policyLimit(
  { currentReplicas, history, now }: Unlimited,
  { selectPolicy = "Max", policies = [] }: HPAScalingRules = {},
  { reach, farther, nearer }: Direction,
): number {
  if (selectPolicy === "Disabled" || policies.length === 0) return currentReplicas;
  const limits = policies.map((policy) =>
    reach(currentReplicas - changeWithin(history, policy.periodSeconds, now), policy),
  );
  const select = selectPolicy === "Min" ? nearer : farther;
  return limits.reduce((chosen, limit) => select(chosen, limit));
}

/** What the condition ScalingLimited says. */
export const limitMessages: Readonly<Record<LimitReason, string>> = {
  DesiredWithinRange: "the desired count is within the acceptable range",
  TooFewReplicas: "the desired replica count is less than the minimum replica count",
  TooManyReplicas: "the desired replica count is more than the maximum replica count",
  ScaleUpLimit: "the desired replica count is increasing faster than the maximum scale rate",
  ScaleDownLimit: "the desired replica count is decreasing faster than the maximum scale rate",
};
