import { deepEqual } from "../../api/deep-equal.ts";
import type { DaemonSet } from "../../api/generated/apps-v1.ts";
import type { Node, Pod } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import { nodeEligibility } from "../../decisions/daemon/node-eligibility.ts";
import type { KeyQueue } from "../../machinery/controller.ts";
import type { Informer, ResourceEventHandler } from "../../machinery/informer/informer.ts";
import { enqueueOwner } from "../../machinery/ownership/enqueue-owner.ts";
import type { OwnerIndex } from "../../machinery/ownership/owner-index.ts";
import type { DaemonSyncState } from "./sync-context.ts";

/** Enqueues the DaemonSet itself, and forgets the state of one that is gone. */
export function daemonSetEventHandler(syncState: DaemonSyncState) {
  return (queue: KeyQueue): ResourceEventHandler<DaemonSet> => {
    const enqueue = (daemonSet: DaemonSet) => queue.add(keyOf(daemonSet));
    return {
      added: enqueue,
      updated(old, daemonSet) {
        // A new generation is a change a user asked for; other updates are mostly the controller's own reports.
        if (old.metadata.generation === daemonSet.metadata.generation) enqueueBatched(queue)(daemonSet);
        else enqueue(daemonSet);
      },
      deleted(daemonSet) {
        syncState.forget(keyOf(daemonSet), daemonSet.metadata.uid);
        enqueue(daemonSet);
      },
    };
  };
}

/** Enqueues the DaemonSet of a Pod, or those that could adopt it, and observes what the DaemonSet expects. */
export function daemonPodEventHandler(
  index: OwnerIndex<DaemonSet, Pod>,
  { expectations }: Pick<DaemonSyncState, "expectations">,
) {
  return enqueueOwner(index, (queue) => ({
    enqueue: enqueueBatched(queue),
    created: (daemonSet) => expectations.creationObserved(keyOf(daemonSet)),
    ended: (daemonSet, pod) => expectations.deletionObserved(keyOf(daemonSet), keyOf(pod)),
  }));
}

/** Enqueues the DaemonSets that a change of a node concerns. */
export function nodeEventHandler(daemonSets: Pick<Informer<DaemonSet>, "list">) {
  return (queue: KeyQueue): ResourceEventHandler<Node> => {
    const enqueue = enqueueBatched(queue);
    const enqueueConcerned = (isConcerned: (daemonSet: DaemonSet) => boolean) =>
      daemonSets.list().filter(isConcerned).forEach(enqueue);
    // A Pod may be there already, or still: it counts otherwise from now on.
    const enqueueAll = () => enqueueConcerned(() => true);
    return {
      added: enqueueAll,
      updated(old, node) {
        if (hasSameTraits(old, node)) return;
        enqueueConcerned((daemonSet) => {
          const eligibilityOf = nodeEligibility(daemonSet);
          return eligibilityOf(old).kind !== eligibilityOf(node).kind;
        });
      },
      deleted: enqueueAll,
    };
  };
}

/** Whether two states of a node are the same to all DaemonSets. */
function hasSameTraits(old: Node, node: Node): boolean {
  return (
    deepEqual(old.metadata.labels, node.metadata.labels) && deepEqual(old.spec?.taints, node.spec?.taints)
  );
}

/** DaemonSets on fewer nodes are synced without a delay, because such a sync is cheap. */
const batchedFrom = 100;

/**
 * Enqueues DaemonSets on few nodes once all other work of this instant is done, and those on many after a short delay
 * that collects the events of their Pods and nodes: the cost of a sync grows with the number of nodes.
 */
function enqueueBatched(queue: KeyQueue): (daemonSet: DaemonSet) => void {
  return (daemonSet) => {
    const { desiredNumberScheduled = 0 } = daemonSet.status ?? {};
    if (desiredNumberScheduled < batchedFrom) queue.addSoon(keyOf(daemonSet));
    else queue.addAfter(keyOf(daemonSet), 1 + Math.floor(desiredNumberScheduled / 1000));
  };
}
