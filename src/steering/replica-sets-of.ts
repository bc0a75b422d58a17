import type { Deployment, ReplicaSet } from "../api/generated/apps-v1.ts";
import { keyOf } from "../api/object.ts";
import { isControlledBy } from "../api/owner-references.ts";
import type { KeyQueue } from "../machinery/controller.ts";
import type { Informer, ResourceEventHandler } from "../machinery/informer/informer.ts";
import { deploymentNameOf } from "./admission/find-workload.ts";

const byDeployment = "steering-deployment";

/** Lets `replicaSetsOf` be asked of an informer. */
export function indexByDeployment(replicaSets: Informer<ReplicaSet>): void {
  replicaSets.addIndex(byDeployment, (replicaSet) => deploymentKeysOf(replicaSet));
}

/** The ReplicaSets that a Deployment controls, as far as the informer knows. */
export function replicaSetsOf(
  replicaSets: Informer<ReplicaSet>,
  deployment: Deployment,
): readonly ReplicaSet[] {
  return replicaSets
    .byIndex(byDeployment, keyOf(deployment))
    .filter((each) => isControlledBy(each, deployment.metadata.uid));
}

/** Makes an event handler that enqueues the Deployment of a ReplicaSet. */
export function enqueueDeployment(queue: KeyQueue): Required<ResourceEventHandler<ReplicaSet>> {
  const enqueue = (replicaSet: ReplicaSet) => {
    for (const key of deploymentKeysOf(replicaSet)) queue.add(key);
  };
  return { added: enqueue, updated: (_, replicaSet) => enqueue(replicaSet), deleted: enqueue };
}

function deploymentKeysOf(replicaSet: ReplicaSet): readonly string[] {
  const owner = deploymentNameOf(replicaSet);
  return owner === undefined ? [] : [keyOf({ metadata: owner })];
}
