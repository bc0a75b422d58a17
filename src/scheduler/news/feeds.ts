import type { StoredObject } from "../../api/object.ts";
import type { Informer, InformerHandler } from "../../machinery/informer.ts";
import type { Owner } from "../queue/cluster-event.ts";
import type { SchedulerInformers } from "../scheduler-informers.ts";
import type { Newsroom } from "./newsroom.ts";
import { nodeHandler, selectorHandler } from "./object-handlers.ts";
import { podHandler } from "./pod-handler.ts";

/** Runs some work and tells how long it took. */
export type Timing = (event: string, work: () => void) => void;

/** An informer and what it feeds. */
export interface Feed {
  /** True once everything that is there has been told, false when the signal aborts before. */
  readonly synced: (signal: AbortSignal) => Promise<boolean>;
  /** Tells from now on; the returned function ends that. */
  readonly start: () => () => void;
}

/** Everything the scheduler hears of. */
export function feeds(informers: SchedulerInformers, newsroom: Newsroom, time: Timing): readonly Feed[] {
  const feed = <T extends StoredObject>(informer: Informer<T>, handler: InformerHandler<T>): Feed => ({
    synced: (signal) => informer.synced(signal),
    start: () => informer.addHandler(timed(informer.resource.kind, handler, time)),
  });
  const owner = <T extends Owner>(resource: "ReplicaSet" | "StatefulSet" | "ReplicationController") =>
    selectorHandler<T>(newsroom, (change) => ({ resource, ...change }));
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

function timed<T>(kind: string, handler: InformerHandler<T>, time: Timing): InformerHandler<T> {
  return {
    added: (object) => time(`${kind}Add`, () => handler.added?.(object)),
    updated: (old, object) => time(`${kind}Update`, () => handler.updated?.(old, object)),
    deleted: (object) => time(`${kind}Delete`, () => handler.deleted?.(object)),
  };
}
