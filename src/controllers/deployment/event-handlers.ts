import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import { isTerminating } from "../../api/pod-state.ts";
import { podReplacementPolicyOf } from "../../api/workload-settings.ts";
import { strategyOf } from "../../decisions/rollout/budget.ts";
import type { KeyQueue } from "../../machinery/controller.ts";
import type { ResourceEventHandler } from "../../machinery/informer/informer.ts";
import { enqueueObject, enqueueOwner } from "../../machinery/ownership/enqueue-owner.ts";
import type { RevisionIndex } from "./revision-index.ts";

/** Enqueues the Deployment itself. */
export const deploymentEventHandler: (queue: KeyQueue) => ResourceEventHandler<Deployment> = enqueueObject;

/**
 * Enqueues the Deployment that owns a ReplicaSet, or those that could adopt it, after all events of this instant: while
 * Pods start, the status of a ReplicaSet changes several times in a row.
 */
export function replicaSetEventHandler({ replicaSets }: RevisionIndex) {
  return enqueueOwner<Deployment, ReplicaSet>(replicaSets, (queue) => ({
    enqueue: (deployment) => queue.addSoon(keyOf(deployment)),
  }));
}

/**
 * Enqueues the Deployment of a Pod that is gone or has ended, if its plan depends on Pods: it uses `Recreate`, or waits
 * for terminating Pods, which it may have seen before their ReplicaSet reported them. ReplicaSets report everything else.
 */
export function endedPodEventHandler({ replicaSets, pods }: RevisionIndex) {
  return (queue: KeyQueue): ResourceEventHandler<Pod> => {
    const enqueueDeploymentOf = (pod: Pod) => {
      const replicaSet = pods.ownerOf(pod);
      const deployment = replicaSet === undefined ? undefined : replicaSets.ownerOf(replicaSet);
      if (deployment === undefined) return;
      if (strategyOf(deployment) === "Recreate" || waitsForPods(deployment)) queue.add(keyOf(deployment));
    };
    return {
      updated(old, pod) {
        if (isTerminating(old) && !isTerminating(pod)) enqueueDeploymentOf(pod);
      },
      deleted: enqueueDeploymentOf,
    };
  };
}

function waitsForPods(deployment: Deployment): boolean {
  return podReplacementPolicyOf(deployment) === "TerminationComplete";
}
