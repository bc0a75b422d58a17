import type { ControllerRevision, StatefulSet } from "../../api/generated/apps-v1.ts";
import type { PersistentVolumeClaim, Pod } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import { isReady } from "../../api/pod-state.ts";
import { claimNamesOf } from "../../decisions/stateful/claim.ts";
import type { KeyQueue } from "../../machinery/controller.ts";
import type { Informer, ResourceEventHandler } from "../../machinery/informer/informer.ts";
import { enqueueOwner } from "../../machinery/ownership/enqueue-owner.ts";
import type { OwnerIndex } from "../../machinery/ownership/owner-index.ts";

/** Enqueues the set of a Pod, or those that could adopt it. */
export function statefulPodEventHandler(index: OwnerIndex<StatefulSet, Pod>) {
  return enqueueOwner(index, (queue) => ({
    enqueue: enqueueBatched(queue),
    updated(set, old, pod) {
      if (isReady(old) || !isReady(pod)) return;
      // No event will tell when the Pod becomes available.
      const { minReadySeconds = 0 } = set.spec;
      if (minReadySeconds > 0) queue.addAfter(keyOf(set), minReadySeconds * 1000);
    },
  }));
}

/** Enqueues the set of a revision that was changed or deleted, or those that could adopt it. */
export function revisionEventHandler(index: OwnerIndex<StatefulSet, ControllerRevision>) {
  return enqueueOwner(index, (queue) => ({ enqueue: enqueueBatched(queue) }));
}

/** Enqueues the set whose Pod a claim is for: its new Pod may wait until the claim of an earlier one is gone. */
export function claimEventHandler(sets: Pick<Informer<StatefulSet>, "get">) {
  return (queue: KeyQueue): ResourceEventHandler<PersistentVolumeClaim> => {
    const enqueue = (claim: PersistentVolumeClaim) => {
      for (const set of setsOfClaim(claim, sets)) queue.addSoon(keyOf(set));
    };
    return {
      added: () => undefined,
      updated: (_old, claim) => enqueue(claim),
      deleted: enqueue,
    };
  };
}

/** The sets that would give a claim its name: `data-web-1` is of `web`, or of `data-web` with a template without a name. */
function setsOfClaim(
  { metadata: { name, namespace } }: PersistentVolumeClaim,
  sets: Pick<Informer<StatefulSet>, "get">,
): readonly StatefulSet[] {
  const parts = /^(.+)-(0|[1-9][0-9]*)$/.exec(name);
  const [, prefix = "", ordinal = ""] = parts ?? [];
  const words = prefix.split("-");
  return words.flatMap((_, from) => {
    if (from === 0) return [];
    const metadata = { name: words.slice(from).join("-"), ...(namespace !== undefined && { namespace }) };
    const set = sets.get(keyOf({ metadata }));
    return set !== undefined && claimNamesOf(set, Number(ordinal)).includes(name) ? [set] : [];
  });
}

/** Enqueues the set itself. */
export function statefulSetEventHandler(forget: (set: StatefulSet) => void) {
  return (queue: KeyQueue): ResourceEventHandler<StatefulSet> => {
    const enqueue = (set: StatefulSet) => queue.add(keyOf(set));
    const enqueueLater = enqueueBatched(queue);
    return {
      added: enqueue,
      updated(old, set) {
        // A new generation is a change a user asked for; other updates are mostly the controller's own reports.
        if (old.metadata.generation === set.metadata.generation) enqueueLater(set);
        else enqueue(set);
      },
      deleted(set) {
        forget(set);
        enqueue(set);
      },
    };
  };
}

/** Sets with fewer Pods are synced without a delay, because such a sync is cheap. */
const batchedFrom = 100;

/** Enqueues sets with few Pods at once, and sets with many after a short delay that collects their events. */
function enqueueBatched(queue: KeyQueue): (set: StatefulSet) => void {
  return (set) => {
    const count = Math.max(set.spec.replicas ?? 1, set.status?.replicas ?? 0);
    if (count < batchedFrom) queue.addSoon(keyOf(set));
    else queue.addAfter(keyOf(set), 1 + Math.floor(count / 1000));
  };
}
