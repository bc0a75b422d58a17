import type { MetricStatus } from "../../api/generated/autoscaling-v2.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { Instant } from "../../api/time.ts";
import type { MetricsSource } from "./metrics-source.ts";
import type { PodMetricReason } from "./replicas-from-pods.ts";
import type { TotalMetricReason } from "./replicas-from-total.ts";
import type { Tolerances } from "./tolerances.ts";

/** The inputs that all metrics of one autoscaler share. */
export interface MetricContext {
  readonly pods: readonly Pod[];
  readonly metrics: MetricsSource;
  /** Of the Scale's spec, and of its status. */
  readonly currentReplicas: number;
  readonly statusReplicas: number;
  readonly tolerances: Tolerances;
  readonly now: Instant;
}

/** How many Pods a metric asks for, and why. */
export interface Proposal {
  readonly replicas: number;
  /** What events call the metric. */
  readonly metric: string;
  readonly because: PodMetricReason | TotalMetricReason;
  readonly status: MetricStatus;
}

/** Why a metric asks for nothing. */
export interface FailedProposal {
  /** Of the event and of the condition ScalingActive. */
  readonly reason: string;
  readonly problem: string;
  /** The problem as the error of the whole computation names it. */
  readonly error: string;
}
