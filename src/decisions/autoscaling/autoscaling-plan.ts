import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerStatus,
} from "../../api/generated/autoscaling-v2.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { Instant } from "../../api/time.ts";
import type { LimitReason } from "./limit-replicas.ts";
import type { MetricsSource } from "./metrics-source.ts";
import type { FailedProposal, Proposal } from "./metric-proposal.ts";
import type { ScalingHistory } from "./scaling-history.ts";
import type { Stabilised } from "./stabilise.ts";

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
