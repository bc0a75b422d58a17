import type { MetricStatus } from "../../api/generated/autoscaling-v2.ts";
import {
  type ConditionDraft,
  withConditions,
  type AutoscalerState,
  type AutoscalingPlan,
  type AutoscalingReason,
  type ScaleTarget,
} from "./autoscaling-plan.ts";
import type { ScalingHistory } from "./scaling-history.ts";

/** The state of an autoscaler whose target has a Scale. */
export type Scaled = AutoscalerState & {
  readonly target: Extract<ScaleTarget, { readonly kind: "scale" }>;
  readonly history: ScalingHistory;
};

/** Why the target keeps its number of Pods, or is about to change it, and what the status says. */
interface Finding {
  readonly because: AutoscalingReason;
  readonly drafts: readonly ConditionDraft[];
  readonly statuses?: readonly MetricStatus[];
}

/** The plan to keep the number of Pods. */
export function keep(
  { autoscaler, target, history, now }: Scaled,
  { because, drafts, statuses: currentMetrics = [] }: Finding,
): AutoscalingPlan {
  const { currentReplicas } = target;
  const { lastScaleTime, conditions } = autoscaler.status ?? {};
  return {
    because,
    status: {
      currentReplicas,
      desiredReplicas: currentReplicas,
      ...(lastScaleTime !== undefined && { lastScaleTime }),
      currentMetrics,
      conditions: withConditions(conditions, drafts, now),
    },
    notices: [],
    history,
  };
}

interface Change extends Finding {
  readonly to: number;
  readonly reason: string;
}

/** The plan to change it. */
export function planChange(state: Scaled, { to, reason, ...finding }: Change): AutoscalingPlan {
  return { ...keep(state, finding), rescale: { from: state.target.currentReplicas, to, reason } };
}
