import type { Deployment } from "../../api/generated/apps-v1.ts";
import { deployments as deploymentResource } from "../../api/resources.ts";
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
import type { DeploymentDependencies } from "./dependencies.ts";
import { deploymentEventHandler, endedPodEventHandler, replicaSetEventHandler } from "./event-handlers.ts";
import { gatherDeploymentState } from "./gather-state.ts";
import { revisionIndexOf } from "./revision-index.ts";
import type { DeploymentSync } from "./sync-context.ts";

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
