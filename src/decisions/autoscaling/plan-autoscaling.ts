import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerStatus,
  MetricStatus,
} from "../../api/generated/autoscaling-v2.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { Instant } from "../../api/time.ts";
import { type ConditionDraft, withConditions } from "./autoscaler-conditions.ts";
import { type LimitReason, limitMessages, limitReplicas } from "./limit-replicas.ts";
import type { MetricsSource } from "./metrics-source.ts";
import type { FailedProposal, Proposal } from "./propose-replicas.ts";
import { recommendReplicas } from "./recommend-replicas.ts";
import { beginHistory, type ScalingHistory, withRecommendation } from "./scaling-history.ts";
import { stabilise, type Stabilised, stabilisedMessages } from "./stabilise.ts";
import { tolerancesOf } from "./tolerances.ts";

/** The Pods that the target's Scale selects, or why they are not known. */
export type SelectedPods =
  | { readonly kind: "pods"; readonly pods: readonly Pod[] }
  | { readonly kind: "no-selector" }
  | { readonly kind: "malformed"; readonly problem: string }
  /** Other autoscalers select the same Pods. */
  | { readonly kind: "ambiguous"; readonly selector: string; readonly autoscalers: readonly string[] };

/** The Scale of an autoscaler's target, or why there is none. */
export type ScaleTarget =
  | { readonly kind: "failed"; readonly problem: string }
  | {
      readonly kind: "scale";
      readonly currentReplicas: number;
      readonly statusReplicas: number;
      readonly selected: SelectedPods;
    };

/** All that a plan for an autoscaler depends on. */
export interface AutoscalerState {
  readonly autoscaler: HorizontalPodAutoscaler;
  readonly target: ScaleTarget;
  readonly metrics: MetricsSource;
  /** Absent when its controller has not seen it yet. */
  readonly history: ScalingHistory | undefined;
  readonly now: Instant;
}

/** Why the number of Pods changes, or does not. */
export type AutoscalingReason =
  | { readonly rule: "no-scale" | "target-is-zero" | "above-max" | "below-min" | "no-pods-selected" }
  | { readonly rule: "metrics-failed"; readonly failures: readonly FailedProposal[] }
  | {
      readonly rule: "metrics";
      /** The metric that asked for the most Pods. */
      readonly metric: string;
      readonly proposals: readonly Proposal[];
      readonly recommended: number;
      readonly stabilised: Stabilised;
      readonly limited: LimitReason;
    };

export interface AutoscalerNotice {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** What to do for an autoscaler, and why. */
export interface AutoscalingPlan {
  /** Absent when the target keeps its number of Pods. */
  readonly rescale?: { readonly from: number; readonly to: number; readonly reason: string };
  readonly because: AutoscalingReason;
  /** The status before the target is rescaled; `afterRescale` and `afterFailedRescale` follow it. */
  readonly status: HorizontalPodAutoscalerStatus;
  readonly notices: readonly AutoscalerNotice[];
  readonly history: ScalingHistory | undefined;
}

const warning = (reason: string, message: string): AutoscalerNotice => ({ type: "Warning", reason, message });

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
    return change(scaled, { to: maxReplicas, reason, because: { rule: "above-max" }, drafts: [gotScale] });
  }
  if (currentReplicas < minReplicas) {
    const reason = "Current number of replicas below Spec.MinReplicas";
    return change(scaled, { to: minReplicas, reason, because: { rule: "below-min" }, drafts: [gotScale] });
  }
  return planByMetrics(scaled);
}

type Scaled = AutoscalerState & {
  readonly target: Extract<ScaleTarget, { readonly kind: "scale" }>;
  readonly history: ScalingHistory;
};

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
  return change(remembered, { to: limited.replicas, reason, because, drafts, statuses });
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

function selectionProblem(selected: Exclude<SelectedPods, { readonly kind: "pods" }>) {
  if (selected.kind === "no-selector") {
    const message = "the HPA target's scale is missing a selector";
    return {
      notice: warning("SelectorRequired", "selector is required"),
      condition: { reason: "InvalidSelector", message },
    };
  }
  const isMalformed = selected.kind === "malformed";
  const reason = isMalformed ? "InvalidSelector" : "AmbiguousSelector";
  const message = isMalformed
    ? `couldn't convert selector into a corresponding internal selector object: ${selected.problem}`
    : `pods by selector ${selected.selector} are controlled by multiple HPAs: [${selected.autoscalers.join(" ")}]`;
  return { notice: warning(reason, message), condition: { reason, message } };
}

function failedCondition({ reason, problem }: FailedProposal): ConditionDraft {
  const message = `the HPA was unable to compute the replica count: ${problem}`;
  return { type: "ScalingActive", status: "False", reason, message };
}

/** Why the target keeps its number of Pods, or is about to change it, and what the status says. */
interface Finding {
  readonly because: AutoscalingReason;
  readonly drafts: readonly ConditionDraft[];
  readonly statuses?: readonly MetricStatus[];
}

function keep(
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

function change(state: Scaled, { to, reason, ...finding }: Change): AutoscalingPlan {
  return { ...keep(state, finding), rescale: { from: state.target.currentReplicas, to, reason } };
}
