import type { MetricSpec, MetricStatus } from "../../api/generated/autoscaling-v2.ts";
import type { FailedProposal, MetricContext, Proposal } from "./metric-proposal.ts";
import { byContainerResource, byPods, byResource } from "./propose-from-pods.ts";
import { byExternal, byObject } from "./propose-from-total.ts";

/** The result of all metrics of an autoscaler. */
export type MetricsRecommendation =
  | {
      readonly kind: "recommended";
      readonly replicas: number;
      /** The metric that asks for the most Pods. */
      readonly metric: string;
      readonly proposals: readonly Proposal[];
      readonly failures: readonly FailedProposal[];
      readonly statuses: readonly MetricStatus[];
    }
  | {
      readonly kind: "failed";
      /** In order of the metrics, at least one. */
      readonly failures: readonly FailedProposal[];
      readonly error: string;
      readonly statuses: readonly MetricStatus[];
    };

/**
 * Recommends the most Pods that a metric asks for. A metric that fails holds back a scale-down, since it might have asked
 * for more, and lets a scale-up pass.
 */
// upstream: computeReplicasForMetrics
export function recommendReplicas(
  specs: readonly MetricSpec[],
  context: MetricContext,
): MetricsRecommendation {
  const results = specs.map((spec) => proposeReplicas(spec, context));
  const proposals = results.filter((result): result is Proposal => "replicas" in result);
  const failures = results.filter((result): result is FailedProposal => "error" in result);
  // Clients find the status of a metric by its position.
  const statuses = results.map((result, index) =>
    "status" in result ? result.status : { type: specs[index]?.type ?? "" },
  );
  let most: Proposal | undefined;
  for (const proposal of proposals)
    if (most === undefined || proposal.replicas > most.replicas) most = proposal;
  const first = failures[0];
  if (most !== undefined && (first === undefined || most.replicas >= context.currentReplicas)) {
    const { replicas, metric } = most;
    return { kind: "recommended", replicas, metric, proposals, failures, statuses };
  }
  const count = `${failures.length} invalid out of ${specs.length}`;
  const error = `invalid metrics (${count}), first error is: ${first?.error ?? "no metric was given"}`;
  return { kind: "failed", failures, error, statuses };
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
