import { keyOf, type StoredObject } from "../../api/object.ts";
import { controllerOf } from "../../api/owner-references.ts";
import { type ControllerSpec, done, watching, type WatchSource } from "../../machinery/controller.ts";
import { type EventRecorder, referenceTo } from "../../machinery/events/event-draft.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import { loadAnnotation, readAnnotatedLoad } from "./annotated-load.ts";

/** What the controller depends on. */
export interface LoadCheckDependencies {
  /** Informers of the workloads that may have a load; the kubelet reports the problems of Pods. */
  readonly workloads: readonly Informer<StoredObject>[];
  readonly events: EventRecorder;
}

/**
 * Reports in an event what is wrong with the simulated load of a workload, since the API server accepts any annotation.
 */
export function loadCheckController({ workloads, events }: LoadCheckDependencies): ControllerSpec {
  const byKind = new Map(workloads.map((informer) => [informer.resource.kind, informer]));
  return {
    name: "simulated-load",
    workers: 1,
    watches: workloads.map(watchLoads),

    async reconcile(key) {
      const [kind = "", ...rest] = key.split("/");
      const informer = byKind.get(kind);
      const object = informer?.get(rest.join("/"));
      const text = object === undefined ? undefined : loadText(object);
      if (informer === undefined || object === undefined || text === undefined) return done;
      const read = readAnnotatedLoad(text);
      if ("problem" in read)
        events.record({
          regarding: referenceTo(informer.resource, object),
          type: "Warning",
          reason: "InvalidSimulation",
          message: `${loadAnnotation} ${read.problem}`,
        });
      return done;
    },
  };
}

function watchLoads(informer: Informer<StoredObject>): WatchSource {
  const { kind } = informer.resource;
  return watching(informer, (queue) => {
    const enqueue = (object: StoredObject) => queue.add(`${kind}/${keyOf(object)}`);
    return {
      added: (object) => void (loadText(object) !== undefined && enqueue(object)),
      updated: (old, object) => {
        const text = loadText(object);
        if (text !== undefined && text !== loadText(old)) enqueue(object);
      },
    };
  });
}

/** Returns the load of an object; an object with a controller has at most a copy, and its owner is checked instead. */
function loadText(object: StoredObject): string | undefined {
  const text = object.metadata.annotations?.[loadAnnotation];
  return text === undefined || controllerOf(object) !== undefined ? undefined : text;
}
