import type { ObjectMeta } from "../../../api/generated/meta-v1.ts";
import { isJsonObject, type JsonObject } from "../../../api/json.ts";
import { isBeingDeleted } from "../../../api/object.ts";
import { apiVersionOf, type Resource } from "../../../api/resource.ts";
import { omit, pick } from "./pick-omit.ts";

/** Returns the metadata of an object; empty when it has none. */
export function metadataOf(object: JsonObject): ObjectMeta {
  return isJsonObject(object["metadata"]) ? object["metadata"] : {};
}

/** Returns the object with other metadata. */
export function withMetadata(object: JsonObject, metadata: ObjectMeta): JsonObject {
  return { ...object, metadata: metadata as JsonObject };
}

/**
 * Returns the object with the version and kind of its resource, which come first, and other metadata. Most objects have
 * both or neither; those are copied with a single spread, since each further spread costs as much.
 */
export function withHead(resource: Resource, object: JsonObject, metadata: ObjectMeta): JsonObject {
  const { kind } = resource;
  const apiVersion = apiVersionOf(resource);
  if (object["apiVersion"] === apiVersion && object["kind"] === kind)
    return { ...object, metadata: metadata as JsonObject };
  if (object["apiVersion"] === undefined && object["kind"] === undefined)
    return { apiVersion, kind, ...object, metadata: metadata as JsonObject };
  // First because of the order of fields, last because an empty text counts as absent.
  const head = { apiVersion, kind };
  return { ...head, ...object, ...head, metadata: metadata as JsonObject };
}

/** The system fields that record the life of an object. */
const lifecycle = [
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
] as const;
/** Self links are obsolete and never stored. */
const ignored = ["selfLink"] as const;
const serverFields = [...lifecycle, ...ignored, "uid", "resourceVersion", "managedFields"] as const;

/** Returns the metadata of a new object without system fields. */
export function withoutServerFields(metadata: ObjectMeta): ObjectMeta {
  return omit(metadata, serverFields);
}

const restored = ["generation", "creationTimestamp", "resourceVersion"] as const;
/** Restored where they are stored; where only a client sets them, they stay, and validation finds them immutable. */
const deletionMarks = ["deletionTimestamp", "deletionGracePeriodSeconds"] as const;
const filledIn = ["name", "namespace", "uid"] as const;

/**
 * Returns the metadata of an updated object with the stored system fields, and the stored identity where it is left
 * out.
 */
export function withServerFields(next: ObjectMeta, stored: ObjectMeta): ObjectMeta {
  const isComplete =
    [...restored, ...deletionMarks].every((name) => next[name] === stored[name]) &&
    filledIn.every((name) => next[name] !== undefined || stored[name] === undefined) &&
    ignored.every((name) => next[name] === undefined);
  // Metadata that a client read and returned is complete, and stays shared with the stored object.
  if (isComplete) return next;
  return {
    ...pick(stored, filledIn),
    ...omit(next, [...restored, ...ignored]),
    ...pick(stored, restored),
    ...(stored.deletionTimestamp !== undefined && pick(stored, ["deletionTimestamp"])),
    ...(next.deletionGracePeriodSeconds === undefined && pick(stored, ["deletionGracePeriodSeconds"])),
  };
}

/** Reports whether an object that is marked for deletion has neither finalizers nor a grace period left. */
export function isReadyForRemoval(object: JsonObject): boolean {
  const metadata = metadataOf(object);
  const { finalizers = [], deletionGracePeriodSeconds = 0 } = metadata;
  if (!isBeingDeleted({ metadata }) || finalizers.length > 0 || deletionGracePeriodSeconds > 0) return false;
  // Only a namespace also has finalizers in its spec.
  const spec = object["spec"];
  const held = isJsonObject(spec) && object["kind"] === "Namespace" ? spec["finalizers"] : undefined;
  return !Array.isArray(held) || held.length === 0;
}
