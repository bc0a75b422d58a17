import type { Pod } from "../../api/generated/core-v1.ts";
import type { OwnerReference } from "../../api/generated/meta-v1.ts";
import type { Load } from "../../api/load/load.ts";
import { keyOf, type StoredObject } from "../../api/object.ts";
import { controllerOf } from "../../api/owner-references.ts";
import { type Instant, parseTime } from "../../api/time.ts";
import { loadAnnotation, readAnnotatedLoad } from "./annotated-load.ts";
import { measuredPod } from "./measured-pod.ts";

/** The objects that simulated metrics are computed from. */
export interface LoadObjects {
  readonly podsIn: (namespace: string) => Iterable<Pod>;
  /** A workload by its kind and key; `undefined` if there is none, or its kind has no load. */
  readonly workload: (kind: string, key: string) => StoredObject | undefined;
}

/** The object that carries the load of a Pod, and the load. */
export type LoadSource =
  | { readonly kind: "load"; readonly load: Load; readonly uid: string; readonly createdAt: Instant }
  | { readonly kind: "invalid"; readonly problem: string }
  | { readonly kind: "none" };

const noLoad: LoadSource = { kind: "none" };

/** Returns the load that an object is annotated with; `undefined` without the annotation. */
export function loadOf(object: StoredObject, kind: string): LoadSource | undefined {
  const { annotations, namespace, name, uid, creationTimestamp } = object.metadata;
  const text = annotations?.[loadAnnotation];
  if (text === undefined) return undefined;
  const read = readAnnotatedLoad(text);
  if ("problem" in read) {
    const where = namespace === undefined ? name : `${namespace}/${name}`;
    return { kind: "invalid", problem: `${loadAnnotation} of ${kind} ${where} is invalid: ${read.problem}` };
  }
  return { kind: "load", load: read.load, uid, createdAt: parseTime(creationTimestamp) ?? 0 };
}

/**
 * Finds the load of a Pod: its own, that of its topmost owner, or that of its controller. A Deployment's annotations
 * are copied to its ReplicaSets, which share its load instead of having one each. Pods with the same load get the
 * identical answer.
 */
export function loadSources(objects: LoadObjects): (pod: Pod) => LoadSource {
  const byController = new Map<string, LoadSource>();
  const byObject = new Map<string, LoadSource>();
  const sourceIn = (object: StoredObject, kind: string): LoadSource | undefined => {
    if (object.metadata.annotations?.[loadAnnotation] === undefined) return undefined;
    const { uid } = object.metadata;
    const source = byObject.get(uid) ?? loadOf(object, kind) ?? noLoad;
    byObject.set(uid, source);
    return source;
  };
  const workloadLoad = (dependent: StoredObject): LoadSource | undefined => {
    const controller = controllerOf(dependent);
    const found = controller === undefined ? undefined : workloadOf(objects, dependent, controller);
    if (controller === undefined || found === undefined) return undefined;
    return workloadLoad(found) ?? sourceIn(found, controller.kind);
  };
  return (pod) => {
    const { hasOwnLoad, controller } = measuredPod(pod);
    if (hasOwnLoad) return sourceIn(pod, "Pod") ?? noLoad;
    if (controller === undefined) return noLoad;
    const known = byController.get(controller.uid);
    if (known !== undefined) return known;
    const source = workloadLoad(pod) ?? noLoad;
    byController.set(controller.uid, source);
    return source;
  };
}

function workloadOf(
  objects: LoadObjects,
  { metadata: { namespace } }: StoredObject,
  { kind, name, uid }: OwnerReference,
): StoredObject | undefined {
  const key = keyOf({ metadata: namespace === undefined ? { name } : { namespace, name } });
  const found = objects.workload(kind, key);
  return found?.metadata.uid === uid ? found : undefined;
}
