import type { ObjectMeta } from "../../../api/generated/meta-v1.ts";
import { isJsonObject, type JsonObject } from "../../../api/json.ts";
import { omit, pick } from "./pick-omit.ts";

/** The metadata of an object that may have come without. */
export function metadataOf(object: JsonObject): ObjectMeta {
  return isJsonObject(object["metadata"]) ? object["metadata"] : {};
}

/** The object with other metadata. */
export function withMetadata(object: JsonObject, metadata: ObjectMeta): JsonObject {
  return { ...object, metadata: metadata as JsonObject };
}

/** Whether a deletion of the object has begun. */
export function isBeingDeleted(object: JsonObject): boolean {
  const { deletionTimestamp } = metadataOf(object);
  return deletionTimestamp !== undefined && deletionTimestamp !== null;
}

/** What only the server may say about the life of an object. */
const lifecycle = [
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
] as const;
/** Nobody's to say here: links are long gone, and who owns which field is not recorded yet. */
const ignored = ["selfLink", "managedFields"] as const;
const serverFields = [...lifecycle, ...ignored, "uid", "resourceVersion"] as const;

/** A new object's metadata: without what only the server may say. */
export function withoutServerFields(metadata: ObjectMeta): ObjectMeta {
  return omit(metadata, serverFields);
}

const restored = [...lifecycle, "resourceVersion"] as const;
const filledIn = ["name", "namespace", "uid"] as const;

/** An updated object's metadata: what only the server may say is as it was; what names the object may be left out. */
export function withServerFields(next: ObjectMeta, stored: ObjectMeta): ObjectMeta {
  const isComplete =
    restored.every((name) => next[name] === stored[name]) &&
    filledIn.every((name) => next[name] !== undefined || stored[name] === undefined) &&
    ignored.every((name) => next[name] === undefined);
  // What comes from whoever read it first is complete: then it stays one with the stored object.
  if (isComplete) return next;
  return {
    ...pick(stored, filledIn),
    ...omit(next, [...lifecycle, ...ignored]),
    ...pick(stored, restored),
  };
}

/** Whether nothing holds an object back whose deletion has begun. */
export function isReadyForRemoval(object: JsonObject): boolean {
  const { finalizers = [], deletionGracePeriodSeconds = 0 } = metadataOf(object);
  if (!isBeingDeleted(object) || finalizers.length > 0 || deletionGracePeriodSeconds > 0) return false;
  // A namespace is also held by the finalizers in its spec; no other kind has any there.
  const spec = object["spec"];
  const held = isJsonObject(spec) && object["kind"] === "Namespace" ? spec["finalizers"] : undefined;
  return !Array.isArray(held) || held.length === 0;
}
