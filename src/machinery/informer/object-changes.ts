import type { StoredObject } from "../../api/object.ts";

/** A change of one object. An update never changes the UID. */
export type InformerChange<T> =
  | { readonly type: "added"; readonly object: T }
  | { readonly type: "updated"; readonly old: T; readonly object: T }
  | { readonly type: "deleted"; readonly object: T };

/**
 * The changes of a key between two observations. A name that was deleted and created again in between is a deletion and
 * an addition; an object with the same resource version has not changed.
 */
export function changesBetween<T extends StoredObject>(
  old: T | undefined,
  object: T | undefined,
): InformerChange<T>[] {
  if (old === undefined) return object === undefined ? [] : [{ type: "added", object }];
  if (object === undefined) return [{ type: "deleted", object: old }];
  if (old.metadata.uid !== object.metadata.uid)
    return [
      { type: "deleted", object: old },
      { type: "added", object },
    ];
  if (old.metadata.resourceVersion === object.metadata.resourceVersion) return [];
  return [{ type: "updated", old, object }];
}
