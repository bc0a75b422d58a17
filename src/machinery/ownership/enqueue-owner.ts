import { deepEqual } from "../../api/deep-equal.ts";
import { isBeingDeleted, keyOf, type StoredObject } from "../../api/object.ts";
import { controllerOf } from "../../api/owner-references.ts";
import type { KeyQueue } from "../controller.ts";
import type { ResourceEventHandler } from "../informer/informer.ts";
import type { OwnerIndex } from "./owner-index.ts";

/** What a controller does with the events of the objects its owners control. */
export interface OwnerCallbacks<O, D> {
  /** Puts an owner into the queue; absent: at once. */
  readonly enqueue?: (owner: O) => void;
  /** An object that the owner controls has appeared and is not being deleted. */
  readonly created?: (owner: O, dependent: D) => void;
  readonly updated?: (owner: O, old: D, dependent: D) => void;
  /** An object that the owner controls, or did until now, is being deleted or gone. */
  readonly ended?: (owner: O, dependent: D) => void;
}

/**
 * Makes an event handler that enqueues the owner of an object; for an orphan, every owner that could adopt it. When the
 * controller reference changes, the former owner is enqueued too.
 */
// controller-runtime: EnqueueRequestForOwner
export function enqueueOwner<O extends StoredObject, D extends StoredObject>(
  index: OwnerIndex<O, D>,
  callbacksFor: (queue: KeyQueue) => OwnerCallbacks<O, D> = () => ({}),
) {
  return (queue: KeyQueue): ResourceEventHandler<D> => {
    const { enqueue = enqueueAtOnce(queue), ...callbacks } = callbacksFor(queue);
    const enqueueSelecting = (orphan: D) => index.ownersSelecting(orphan).forEach(enqueue);
    const withOwner = (dependent: D, act?: (owner: O) => void) => {
      const owner = index.ownerOf(dependent);
      if (owner === undefined) return;
      enqueue(owner);
      act?.(owner); // before any worker sees the key: workers run only after the handler has returned
    };
    const ended = (dependent: D) => withOwner(dependent, (owner) => callbacks.ended?.(owner, dependent));

    return {
      added(dependent) {
        // After a restart the first event of an object may find it being deleted: that is not a creation.
        if (isBeingDeleted(dependent)) ended(dependent);
        else if (controllerOf(dependent) === undefined) enqueueSelecting(dependent);
        else withOwner(dependent, (owner) => callbacks.created?.(owner, dependent));
      },

      updated(old, dependent) {
        if (old.metadata.resourceVersion === dependent.metadata.resourceVersion) return;
        const hasNewController = !deepEqual(controllerOf(old), controllerOf(dependent));
        if (isBeingDeleted(dependent)) {
          ended(dependent);
          // The former owner may be waiting for the deletion and gets no other event about it.
          if (hasNewController) ended(old);
          return;
        }
        if (hasNewController) withOwner(old);
        if (controllerOf(dependent) !== undefined)
          withOwner(dependent, (owner) => callbacks.updated?.(owner, old, dependent));
        else if (hasNewController || !deepEqual(old.metadata.labels, dependent.metadata.labels))
          enqueueSelecting(dependent);
      },

      deleted: ended,
    };
  };
}

/** Makes an event handler that enqueues the object itself. */
// controller-runtime: EnqueueRequestForObject
export function enqueueObject(queue: KeyQueue): Required<ResourceEventHandler<StoredObject>> {
  const enqueue = enqueueAtOnce(queue);
  return { added: enqueue, updated: (_old, object) => enqueue(object), deleted: enqueue };
}

function enqueueAtOnce(queue: KeyQueue): (object: StoredObject) => void {
  return (object) => queue.add(keyOf(object));
}
