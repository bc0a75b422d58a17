import type {
  ExternalMetricSource,
  MetricTarget,
  ObjectMetricSource,
} from "../../api/generated/autoscaling-v2.ts";
import {
  type FailedProposal,
  type MetricContext,
  type Proposal,
  type MetricsSource,
  decimal,
  milliOf,
} from "./metric-proposal.ts";
import { replicasFromTotal, type TotalMetricState } from "./replicas-from-total.ts";

type TotalTarget = TotalMetricState["target"];

export function byObject(
  { metric, target, describedObject }: ObjectMetricSource,
  context: MetricContext,
): Proposal | FailedProposal {
  const { kind, name } = describedObject;
  const found = totalProposal(objectTargetOf(target), context, () =>
    context.metrics.object(describedObject, metric.name),
  );
  if ("problem" in found) {
    const problem = found.isTarget
      ? "invalid object metric source: neither a value target nor an average value target was set"
      : `unable to get metric ${metric.name}: ${kind} on ${name}: ${found.problem}`;
    const error = `failed to get object metric value: ${problem}`;
    return { reason: "FailedGetObjectMetric", problem, error };
  }
  const { current } = found;
  return {
    replicas: found.replicas,
    because: found.because,
    metric: `${kind} metric ${metric.name}`,
    status: { type: "Object", object: { describedObject, metric, current } },
  };
}

export function byExternal(
  { metric, target }: ExternalMetricSource,
  context: MetricContext,
): Proposal | FailedProposal {
  const found = totalProposal(externalTargetOf(target), context, () => context.metrics.external(metric.name));
  if ("problem" in found) {
    const problem = found.isTarget
      ? "invalid external metric source: neither a value target nor an average value target was set"
      : `unable to get external metric ${metric.name}: ${found.problem}`;
    const error = `failed to get ${metric.name} external metric value: ${problem}`;
    return { reason: "FailedGetExternalMetric", problem, error };
  }
  const { current } = found;
  return {
    replicas: found.replicas,
    because: found.because,
    metric: `external metric ${metric.name}`,
    status: { type: "External", external: { metric, current } },
  };
}

/** Reads the target of an Object metric by its type, since it may have both numbers. */
// upstream: computeStatusForObjectMetric
function objectTargetOf({ type, value, averageValue }: MetricTarget): TotalTarget | undefined {
  if (type === "Value") return targetOf("value", value);
  return type === "AverageValue" ? targetOf("average", averageValue) : undefined;
}

/** Reads the target of an External metric by the number that is present, whatever its type. */
// upstream: computeStatusForExternalMetric
function externalTargetOf({ value, averageValue }: MetricTarget): TotalTarget | undefined {
  return targetOf("average", averageValue) ?? targetOf("value", value);
}

function targetOf(kind: TotalTarget["kind"], quantity: string | number | undefined): TotalTarget | undefined {
  const milli = milliOf(quantity);
  return milli === undefined ? undefined : { kind, milli };
}

function totalProposal(
  target: TotalTarget | undefined,
  context: MetricContext,
  sampleOf: () => ReturnType<MetricsSource["external"]>,
) {
  if (target === undefined) return { problem: "no target", isTarget: true };
  const sample = sampleOf();
  if ("problem" in sample) return { ...sample, isTarget: false };
  const found = replicasFromTotal({ ...context, value: sample.value, target });
  if ("problem" in found) return { ...found, isTarget: false };
  const shown = decimal(found.shown);
  return { ...found, current: target.kind === "value" ? { value: shown } : { averageValue: shown } };
}
