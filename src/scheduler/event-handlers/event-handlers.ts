import type { Node } from "../../api/generated/core-v1.ts";
import type { StoredObject } from "../../api/object.ts";
import type { Informer, ResourceEventHandler } from "../../machinery/informer/informer.ts";
import type {
  ClusterEvent,
  ObjectAction,
  SelectingController,
} from "../../decisions/placement/cluster-event.ts";
import { nodeUpdateActions } from "../queue/update-actions.ts";
import type { SchedulerInformers } from "../scheduler-informers.ts";
import { type HandlerTargets, podHandler } from "./pod-handler.ts";

/** Runs the handler of an event and measures how long it takes. */
export type Timing = (event: string, work: () => void) => void;

/** A handler to be registered with its informer. */
export interface HandlerRegistration {
  /** True once the handler has got every object that exists, false when the signal aborts before. */
  readonly synced: (signal: AbortSignal) => Promise<boolean>;
  /** Registers the handler; the returned function removes it. */
  readonly start: () => () => void;
}

/** The event handlers of the scheduler (upstream: addAllEventHandlers). */
export function eventHandlers(
  informers: SchedulerInformers,
  targets: HandlerTargets,
  time: Timing,
): readonly HandlerRegistration[] {
  const register = <T extends StoredObject>(
    informer: Informer<T>,
    handler: ResourceEventHandler<T>,
  ): HandlerRegistration => ({
    synced: (signal) => informer.synced(signal),
    start: () => informer.addHandler(timed(informer.resource.kind, handler, time)),
  });
  const controllerHandler = <T extends SelectingController>(
    resource: "ReplicaSet" | "StatefulSet" | "ReplicationController",
  ) => movingHandler<T>(targets, (change) => ({ resource, ...change }));
  return [
    register(informers.nodes, nodeHandler(targets)),
    register(informers.pods, podHandler(targets)),
    register(
      informers.services,
      movingHandler(targets, (change) => ({ resource: "Service", ...change })),
    ),
    register(informers.replicaSets, controllerHandler("ReplicaSet")),
    register(informers.statefulSets, controllerHandler("StatefulSet")),
    register(informers.replicationControllers, controllerHandler("ReplicationController")),
    register(
      informers.storageClasses,
      movingHandler(targets, (change) => ({ resource: "StorageClass", ...change })),
    ),
    register(
      informers.persistentVolumes,
      movingHandler(targets, (change) => ({ resource: "PersistentVolume", ...change })),
    ),
    register(
      informers.persistentVolumeClaims,
      movingHandler(targets, (change) => ({ resource: "PersistentVolumeClaim", ...change })),
    ),
    register(informers.namespaces, {}),
    register(informers.podDisruptionBudgets, {}),
  ];
}

function timed<T>(kind: string, handler: ResourceEventHandler<T>, time: Timing): ResourceEventHandler<T> {
  return {
    added: (object) => time(`${kind}Add`, () => handler.added?.(object)),
    updated: (old, object) => time(`${kind}Update`, () => handler.updated?.(old, object)),
    deleted: (object) => time(`${kind}Delete`, () => handler.deleted?.(object)),
  };
}

/** Updates the cache before the queue for a new node, and after it for a deleted one, so that hints see the node. */
function nodeHandler({ cache, queue }: HandlerTargets): ResourceEventHandler<Node> {
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

/** Moves Pods on events of objects that placement looks up. */
function movingHandler<T extends StoredObject>(
  { queue }: HandlerTargets,
  eventOf: (change: { action: ObjectAction; before?: T; after?: T }) => ClusterEvent,
): ResourceEventHandler<T> {
  return {
    added: (after) => queue.moveOnEvent(eventOf({ action: "Add", after })),
    updated: (before, after) => queue.moveOnEvent(eventOf({ action: "Update", before, after })),
    deleted: (before) => queue.moveOnEvent(eventOf({ action: "Delete", before })),
  };
}
