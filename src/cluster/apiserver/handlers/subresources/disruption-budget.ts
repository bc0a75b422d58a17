import type { Pod } from "../../../../api/generated/core-v1.ts";
import type { PodDisruptionBudget } from "../../../../api/generated/policy-v1.ts";
import type { JsonObject } from "../../../../api/json.ts";
import { withDisruptionSpent } from "../../../../api/disruption-allowed.ts";
import { compileLabelSelector } from "../../../../api/labels/compile-label-selector.ts";
import { matchesLabels } from "../../../../api/labels/label-selector.ts";
import { qualifiedName } from "../../../../api/resource.ts";
import { podDisruptionBudgets } from "../../../../api/resources.ts";
import { isActive, isReady } from "../../../../api/pod-state.ts";
import type { ServerContext } from "../../server-context.ts";
import { internalError, tooManyRequests } from "../../status-errors.ts";
import { commitPut } from "../../storage/commit.ts";

/** Takes one disruption from the PodDisruptionBudget of a Pod; throws 429 when none is left, 500 when several match. */
export function spendDisruption(context: ServerContext, pod: Pod, dryRun: boolean): void {
  if (pod.status?.phase === "Pending" || !isActive(pod)) return;
  const [budget, another] = budgetsOf(context, pod);
  if (budget === undefined) return;
  if (another !== undefined)
    throw internalError(
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    );
  if (!isReady(pod) && canEvictUnready(budget)) return;
  refuseIfSpent(budget);
  record(context, budget, { pod, dryRun });
}

function budgetsOf({ store }: ServerContext, { metadata }: Pod): PodDisruptionBudget[] {
  const found: PodDisruptionBudget[] = [];
  for (const { object } of store
    .collection(qualifiedName(podDisruptionBudgets))
    .records({ namespace: metadata.namespace })) {
    const budget = object as unknown as PodDisruptionBudget;
    const compiled = compileLabelSelector(budget.spec?.selector);
    if (compiled.ok && matchesLabels(compiled.selection, metadata.labels)) found.push(budget);
  }
  return found;
}

/**
 * Reports whether an unready Pod may be evicted without a disruption: by policy, or because enough Pods are healthy.
 */
function canEvictUnready({ spec, status }: PodDisruptionBudget): boolean {
  if (spec?.unhealthyPodEvictionPolicy === "AlwaysAllow") return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

function refuseIfSpent({ metadata, status }: PodDisruptionBudget): void {
  const why = "Cannot evict pod as it would violate the pod's disruption budget.";
  const {
    observedGeneration = 0,
    disruptionsAllowed = 0,
    desiredHealthy = 0,
    currentHealthy = 0,
  } = status ?? {};
  if (observedGeneration < (metadata.generation ?? 0)) {
    const message = `The disruption budget ${metadata.name} is still being processed by the server.`;
    throw tooManyRequests(why, 10, [{ reason: "DisruptionBudget", message }]);
  }
  if (disruptionsAllowed > 0) return;
  const message = `The disruption budget ${metadata.name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  throw tooManyRequests(why, 0, [{ reason: "DisruptionBudget", message }]);
}

interface Disruption {
  readonly pod: Pod;
  readonly dryRun: boolean;
}

function record(context: ServerContext, budget: PodDisruptionBudget, { pod, dryRun }: Disruption): void {
  const { group, version, plural } = podDisruptionBudgets;
  const resource = context.kinds.find(group, version, plural);
  if (resource === undefined) return;
  const status = withDisruptionSpent(budget.status, pod.metadata.name, context.clock.now());
  commitPut(context, { resource, object: { ...budget, status } as unknown as JsonObject, dryRun });
}
