import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import { deployments as deploymentResource, replicaSets as replicaSetResource } from "../../api/resources.ts";
import { downscalePodPickerOf } from "../../api/workload-settings.ts";
import { planRollout } from "../../decisions/rollout/plan-rollout.ts";
import {
  type DeploymentWrite,
  deploymentWriteOf,
  waitToRepeat,
} from "../../decisions/rollout/undone-write.ts";
import { hasCause } from "../../machinery/client/api-error.ts";
import { type ControllerSpec, done, watching } from "../../machinery/controller.ts";
import { ReadYourWrites } from "../../machinery/read-your-writes.ts";
import { ignoredPickers } from "../ignored-pickers.ts";
import { applyRolloutActions } from "./apply-actions.ts";
import type { DeploymentDependencies, DeploymentSync } from "./sync-context.ts";
import { deploymentEventHandler, endedPodEventHandler, replicaSetEventHandler } from "./event-handlers.ts";
import { revisionIndexOf, type RevisionIndex } from "./revision-index.ts";
import { rolloutStateOf } from "../../decisions/gather/gather-rollout.ts";
import type { RolloutState } from "../../decisions/rollout/state.ts";
import { claimObjects } from "../../machinery/ownership/claim-objects.ts";
import { workloadSelection } from "../../api/labels/workload-selection.ts";

/** Rolls out and scales Deployments: gather, plan, apply, record, requeue. */
export function deploymentController(deps: DeploymentDependencies): ControllerSpec {
  const { client, clock, deployments, replicaSets, pods, events, records, gates, log } = deps;
  const index = revisionIndexOf(deps);
  const sources = { clock, gates, index };
  const readYourWrites = new ReadYourWrites([deployments, replicaSets]);
  const lastWrites = new Map<string, DeploymentWrite>();
  const ignored = ignoredPickers({
    resource: deploymentResource,
    pickerOf: downscalePodPickerOf,
    gates,
    events,
  });

  const contextOf = (key: string, deployment: Deployment, signal: AbortSignal): DeploymentSync => {
    const { uid } = deployment.metadata;
    const wrote: DeploymentSync["wrote"] = (resource, { metadata }) =>
      readYourWrites.record({ key, uid }, resource, metadata.resourceVersion);
    return { deployment, client, events, wrote, versions: new Map(), signal };
  };

  return {
    name: "deployment",
    workers: 5,
    maxRetries: 15,
    ignores: (error) => hasCause(error, "NamespaceTerminating"),
    watches: [
      watching(deployments, deploymentEventHandler),
      watching(replicaSets, replicaSetEventHandler(index)),
      watching(pods, endedPodEventHandler(index)),
    ],
    written: readYourWrites,

    async reconcile(key, signal) {
      const deployment = deployments.get(key);
      if (deployment === undefined) {
        readYourWrites.forget(key);
        lastWrites.delete(key);
        ignored.forget(key);
        return done; // the garbage collector deletes its ReplicaSets
      }
      ignored.check(deployment);
      const context = contextOf(key, deployment, signal);

      const state = await gatherDeploymentState(sources, context);
      const planned = planRollout(state);
      const next = { actions: planned.actions, now: state.now };
      const waitUntil = waitToRepeat(lastWrites.get(key), deployment, next);
      if (waitUntil !== undefined) return { requeueAt: waitUntil };
      const plan = await applyRolloutActions(planned, state, context);
      const written = deploymentWriteOf(plan.actions, state.now);
      if (written !== undefined) lastWrites.set(key, written);
      records.add({ deployment, plan, gates: state.gates, now: state.now });

      const { outcome, recheckAt } = plan;
      if (outcome.kind === "invalid") log.warn("deployment is invalid", { key, errors: outcome.errors });
      if (outcome.kind === "retry")
        throw new Error("failed to calculate terminating replicas", { cause: outcome.because });
      return recheckAt === undefined ? done : { requeueAt: recheckAt };
    },
  };
}

/** Where the state of a Deployment is gathered from. */
interface DeploymentStateSources extends Pick<DeploymentDependencies, "clock" | "gates"> {
  readonly index: RevisionIndex;
}

/** Claims a Deployment's ReplicaSets and gathers all that a plan for it depends on. */
async function gatherDeploymentState(
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
