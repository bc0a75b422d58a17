import type { JsonObject } from "../../../api/json.ts";
import { estimatedSize, estimatedSizeWithout } from "../../store/object-size.ts";
import { metadataOf, withMetadata } from "../registry/object-meta.ts";
import { omit } from "../registry/pick-omit.ts";
import type { FieldSet } from "../managed-fields/field-set.ts";
import { entriesOf } from "../managed-fields/fields-entry.ts";

/** The estimated size of an entry without its field set, which other objects share. */
const entryBytes = 300;

/** Estimates the memory that an object takes for itself. */
export function objectMemory(object: JsonObject): number {
  const metadata = metadataOf(object);
  return (
    estimatedSizeWithout(object, "metadata") +
    estimatedSizeWithout(metadata as JsonObject, "managedFields") +
    entriesOf(metadata).length * entryBytes
  );
}

const setSizes = new WeakMap<FieldSet, number>();

/** Estimates the size of an object's field sets, which is part of its encoding but not of its memory. */
export function fieldSetsSize(object: JsonObject): number {
  let bytes = 0;
  for (const { fieldsV1 } of entriesOf(metadataOf(object))) {
    const size = setSizes.get(fieldsV1) ?? estimatedSize(fieldsV1);
    setSizes.set(fieldsV1, size);
    bytes += size;
  }
  return bytes;
}

/** Returns the object without managed fields. */
export function withoutManagedFields(object: JsonObject): JsonObject {
  return withMetadata(object, omit(metadataOf(object), ["managedFields"]));
}
