import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { StoredObject } from "../../api/object.ts";
import type { Resource } from "../../api/resource.ts";
import { deployments as deploymentResource, replicaSets as replicaSetResource } from "../../api/resources.ts";
import { strategyOf } from "../../decisions/rollout/budget.ts";
import { hasCause } from "../../machinery/client/api-error.ts";
import { type ControllerSpec, done, watching } from "../../machinery/controller.ts";
import { ReadYourWrites } from "../../machinery/read-your-writes.ts";
import { claimObjects } from "../../machinery/ownership/claim-objects.ts";
import { planAndApply } from "./plan-and-apply.ts";
import type { DeploymentDependencies } from "./dependencies.ts";
import { deploymentEventHandler, podEventHandler, replicaSetEventHandler } from "./event-handlers.ts";
import { type RevisionIndex, revisionIndexOf } from "./revision-index.ts";
import { workloadSelection } from "../../machinery/ownership/workload-selection.ts";

/** Rolls out and scales Deployments: gather, plan, carry out. */
export function deploymentController(deps: DeploymentDependencies): ControllerSpec {
  const { client, clock, deployments, replicaSets, pods, events, records, log } = deps;
  const index = revisionIndexOf(deps);
  const written = new ReadYourWrites([deployments, replicaSets]);
  return {
    name: "deployment",
    workers: 5,
    maxRetries: 15,
    ignores: (error) => hasCause(error, "NamespaceTerminating"),
    watches: [
      watching(deployments, deploymentEventHandler),
      watching(replicaSets, replicaSetEventHandler(index)),
      watching(pods, podEventHandler(index)),
    ],
    written,

    async reconcile(key, signal) {
      const deployment = deployments.get(key);
      if (deployment === undefined) {
        written.forget(key);
        return done; // its ReplicaSets belong to the garbage collector now
      }
      const { uid } = deployment.metadata;
      const wrote = (resource: Resource, { metadata }: StoredObject) =>
        written.record({ key, uid }, resource, metadata.resourceVersion);

      const claimed = await claim(deployment, index, { client, wrote, signal });
      const now = clock.now();
      const gates = deps.gates();
      const state = {
        deployment,
        replicaSets: claimed,
        pods: podsOf(deployment, claimed, index),
        gates,
        now,
      };
      const plan = await planAndApply(state, { deployment, client, events, wrote, signal });
      records.add({ deployment, plan, gates, now });

      const { outcome, recheckAt } = plan;
      if (outcome.kind === "invalid")
        log.warn("deployment cannot be understood", { key, errors: outcome.errors });
      if (outcome.kind === "retry")
        throw new Error("failed to calculate terminating replicas", { cause: outcome.because });
      return recheckAt === undefined ? done : { requeueAt: recheckAt };
    },
  };
}

/** Only `Recreate` looks at Pods; for the others gathering them would be work for nothing. */
function podsOf(
  deployment: Deployment,
  claimed: readonly ReplicaSet[],
  index: RevisionIndex,
): readonly Pod[] {
  return strategyOf(deployment) === "Recreate"
    ? claimed.flatMap((replicaSet) => index.pods.controlledBy(replicaSet))
    : [];
}

/** The ReplicaSets that are a Deployment's. One that selects everything claims nothing: the plan says so to people. */
async function claim(
  deployment: Deployment,
  index: RevisionIndex,
  errand: Pick<Parameters<typeof claimObjects>[1], "client" | "wrote" | "signal">,
): Promise<readonly ReplicaSet[]> {
  const selection = workloadSelection(deployment);
  if (selection === undefined) return [];
  return claimObjects(index.replicaSets.claimableBy(deployment), {
    ...errand,
    owner: deployment,
    ownerResource: deploymentResource,
    resource: replicaSetResource,
    selection,
  });
}
