import { deepEqual } from "../../api/deep-equal.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { isBeingDeleted, keyOf } from "../../api/object.ts";
import { controllerOf } from "../../api/owner-references.ts";
import { isReady } from "../../api/pod-state.ts";
import { minReadySecondsOf } from "../../decisions/replicas/availability.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import type { KeyQueue } from "../../machinery/controller.ts";
import type { ResourceEventHandler } from "../../machinery/informer/informer.ts";
import type { OwnerIndex } from "./owner-index.ts";
import type { SyncState } from "./sync-state.ts";

/** Which owners a Pod's events concern, and what they were waiting for. */
export function podEventHandler<T extends ReplicaOwner>(
  kinship: OwnerIndex<T>,
  { expectations }: SyncState<T>,
) {
  return (queue: KeyQueue): ResourceEventHandler<Pod> => {
    const wake = waking(queue);
    const wakeSelecting = (pod: Pod) => kinship.ownersSelecting(pod).forEach(wake);

    const ended = (pod: Pod) => {
      const owner = kinship.ownerOf(pod);
      if (owner === undefined) return;
      expectations.deletionObserved(keyOf(owner), keyOf(pod));
      wake(owner);
    };

    const became = (old: Pod, pod: Pod, owner: T | undefined) => {
      wake(owner);
      if (owner === undefined || isReady(old) || !isReady(pod)) return;
      // Nothing will happen when it becomes available, so somebody has to look.
      const minReadySeconds = minReadySecondsOf(owner);
      if (minReadySeconds > 0) queue.addAfter(keyOf(owner), minReadySeconds * 1000);
    };

    return {
      added(pod) {
        // A restart may meet a Pod that is ending: it is no answer to a creation.
        if (isBeingDeleted(pod)) return ended(pod);
        if (controllerOf(pod) === undefined) return wakeSelecting(pod);
        const owner = kinship.ownerOf(pod);
        if (owner !== undefined) expectations.creationObserved(keyOf(owner));
        wake(owner);
      },

      updated(old, pod) {
        if (old.metadata.resourceVersion === pod.metadata.resourceVersion) return;
        const isRelabelled = !deepEqual(old.metadata.labels, pod.metadata.labels);
        const isPassedOn = !deepEqual(controllerOf(old), controllerOf(pod));
        if (isBeingDeleted(pod)) {
          ended(pod);
          // Whoever had it may be waiting for its end, and hears of it no more.
          if (isPassedOn) ended(old);
          return;
        }
        if (isPassedOn) wake(kinship.ownerOf(old));
        if (controllerOf(pod) !== undefined) became(old, pod, kinship.ownerOf(pod));
        else if (isRelabelled || isPassedOn) wakeSelecting(pod);
      },

      deleted: ended,
    };
  };
}

/** An owner's events concern itself. */
export function ownerEventHandler<T extends ReplicaOwner>(memory: SyncState<T>) {
  return (queue: KeyQueue): ResourceEventHandler<T> => {
    const wake = waking(queue);
    const wakeAtOnce = (owner: T) => queue.add(keyOf(owner));
    return {
      added: wakeAtOnce,
      updated(old, owner) {
        if (memory.ownFailureUpdates.isOwnUpdate(old, owner)) return;
        // A new generation is somebody's wish; the rest is mostly what we have reported ourselves.
        if (old.metadata.generation === owner.metadata.generation) wake(owner);
        else wakeAtOnce(owner);
      },
      deleted(owner) {
        memory.forget(keyOf(owner), owner.metadata.uid);
        wakeAtOnce(owner);
      },
    };
  };
}

/** Puts owners into the queue, those with many Pods in a moment. */
function waking(queue: KeyQueue): (owner: ReplicaOwner | undefined) => void {
  return (owner) => {
    if (owner === undefined) return;
    const waitMs = gatheringMs(owner);
    if (waitMs > 0) queue.addAfter(keyOf(owner), waitMs);
    else queue.add(keyOf(owner));
  };
}

/** So few Pods are looked at in no time. */
const few = 100;

/**
 * How long the events of an owner's Pods are gathered. A look at it costs as much as it has Pods, and many Pods have
 * many events, mostly in the same instants: a moment's patience saves nearly all of those looks.
 */
function gatheringMs({ spec, status }: ReplicaOwner): number {
  const count = Math.max(spec?.replicas ?? 1, status?.replicas ?? 0);
  return count < few ? 0 : 1 + Math.floor(count / 1000);
}
