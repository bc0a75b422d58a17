import type { MetricSpec } from "../../api/generated/autoscaling-v2.ts";
import type { FailedProposal, MetricContext, Proposal } from "./metric-proposal.ts";
import { byContainerResource, byPods, byResource } from "./propose-from-pods.ts";
import { byExternal, byObject } from "./propose-from-total.ts";

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
