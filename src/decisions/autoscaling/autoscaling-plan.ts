import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerStatus,
  HorizontalPodAutoscalerCondition,
} from "../../api/generated/autoscaling-v2.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { type Instant, formatTime } from "../../api/time.ts";
import type { LimitReason } from "./limit-replicas.ts";
import type { MetricsSource, FailedProposal, Proposal } from "./metric-proposal.ts";
import type { ScalingHistory } from "./scaling-history.ts";
import type { Stabilised } from "./stabilise.ts";
import { findCondition } from "../../api/conditions.ts";

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

interface AutoscalerNotice {
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

/** A condition of an autoscaler, before it is known when it changed. */
export interface ConditionDraft {
  readonly type: "AbleToScale" | "ScalingActive" | "ScalingLimited";
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

/** The conditions with the drafts in their places; the time changes with the status only. */
// upstream: setConditionInList
export function withConditions(
  conditions: readonly HorizontalPodAutoscalerCondition[] | undefined,
  drafts: readonly ConditionDraft[],
  now: Instant,
): readonly HorizontalPodAutoscalerCondition[] {
  const changed = [...(conditions ?? [])];
  for (const draft of drafts) {
    const known = findCondition(changed, draft.type);
    const lastTransitionTime =
      known?.status === draft.status ? (known.lastTransitionTime ?? formatTime(now)) : formatTime(now);
    const condition = { ...draft, lastTransitionTime };
    if (known === undefined) changed.push(condition);
    else changed[changed.indexOf(known)] = condition;
  }
  return changed;
}

export const warning = (reason: string, message: string): AutoscalerNotice => ({
  type: "Warning",
  reason,
  message,
});

/** Why the Pods of a target are not known, as an event and as a condition. */
export function selectionProblem(selected: Exclude<SelectedPods, { readonly kind: "pods" }>) {
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
