import { formatTime } from "../../api/time.ts";
import { withConditions, type AutoscalerState, type AutoscalingPlan } from "./autoscaling-plan.ts";
import { withChange } from "./scaling-history.ts";

/** Returns the plan to report once the target has been rescaled. */
export function afterRescale(
  plan: AutoscalingPlan,
  rescale: NonNullable<AutoscalingPlan["rescale"]>,
  { autoscaler, now }: Pick<AutoscalerState, "autoscaler" | "now">,
): AutoscalingPlan {
  const { from, to, reason } = rescale;
  const message = `the HPA controller was able to update the target scale to ${to}`;
  const drafts = [{ type: "AbleToScale", status: "True", reason: "SucceededRescale", message } as const];
  const { history } = plan;
  const counts = autoscaler.spec.behavior !== undefined && history !== undefined;
  return {
    ...plan,
    status: {
      ...plan.status,
      desiredReplicas: to,
      lastScaleTime: formatTime(now),
      conditions: withConditions(plan.status.conditions, drafts, now),
    },
    notices: [
      ...plan.notices,
      { type: "Normal", reason: "SuccessfulRescale", message: `New size: ${to}; reason: ${reason}` },
    ],
    history: counts ? withChange(history, to - from, now) : history,
  };
}

/** Returns the plan to report when the target could not be rescaled. */
export function afterFailedRescale(
  plan: AutoscalingPlan,
  { to, reason }: NonNullable<AutoscalingPlan["rescale"]>,
  { autoscaler, now, problem }: Pick<AutoscalerState, "autoscaler" | "now"> & { readonly problem: string },
): AutoscalingPlan {
  const message = `the HPA controller was unable to update the target scale: ${problem}`;
  const drafts = [{ type: "AbleToScale", status: "False", reason: "FailedUpdateScale", message } as const];
  return {
    ...plan,
    status: {
      ...plan.status,
      desiredReplicas: autoscaler.status?.desiredReplicas ?? 0,
      conditions: withConditions(plan.status.conditions, drafts, now),
    },
    notices: [
      ...plan.notices,
      {
        type: "Warning",
        reason: "FailedRescale",
        message: `New size: ${to}; reason: ${reason}; error: ${problem}`,
      },
    ],
  };
}
