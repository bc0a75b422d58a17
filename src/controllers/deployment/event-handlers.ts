import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import { strategyOf } from "../../decisions/rollout/budget.ts";
import type { KeyQueue } from "../../machinery/controller.ts";
import type { ResourceEventHandler } from "../../machinery/informer/informer.ts";
import { enqueueObject, enqueueOwner } from "../../machinery/ownership/enqueue-owner.ts";
import type { RevisionIndex } from "./revision-index.ts";

/** Enqueues the Deployment itself. */
export const deploymentEventHandler: (queue: KeyQueue) => ResourceEventHandler<Deployment> = enqueueObject;

/** Enqueues the Deployment that owns a ReplicaSet, or those that could adopt it. */
export function replicaSetEventHandler({ replicaSets }: RevisionIndex) {
  return enqueueOwner<Deployment, ReplicaSet>(replicaSets);
}

/** Enqueues a Deployment that uses `Recreate` when one of its Pods is gone; all else its ReplicaSets report. */
export function podEventHandler({ replicaSets, pods }: RevisionIndex) {
  return (queue: KeyQueue): ResourceEventHandler<Pod> => ({
    deleted(pod) {
      const replicaSet = pods.ownerOf(pod);
      const deployment = replicaSet === undefined ? undefined : replicaSets.ownerOf(replicaSet);
      if (deployment !== undefined && strategyOf(deployment) === "Recreate") queue.add(keyOf(deployment));
    },
  });
}
