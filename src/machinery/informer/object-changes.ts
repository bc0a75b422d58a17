import type { StoredObject } from "../../api/object.ts";

/** What happened to an object. An update is always one of the same object: never from one UID to another. */
export type Change<T> =
  | { readonly type: "added"; readonly object: T }
  | { readonly type: "updated"; readonly old: T; readonly object: T }
  | { readonly type: "deleted"; readonly object: T };

/**
 * What happened to a key between two looks at it. A name that was deleted and taken again in between
 * is one object gone and another one come; an object whose version stands still has not changed.
 */
export function changesBetween<T extends StoredObject>(
  old: T | undefined,
  object: T | undefined,
): Change<T>[] {
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
