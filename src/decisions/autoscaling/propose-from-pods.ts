import type {
  ContainerResourceMetricSource,
  MetricTarget,
  MetricValueStatus,
  PodsMetricSource,
  ResourceMetricSource,
} from "../../api/generated/autoscaling-v2.ts";
import {
  type FailedProposal,
  type MetricContext,
  type Proposal,
  binaryQuantity,
  decimal,
  milliOf,
} from "./metric-proposal.ts";
import {
  type PodMetricProposal,
  type PodTarget,
  type MetricProblem,
  replicasFromPods,
} from "./replicas-from-pods.ts";

export function byResource(
  { name, target }: ResourceMetricSource,
  context: MetricContext,
): Proposal | FailedProposal {
  const found = resourceProposal({ name, target }, context);
  if ("problem" in found) {
    const error = `failed to get ${name} resource metric value: ${found.problem}`;
    return { reason: "FailedGetResourceMetric", problem: found.problem, error };
  }
  const isShare = found.utilization !== undefined;
  return {
    replicas: found.replicas,
    because: found.because,
    metric: isShare ? `${name} resource utilization (percentage of request)` : `${name} resource`,
    status: { type: "Resource", resource: { name, current: currentOf(found, name) } },
  };
}

export function byContainerResource(
  source: ContainerResourceMetricSource,
  context: MetricContext,
): Proposal | FailedProposal {
  const { name, container } = source;
  const found = resourceProposal(source, context);
  if ("problem" in found) {
    const error = `failed to get ${container} container metric value: ${found.problem}`;
    return { reason: "FailedGetContainerResourceMetric", problem: found.problem, error };
  }
  const isShare = found.utilization !== undefined;
  const current = currentOf(found, name);
  return {
    replicas: found.replicas,
    because: found.because,
    metric: isShare ? `${name} container resource utilization (percentage of request)` : `${name} resource`,
    status: { type: "ContainerResource", containerResource: { name, container, current } },
  };
}

type ResourceSource = ResourceMetricSource & Partial<Pick<ContainerResourceMetricSource, "container">>;

function resourceProposal(
  { name, target, container }: ResourceSource,
  context: MetricContext,
): PodMetricProposal | MetricProblem {
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

export function byPods(
  { metric, target }: PodsMetricSource,
  context: MetricContext,
): Proposal | FailedProposal {
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
    replicas: found.replicas,
    because: found.because,
    metric: `pods metric ${metric.name}`,
    status: { type: "Pods", pods: { metric, current } },
  };
}

function currentOf({ average, utilization }: PodMetricProposal, resource: string): MetricValueStatus {
  return {
    averageValue: resource === "memory" ? binaryQuantity(average) : decimal(average),
    ...(utilization !== undefined && { averageUtilization: utilization }),
  };
}
