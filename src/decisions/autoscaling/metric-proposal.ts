import type {
  MetricStatus,
  CrossVersionObjectReference,
  HorizontalPodAutoscalerBehavior,
  HPAScalingRules,
} from "../../api/generated/autoscaling-v2.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { Instant } from "../../api/time.ts";
import type { PodMetricReason, MetricProblem } from "./replicas-from-pods.ts";
import type { TotalMetricReason } from "./replicas-from-total.ts";
import type { PodSamples } from "./group-pods.ts";
import { formatQuantity } from "../../api/quantity/format-quantity.ts";
import { milliUnits, parseQuantity } from "../../api/quantity/quantity.ts";

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

/** A value that is measured as a whole, in thousandths. */
export interface TotalSample {
  readonly value: number;
}

/** The metrics an autoscaler can ask for; what cannot be answered is a problem in a sentence. */
export interface MetricsSource {
  /** Of the Pods' containers together, or of one of them. */
  resource(name: string, container?: string): PodSamples | MetricProblem;
  pods(name: string): PodSamples | MetricProblem;
  object(reference: CrossVersionObjectReference, name: string): TotalSample | MetricProblem;
  external(name: string): TotalSample | MetricProblem;
}

/** The thousandths of a target; `undefined` without one. */
export function milliOf(value: string | number | undefined): number | undefined {
  const quantity = parseQuantity(value);
  return quantity === undefined ? undefined : milliUnits(quantity);
}

/** An amount in thousandths as the status shows it. */
export function decimal(milli: number): string {
  return formatQuantity({ nanos: BigInt(Math.round(milli)) * 1_000_000n, format: "decimal" });
}

/** An amount of memory in thousandths of a byte as the status shows it. */
export function binaryQuantity(milli: number): string {
  return formatQuantity({ nanos: BigInt(Math.round(milli)) * 1_000_000n, format: "binary" });
}

/** How far a metric may be from its target before the number of Pods changes, as shares of the target. */
export interface Tolerances {
  readonly up: number;
  readonly down: number;
}

/** What holds in both directions unless an autoscaler says otherwise (upstream: --horizontal-pod-autoscaler-tolerance). */
const defaultTolerance = 0.1;

/** The tolerances of an autoscaler. */
export function tolerancesOf(behavior: HorizontalPodAutoscalerBehavior | undefined): Tolerances {
  return { up: toleranceOf(behavior?.scaleUp), down: toleranceOf(behavior?.scaleDown) };
}

function toleranceOf(rules: HPAScalingRules | undefined): number {
  const quantity = parseQuantity(rules?.tolerance);
  return quantity === undefined ? defaultTolerance : Number(quantity.nanos) / 1e9;
}

/** Whether usage, as a multiple of the target, is near enough to change nothing. */
export function isWithinTolerance({ up, down }: Tolerances, ratio: number): boolean {
  return 1 - down <= ratio && ratio <= 1 + up;
}
