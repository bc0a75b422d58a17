import type { Node } from "../../api/generated/core-v1.ts";
import type { StoredObject } from "../../api/object.ts";
import type { ResourceEventHandler } from "../../machinery/informer/informer.ts";
import type { ClusterEvent, ObjectAction } from "../../decisions/placement/cluster-event.ts";
import { nodeUpdateActions } from "../queue/update-actions.ts";
import type { HandlerTargets } from "./handler-targets.ts";

/** Updates the cache before the queue for a new node, and after it for a deleted one, so that hints see the node. */
export function nodeHandler({ cache, queue }: HandlerTargets): ResourceEventHandler<Node> {
  return {
    added(after) {
      cache.setNode(after);
      queue.moveOnEvent({ resource: "Node", action: "Add", after });
    },
    updated(before, after) {
      cache.setNode(after);
      for (const action of nodeUpdateActions(before, after))
        queue.moveOnEvent({ resource: "Node", action, before, after });
    },
    deleted(before) {
      queue.moveOnEvent({ resource: "Node", action: "Delete", before });
      cache.removeNode(before.metadata.name);
    },
  };
}

/** Moves Pods on events of objects whose selectors default spreading uses. */
export function selectorHandler<T extends StoredObject>(
  { queue }: HandlerTargets,
  eventOf: (change: { action: ObjectAction; before?: T; after?: T }) => ClusterEvent,
): ResourceEventHandler<T> {
  return {
    added: (after) => queue.moveOnEvent(eventOf({ action: "Add", after })),
    updated: (before, after) => queue.moveOnEvent(eventOf({ action: "Update", before, after })),
    deleted: (before) => queue.moveOnEvent(eventOf({ action: "Delete", before })),
  };
}
