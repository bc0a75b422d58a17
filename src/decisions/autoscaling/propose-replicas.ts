import type {
  ContainerResourceMetricSource,
  ExternalMetricSource,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
  ObjectMetricSource,
  PodsMetricSource,
  ResourceMetricSource,
} from "../../api/generated/autoscaling-v2.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { formatQuantity } from "../../api/quantity/format-quantity.ts";
import { milliUnits, parseQuantity } from "../../api/quantity/quantity.ts";
import type { Instant } from "../../api/time.ts";
import type { MetricsSource } from "./metrics-source.ts";
import {
  type PodMetricProposal,
  type PodMetricReason,
  type PodTarget,
  type Problem,
  replicasFromPods,
} from "./replicas-from-pods.ts";
import { replicasFromTotal, type TotalMetricReason } from "./replicas-from-total.ts";
import type { Tolerances } from "./tolerances.ts";

/** What every metric of one autoscaler is judged by. */
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

type ByMetric = (spec: MetricSpec, context: MetricContext) => Proposal | FailedProposal | undefined;

const byType: ReadonlyMap<string, ByMetric> = new Map<string, ByMetric>([
  ["Resource", ({ resource }, context) => resource && byResource(resource, context)],
  [
    "ContainerResource",
    ({ containerResource }, context) => containerResource && byContainerResource(containerResource, context),
  ],
  ["Pods", ({ pods }, context) => pods && byPods(pods, context)],
  ["Object", ({ object }, context) => object && byObject(object, context)],
  ["External", ({ external }, context) => external && byExternal(external, context)],
]);

/** Proposes a number of Pods by one metric. */
// upstream: computeReplicasForMetric
export function proposeReplicas(spec: MetricSpec, context: MetricContext): Proposal | FailedProposal {
  const problem = `unknown metric source type ${JSON.stringify(spec.type)}`;
  return (
    byType.get(spec.type)?.(spec, context) ?? { reason: "InvalidMetricSourceType", problem, error: problem }
  );
}

function byResource({ name, target }: ResourceMetricSource, context: MetricContext) {
  const found = resourceProposal({ name, target }, context);
  if ("problem" in found) {
    const error = `failed to get ${name} resource metric value: ${found.problem}`;
    return { reason: "FailedGetResourceMetric", problem: found.problem, error };
  }
  const isShare = found.utilization !== undefined;
  return {
    ...pickProposal(found),
    metric: isShare ? `${name} resource utilization (percentage of request)` : `${name} resource`,
    status: { type: "Resource", resource: { name, current: currentOf(found, name) } },
  };
}

function byContainerResource(source: ContainerResourceMetricSource, context: MetricContext) {
  const { name, container } = source;
  const found = resourceProposal(source, context);
  if ("problem" in found) {
    const error = `failed to get ${container} container metric value: ${found.problem}`;
    return { reason: "FailedGetContainerResourceMetric", problem: found.problem, error };
  }
  const isShare = found.utilization !== undefined;
  const current = currentOf(found, name);
  return {
    ...pickProposal(found),
    metric: isShare ? `${name} container resource utilization (percentage of request)` : `${name} resource`,
    status: { type: "ContainerResource", containerResource: { name, container, current } },
  };
}

type ResourceSource = ResourceMetricSource & Partial<Pick<ContainerResourceMetricSource, "container">>;

function resourceProposal(
  { name, target, container }: ResourceSource,
  context: MetricContext,
): PodMetricProposal | Problem {
  const wanted = podTargetOf(target);
  if (wanted === undefined) {
    const neither = "neither an average utilization target nor an average value (usage) target was set";
    return { problem: `invalid resource metric source: ${neither}` };
  }
  const what = wanted.kind === "average" ? "usage" : "utilization";
  const samples = context.metrics.resource(name, container);
  if ("problem" in samples) {
    const problem = `unable to get metrics for resource ${name}: ${samples.problem}`;
    return { problem: `failed to get ${name} ${what}: ${problem}` };
  }
  const found = replicasFromPods({ ...context, samples, target: wanted, resource: name, container });
  return "problem" in found ? { problem: `failed to get ${name} ${what}: ${found.problem}` } : found;
}

function podTargetOf({ averageValue, averageUtilization }: MetricTarget): PodTarget | undefined {
  const milli = milliOf(averageValue);
  if (milli !== undefined) return { kind: "average", milli };
  return averageUtilization === undefined ? undefined : { kind: "utilization", percent: averageUtilization };
}

function byPods({ metric, target }: PodsMetricSource, context: MetricContext) {
  const failed = (problem: string) => ({
    reason: "FailedGetPodsMetric",
    problem,
    error: `failed to get pods metric value: ${problem}`,
  });
  const samples = context.metrics.pods(metric.name);
  if ("problem" in samples) return failed(`unable to get metric ${metric.name}: ${samples.problem}`);
  const wanted = { kind: "average", milli: milliOf(target.averageValue) ?? 0 } as const;
  const found = replicasFromPods({ ...context, samples, target: wanted });
  if ("problem" in found) return failed(found.problem);
  const current = { averageValue: decimal(found.average) };
  return {
    ...pickProposal(found),
    metric: `pods metric ${metric.name}`,
    status: { type: "Pods", pods: { metric, current } },
  };
}

function byObject({ metric, target, describedObject }: ObjectMetricSource, context: MetricContext) {
  const { kind, name } = describedObject;
  const found = totalProposal(target, context, () => context.metrics.object(describedObject, metric.name));
  if ("problem" in found) {
    const problem = found.isTarget
      ? "invalid object metric source: neither a value target nor an average value target was set"
      : `unable to get metric ${metric.name}: ${kind} on ${name}: ${found.problem}`;
    const error = `failed to get object metric value: ${problem}`;
    return { reason: "FailedGetObjectMetric", problem, error };
  }
  const { current } = found;
  return {
    ...pickProposal(found),
    metric: `${kind} metric ${metric.name}`,
    status: { type: "Object", object: { describedObject, metric, current } },
  };
}

function byExternal({ metric, target }: ExternalMetricSource, context: MetricContext) {
  const found = totalProposal(target, context, () => context.metrics.external(metric.name));
  if ("problem" in found) {
    const problem = found.isTarget
      ? "invalid external metric source: neither a value target nor an average value target was set"
      : `unable to get external metric ${metric.name}: ${found.problem}`;
    const error = `failed to get ${metric.name} external metric value: ${problem}`;
    return { reason: "FailedGetExternalMetric", problem, error };
  }
  const { current } = found;
  return {
    ...pickProposal(found),
    metric: `external metric ${metric.name}`,
    status: { type: "External", external: { metric, current } },
  };
}

function totalProposal(
  { value, averageValue }: MetricTarget,
  context: MetricContext,
  sampleOf: () => ReturnType<MetricsSource["external"]>,
) {
  const [whole, average] = [milliOf(value), milliOf(averageValue)];
  const milli = average ?? whole;
  if (milli === undefined) return { problem: "no target", isTarget: true };
  const sample = sampleOf();
  if ("problem" in sample) return { ...sample, isTarget: false };
  const kind = average === undefined ? "value" : "average";
  const found = replicasFromTotal({ ...context, value: sample.value, target: { kind, milli } });
  if ("problem" in found) return { ...found, isTarget: false };
  const shown = decimal(found.shown);
  return { ...found, current: kind === "value" ? { value: shown } : { averageValue: shown } };
}

function pickProposal<R>({ replicas, because }: { readonly replicas: number; readonly because: R }) {
  return { replicas, because };
}

function currentOf({ average, utilization }: PodMetricProposal, resource: string): MetricValueStatus {
  return {
    averageValue: resource === "memory" ? binary(average) : decimal(average),
    ...(utilization !== undefined && { averageUtilization: utilization }),
  };
}

function milliOf(value: string | number | undefined): number | undefined {
  const quantity = parseQuantity(value);
  return quantity === undefined ? undefined : milliUnits(quantity);
}

function decimal(milli: number): string {
  return formatQuantity({ nanos: BigInt(Math.round(milli)) * 1_000_000n, format: "decimal" });
}

function binary(milli: number): string {
  return formatQuantity({ nanos: BigInt(Math.round(milli)) * 1_000_000n, format: "binary" });
}
