import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { deployments as deploymentResource, replicaSets as replicaSetResource } from "../../api/resources.ts";
import { rolloutStateOf } from "../../decisions/gather/gather-rollout.ts";
import type { RolloutState } from "../../decisions/rollout/state.ts";
import { claimObjects } from "../../machinery/ownership/claim-objects.ts";
import { workloadSelection } from "../../api/labels/workload-selection.ts";
import type { DeploymentDependencies } from "./dependencies.ts";
import type { RevisionIndex } from "./revision-index.ts";
import type { DeploymentSync } from "./sync-context.ts";

/** Where the state of a Deployment is gathered from. */
export interface DeploymentStateSources extends Pick<DeploymentDependencies, "clock" | "gates"> {
  readonly index: RevisionIndex;
}

/** Claims a Deployment's ReplicaSets and gathers all that a plan for it depends on. */
export async function gatherDeploymentState(
  { clock, gates, index }: DeploymentStateSources,
  context: DeploymentSync,
): Promise<RolloutState> {
  const { deployment } = context;
  const replicaSets = await claimReplicaSets(index, context);
  const reader = { controlledPods: (replicaSet: ReplicaSet) => index.pods.controlledBy(replicaSet) };
  return rolloutStateOf({ deployment, replicaSets }, reader, { gates: gates(), now: clock.now() });
}

/** A Deployment that selects everything, or whose selector cannot be read, claims nothing; its plan reports that. */
async function claimReplicaSets(
  index: RevisionIndex,
  { deployment, client, wrote, signal }: DeploymentSync,
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
