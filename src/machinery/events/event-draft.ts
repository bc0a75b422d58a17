import type { ObjectReference } from "../../api/generated/core-v1.ts";
import type { StoredObject } from "../../api/object.ts";
import { apiVersionOf, type Resource } from "../../api/resource.ts";

/** Something worth telling people about an object. */
export interface EventDraft {
  readonly regarding: ObjectReference;
  readonly type: "Normal" | "Warning";
  /** Why, in one CamelCase word: `SuccessfulCreate`. */
  readonly reason: string;
  /** The same for a person. */
  readonly message: string;
  /** What was done, in one CamelCase word. */
  readonly action?: string | undefined;
  /** Another object that has to do with it. */
  readonly related?: ObjectReference | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** Takes notes; comes back at once and never fails. */
export interface EventRecorder {
  record(note: EventDraft): void;
}

/** How one object refers to another in events. */
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
