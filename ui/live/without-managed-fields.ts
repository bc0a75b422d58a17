import type { StoredObject } from "../../src/api/object.ts";

/** Without managed fields, which are half of an object and which no view shows: the history keeps many versions. */
export function withoutManagedFields<T extends StoredObject>(object: T): T {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
