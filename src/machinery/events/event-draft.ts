import type { ObjectReference } from "../../api/generated/core-v1.ts";
import { type StoredObject, keyOf } from "../../api/object.ts";
import { apiVersionOf, type Resource } from "../../api/resource.ts";

/** What an Event says about an object, before it is correlated with others and written. */
export interface EventDraft {
  readonly regarding: ObjectReference;
  readonly type: "Normal" | "Warning";
  /** The reason in one CamelCase word: `SuccessfulCreate`. */
  readonly reason: string;
  /** The reason in a sentence. */
  readonly message: string;
  /** What was done, in one CamelCase word. */
  readonly action?: string | undefined;
  /** A second object involved. */
  readonly related?: ObjectReference | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Stands for many events: it is never dropped as spam, and takes nothing from the budget of the others. */
  readonly isSummary?: boolean | undefined;
}

/** Records events; returns at once and never fails. */
export interface EventRecorder {
  record(draft: EventDraft): void;
}

/** The reference to an object that Events carry. */
export function referenceTo(resource: Resource, { metadata }: StoredObject): ObjectReference {
  const { namespace, name, uid, resourceVersion } = metadata;
  return {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    ...(namespace !== undefined && { namespace }),
    name,
    uid,
    resourceVersion,
  };
}

/** Remembers about which generation of an object something was said, so that reconciles do not repeat it. */
export class OncePerGeneration {
  readonly #said = new Map<string, string>();

  /** Reports whether it was not said about this generation of the object yet, and remembers that it is now. */
  isFirst(object: StoredObject): boolean {
    const key = keyOf(object);
    const { uid, generation = 0 } = object.metadata;
    const said = `${uid} ${generation}`;
    if (this.#said.get(key) === said) return false;
    this.#said.set(key, said);
    return true;
  }

  /** Forgets an object that is gone. */
  forget(key: string): void {
    this.#said.delete(key);
  }
}
