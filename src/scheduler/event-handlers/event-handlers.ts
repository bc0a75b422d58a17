import type { StoredObject } from "../../api/object.ts";
import type { Informer, ResourceEventHandler } from "../../machinery/informer/informer.ts";
import type { SelectingController } from "../../decisions/placement/cluster-event.ts";
import type { SchedulerInformers } from "../scheduler-informers.ts";
import type { HandlerTargets } from "./handler-targets.ts";
import { nodeHandler, selectorHandler } from "./object-handlers.ts";
import { podHandler } from "./pod-handler.ts";

/** Runs some work and tells how long it took. */
export type Timing = (event: string, work: () => void) => void;

/** An informer and what it feeds. */
export interface HandlerRegistration {
  /** True once everything that is there has been told, false when the signal aborts before. */
  readonly synced: (signal: AbortSignal) => Promise<boolean>;
  /** Tells from now on; the returned function ends that. */
  readonly start: () => () => void;
}

/** Everything the scheduler hears of. */
export function eventHandlers(
  informers: SchedulerInformers,
  newsroom: HandlerTargets,
  time: Timing,
): readonly HandlerRegistration[] {
  const feed = <T extends StoredObject>(
    informer: Informer<T>,
    handler: ResourceEventHandler<T>,
  ): HandlerRegistration => ({
    synced: (signal) => informer.synced(signal),
    start: () => informer.addHandler(timed(informer.resource.kind, handler, time)),
  });
  const owner = <T extends SelectingController>(
    resource: "ReplicaSet" | "StatefulSet" | "ReplicationController",
  ) => selectorHandler<T>(newsroom, (change) => ({ resource, ...change }));
  return [
    feed(informers.nodes, nodeHandler(newsroom)),
    feed(informers.pods, podHandler(newsroom)),
    feed(
      informers.services,
      selectorHandler(newsroom, (change) => ({ resource: "Service", ...change })),
    ),
    feed(informers.replicaSets, owner("ReplicaSet")),
    feed(informers.statefulSets, owner("StatefulSet")),
    feed(informers.replicationControllers, owner("ReplicationController")),
    feed(informers.namespaces, {}),
  ];
}

function timed<T>(kind: string, handler: ResourceEventHandler<T>, time: Timing): ResourceEventHandler<T> {
  return {
    added: (object) => time(`${kind}Add`, () => handler.added?.(object)),
    updated: (old, object) => time(`${kind}Update`, () => handler.updated?.(old, object)),
    deleted: (object) => time(`${kind}Delete`, () => handler.deleted?.(object)),
  };
}
