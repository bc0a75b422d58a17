import type { MetricStatus } from "../../api/generated/autoscaling-v2.ts";
import {
  type ConditionDraft,
  withConditions,
  type AutoscalerState,
  type AutoscalingPlan,
  type AutoscalingReason,
  type SelectedPods,
  selectionProblem,
  warning,
} from "./autoscaling-plan.ts";
import { limitMessages, limitReplicas } from "./limit-replicas.ts";
import { type FailedProposal, tolerancesOf } from "./metric-proposal.ts";
import { recommendReplicas } from "./recommend-replicas.ts";
import { planChange, keep, type Scaled } from "./rescale-plan.ts";
import { beginHistory, withRecommendation } from "./scaling-history.ts";
import { stabilise, stabilisedMessages } from "./stabilise.ts";

const gotScale: ConditionDraft = {
  type: "AbleToScale",
  status: "True",
  reason: "SucceededGetScale",
  message: "the HPA controller was able to get the target's current scale",
};

/** Plans one sync of an autoscaler. */
// upstream: reconcileAutoscaler
export function planAutoscaling(state: AutoscalerState): AutoscalingPlan {
  const { autoscaler, target, now } = state;
  if (target.kind === "failed") return withoutScale(state, target.problem);
  const { currentReplicas } = target;
  const { minReplicas = 1, maxReplicas } = autoscaler.spec;
  const history = state.history ?? beginHistory(currentReplicas, now);
  const scaled: Scaled = { ...state, target, history };
  if (currentReplicas === 0)
    return keep(scaled, { because: { rule: "target-is-zero" }, drafts: [gotScale, targetIsZero] });
  if (currentReplicas > maxReplicas) {
    const reason = "Current number of replicas above Spec.MaxReplicas";
    return planChange(scaled, {
      to: maxReplicas,
      reason,
      because: { rule: "above-max" },
      drafts: [gotScale],
    });
  }
  if (currentReplicas < minReplicas) {
    const reason = "Current number of replicas below Spec.MinReplicas";
    return planChange(scaled, {
      to: minReplicas,
      reason,
      because: { rule: "below-min" },
      drafts: [gotScale],
    });
  }
  return planByMetrics(scaled);
}

const targetIsZero: ConditionDraft = {
  type: "ScalingActive",
  status: "False",
  reason: "ScalingDisabled",
  message: "scaling is disabled since the replica count of the target is zero",
};

function withoutScale({ autoscaler, history, now }: AutoscalerState, problem: string): AutoscalingPlan {
  const { status = { desiredReplicas: 0 } } = autoscaler;
  const message = `the HPA controller was unable to get the target's current scale: ${problem}`;
  const drafts = [{ type: "AbleToScale", status: "False", reason: "FailedGetScale", message } as const];
  return {
    because: { rule: "no-scale" },
    status: { ...status, conditions: withConditions(status.conditions, drafts, now) },
    notices: [warning("FailedGetScale", problem)],
    history,
  };
}

function planByMetrics(state: Scaled): AutoscalingPlan {
  const { autoscaler, target, metrics, now } = state;
  const { selected, currentReplicas, statusReplicas } = target;
  if (selected.kind !== "pods") return withoutPods(state, selected);
  const recommendation = recommendReplicas(autoscaler.spec.metrics ?? [], {
    pods: selected.pods,
    metrics,
    currentReplicas,
    statusReplicas,
    tolerances: tolerancesOf(autoscaler.spec.behavior),
    now,
  });
  const notices = recommendation.failures.map(({ reason, problem }) => warning(reason, problem));
  const { statuses } = recommendation;
  if (recommendation.kind === "failed") {
    const { failures, error } = recommendation;
    const drafts = [gotScale, ...failures.slice(0, 1).map(failedCondition)];
    const plan = keep(state, { because: { rule: "metrics-failed", failures }, drafts, statuses });
    const desiredReplicas = autoscaler.status?.desiredReplicas ?? 0;
    return {
      ...plan,
      status: { ...plan.status, desiredReplicas },
      notices: [...notices, warning("FailedComputeMetricsReplicas", error)],
    };
  }
  const plan = normalise(state, recommendation, statuses);
  return { ...plan, notices: [...notices, ...plan.notices] };
}

/** Stabilises and limits a recommendation. */
// upstream: normalizeDesiredReplicas, normalizeDesiredReplicasWithBehaviors
function normalise(
  state: Scaled,
  {
    replicas: recommended,
    metric,
    proposals,
  }: Extract<ReturnType<typeof recommendReplicas>, { readonly kind: "recommended" }>,
  statuses: readonly MetricStatus[],
): AutoscalingPlan {
  const { autoscaler, target, history, now } = state;
  const { currentReplicas } = target;
  const { behavior, minReplicas = 1, maxReplicas } = autoscaler.spec;
  const stabilised = stabilise({ recommended, currentReplicas, history, now }, behavior);
  const limited = limitReplicas(
    { wanted: stabilised.replicas, currentReplicas, minReplicas, maxReplicas, history, now },
    behavior,
  );
  const because: AutoscalingReason = {
    rule: "metrics",
    metric,
    proposals,
    recommended,
    stabilised,
    limited: limited.because,
  };
  const drafts: readonly ConditionDraft[] = [
    {
      type: "AbleToScale",
      status: "True",
      reason: stabilised.because === "as-recommended" ? "ReadyForNewScale" : stabilised.because,
      message: stabilisedMessages[stabilised.because],
    },
    {
      type: "ScalingActive",
      status: "True",
      reason: "ValidMetricFound",
      message: `the HPA was able to successfully calculate a replica count from ${metric}`,
    },
    {
      type: "ScalingLimited",
      status: limited.replicas === stabilised.replicas ? "False" : "True",
      reason: limited.because,
      message: limitMessages[limited.because],
    },
  ];
  const remembered = { ...state, history: withRecommendation(history, recommended, now) };
  if (limited.replicas === currentReplicas) return keep(remembered, { because, drafts, statuses });
  const reason = rescaleReason(recommended - currentReplicas, metric);
  return planChange(remembered, { to: limited.replicas, reason, because, drafts, statuses });
}

/** Why the target is rescaled; a recommendation to keep it gives no reason, though earlier ones may still count. */
function rescaleReason(recommendedChange: number, metric: string): string {
  if (recommendedChange > 0) return `${metric} above target`;
  return recommendedChange < 0 ? "All metrics below target" : "";
}

function withoutPods(
  state: Scaled,
  selected: Exclude<SelectedPods, { readonly kind: "pods" }>,
): AutoscalingPlan {
  const { notice, condition } = selectionProblem(selected);
  const drafts = [gotScale, { type: "ScalingActive", status: "False", ...condition } as const];
  const plan = keep(state, { because: { rule: "no-pods-selected" }, drafts });
  return {
    ...plan,
    status: { ...plan.status, desiredReplicas: state.autoscaler.status?.desiredReplicas ?? 0 },
    notices: [notice, warning("FailedComputeMetricsReplicas", notice.message)],
  };
}

function failedCondition({ reason, problem }: FailedProposal): ConditionDraft {
  const message = `the HPA was unable to compute the replica count: ${problem}`;
  return { type: "ScalingActive", status: "False", reason, message };
}
