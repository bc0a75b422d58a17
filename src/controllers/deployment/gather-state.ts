import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { deployments as deploymentResource, replicaSets as replicaSetResource } from "../../api/resources.ts";
import { isActive, isTerminating } from "../../api/pod-state.ts";
import { strategyOf } from "../../decisions/rollout/budget.ts";
import { withoutTerminatingCount } from "../../decisions/rollout/counts.ts";
import type { RolloutState } from "../../decisions/rollout/state.ts";
import { claimObjects } from "../../machinery/ownership/claim-objects.ts";
import { workloadSelection } from "../../machinery/ownership/workload-selection.ts";
import type { DeploymentDependencies } from "./dependencies.ts";
import type { RevisionIndex } from "./revision-index.ts";
import type { SyncContext } from "./sync-context.ts";

/** Where the state of a Deployment is gathered from. */
export interface StateSources extends Pick<DeploymentDependencies, "clock" | "gates"> {
  readonly index: RevisionIndex;
}

/** Claims a Deployment's ReplicaSets and gathers all that a plan for it depends on. */
export async function gatherState(
  { clock, gates, index }: StateSources,
  context: SyncContext,
): Promise<RolloutState> {
  const { deployment } = context;
  const replicaSets = await claimReplicaSets(index, context);
  // Only a plan for `Recreate` depends on Pods.
  const isRecreate = strategyOf(deployment) === "Recreate";
  const pods = isRecreate ? replicaSets.flatMap((replicaSet) => index.pods.controlledBy(replicaSet)) : [];
  const counted = countPods(replicaSets, index);
  return { deployment, replicaSets, pods, counted, gates: gates(), now: clock.now() };
}

/** Counts the Pods of the ReplicaSets whose status does not say how many are terminating. */
function countPods(
  replicaSets: readonly ReplicaSet[],
  index: RevisionIndex,
): NonNullable<RolloutState["counted"]> {
  const uncounted = withoutTerminatingCount(replicaSets).map((replicaSet) => {
    const pods = index.pods.controlledBy(replicaSet);
    const running = pods.filter(isActive).length;
    return [replicaSet.metadata.uid, { running, terminating: pods.filter(isTerminating).length }] as const;
  });
  return Object.fromEntries(uncounted);
}

/** A Deployment that selects everything, or whose selector cannot be read, claims nothing; its plan reports that. */
async function claimReplicaSets(
  index: RevisionIndex,
  { deployment, client, wrote, signal }: SyncContext,
): Promise<readonly ReplicaSet[]> {
  const selection = workloadSelection(deployment);
  if (selection === undefined) return [];
  return claimObjects(index.replicaSets.claimableBy(deployment), {
    owner: deployment,
    ownerResource: deploymentResource,
    resource: replicaSetResource,
    selection,
    client,
    wrote,
    signal,
  });
}
