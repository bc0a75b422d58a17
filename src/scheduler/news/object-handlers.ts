import type { Node } from "../../api/generated/core-v1.ts";
import type { StoredObject } from "../../api/object.ts";
import type { InformerHandler } from "../../machinery/informer.ts";
import type { ClusterEvent, ObjectAction } from "../queue/cluster-event.ts";
import { nodeActions } from "../queue/object-changes.ts";
import type { Newsroom } from "./newsroom.ts";

/** Nodes are known before anybody is told that they are there, and until everybody knows that they are gone. */
export function nodeHandler({ cache, queue }: Newsroom): InformerHandler<Node> {
  return {
    added(after) {
      cache.setNode(after);
      queue.happened({ resource: "Node", action: "Add", after });
    },
    updated(before, after) {
      cache.setNode(after);
      for (const action of nodeActions(before, after))
        queue.happened({ resource: "Node", action, before, after });
    },
    deleted(before) {
      queue.happened({ resource: "Node", action: "Delete", before });
      cache.removeNode(before.metadata.name);
    },
  };
}

/** Objects that only say which Pods belong together. */
export function selectorHandler<T extends StoredObject>(
  { queue }: Newsroom,
  eventOf: (change: { action: ObjectAction; before?: T; after?: T }) => ClusterEvent,
): InformerHandler<T> {
  return {
    added: (after) => queue.happened(eventOf({ action: "Add", after })),
    updated: (before, after) => queue.happened(eventOf({ action: "Update", before, after })),
    deleted: (before) => queue.happened(eventOf({ action: "Delete", before })),
  };
}
