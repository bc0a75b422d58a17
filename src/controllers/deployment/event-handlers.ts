import { deepEqual } from "../../api/deep-equal.ts";
import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { isBeingDeleted, keyOf } from "../../api/object.ts";
import { controllerOf } from "../../api/owner-references.ts";
import { strategyOf } from "../../decisions/rollout/budget.ts";
import type { KeyQueue } from "../../machinery/controller.ts";
import type { ResourceEventHandler } from "../../machinery/informer/informer.ts";
import type { OwnerIndex } from "./owner-index.ts";

/** A Deployment's events concern itself. */
export function deploymentEventHandler(queue: KeyQueue): ResourceEventHandler<Deployment> {
  const wake = (deployment: Deployment) => queue.add(keyOf(deployment));
  return { added: wake, updated: (_old, deployment) => wake(deployment), deleted: wake };
}

/** Which Deployments a ReplicaSet's events concern: its owner, or those that could adopt it. */
export function replicaSetEventHandler(kinship: OwnerIndex) {
  return (queue: KeyQueue): ResourceEventHandler<ReplicaSet> => {
    const wakeOwner = (replicaSet: ReplicaSet) => {
      const owner = kinship.deploymentOf(replicaSet);
      if (owner !== undefined) queue.add(keyOf(owner));
    };
    const wakeSelecting = (replicaSet: ReplicaSet) => {
      for (const deployment of kinship.deploymentsSelecting(replicaSet)) queue.add(keyOf(deployment));
    };
    return {
      added(replicaSet) {
        const isOrphan = controllerOf(replicaSet) === undefined;
        if (isOrphan && !isBeingDeleted(replicaSet)) wakeSelecting(replicaSet);
        else wakeOwner(replicaSet);
      },
      updated(old, replicaSet) {
        if (old.metadata.resourceVersion === replicaSet.metadata.resourceVersion) return;
        const isPassedOn = !deepEqual(controllerOf(old), controllerOf(replicaSet));
        if (isPassedOn) wakeOwner(old);
        if (controllerOf(replicaSet) !== undefined) wakeOwner(replicaSet);
        else if (isPassedOn || !deepEqual(old.metadata.labels, replicaSet.metadata.labels))
          wakeSelecting(replicaSet);
      },
      deleted: wakeOwner,
    };
  };
}

/** Only the end of a Pod matters here, and only to those who wait for the last one; the rest ReplicaSets report. */
export function podEventHandler(kinship: OwnerIndex) {
  return (queue: KeyQueue): ResourceEventHandler<Pod> => ({
    deleted(pod) {
      const replicaSet = kinship.replicaSetOf(pod);
      const deployment = replicaSet === undefined ? undefined : kinship.deploymentOf(replicaSet);
      if (deployment !== undefined && strategyOf(deployment) === "Recreate") queue.add(keyOf(deployment));
    },
  });
}
