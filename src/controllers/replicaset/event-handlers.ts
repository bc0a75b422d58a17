import type { Pod } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import { isReady } from "../../api/pod-state.ts";
import { minReadySecondsOf } from "../../decisions/replicas/plan-replicas.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import type { KeyQueue } from "../../machinery/controller.ts";
import type { ResourceEventHandler } from "../../machinery/informer/informer.ts";
import { enqueueOwner } from "../../machinery/ownership/enqueue-owner.ts";
import type { OwnerIndex } from "../../machinery/ownership/owner-index.ts";
import type { ReplicaSyncState } from "./sync-state.ts";

/** Enqueues the owner of a Pod, or those that could adopt it, and observes what the owner expects. */
export function replicaPodEventHandler<T extends ReplicaOwner>(
  index: OwnerIndex<T, Pod>,
  { expectations }: Pick<ReplicaSyncState<T>, "expectations">,
) {
  return enqueueOwner(index, (queue) => ({
    enqueue: enqueueBatched(queue, (owner) => queue.addSoon(keyOf(owner))),
    created: (owner) => expectations.creationObserved(keyOf(owner)),
    updated(owner, old, pod) {
      if (isReady(old) || !isReady(pod)) return;
      // No event will tell when the Pod becomes available.
      const minReadySeconds = minReadySecondsOf(owner);
      if (minReadySeconds > 0) queue.addAfter(keyOf(owner), minReadySeconds * 1000);
    },
    ended: (owner, pod) => expectations.deletionObserved(keyOf(owner), keyOf(pod)),
  }));
}

/** Enqueues the owner itself, and forgets the state of one that is gone. */
export function ownerEventHandler<T extends ReplicaOwner>(syncState: ReplicaSyncState<T>) {
  return (queue: KeyQueue): ResourceEventHandler<T> => {
    const enqueue = (owner: T) => queue.add(keyOf(owner));
    const enqueueLater = enqueueBatched(queue, enqueue);
    return {
      added: enqueue,
      updated(old, owner) {
        if (syncState.ownFailureUpdates.isOwnUpdate(old, owner)) return;
        // A new generation is a change a user asked for; other updates are mostly the controller's own reports.
        if (old.metadata.generation === owner.metadata.generation) enqueueLater(owner);
        else enqueue(owner);
      },
      deleted(owner) {
        syncState.forget(keyOf(owner), owner.metadata.uid);
        enqueue(owner);
      },
    };
  };
}

/** Enqueues owners with few Pods as the caller chooses, and owners with many after a short delay that collects their events. */
function enqueueBatched<T extends ReplicaOwner>(
  queue: KeyQueue,
  enqueueSmall: (owner: T) => void,
): (owner: T) => void {
  return (owner) => {
    const delayMs = batchDelayMs(owner);
    if (delayMs > 0) queue.addAfter(keyOf(owner), delayMs);
    else enqueueSmall(owner);
  };
}

/** Owners with fewer Pods are synced without a delay, because such a sync is cheap. */
const batchedFrom = 100;

/**
 * How long the events of an owner's Pods are gathered into one sync. The cost of a sync grows with the number of Pods,
 * and many Pods have many events, mostly at the same time: a short delay saves nearly all of those syncs.
 */
function batchDelayMs({ spec, status }: ReplicaOwner): number {
  const count = Math.max(spec?.replicas ?? 1, status?.replicas ?? 0);
  return count < batchedFrom ? 0 : 1 + Math.floor(count / 1000);
}
