import type { Json, JsonObject } from "../../../api/json.ts";
import { isList } from "./patch-safety.ts";

// The keys of strategic merge patches that are directives, not fields.
export const patchDirective = "$patch";
export const retainKeysDirective = "$retainKeys";
const orderPrefix = "$setElementOrder/";
const deletePrefix = "$deleteFromPrimitiveList/";

/** Reports whether a key of a patch is a directive. */
export function isDirective(key: string): boolean {
  if (!key.startsWith("$")) return false;
  return key === patchDirective || key === retainKeysDirective || listDirective(key) !== undefined;
}

/** Reports whether a patch has directives at this level; most patches have none. */
export function hasDirectives(patch: JsonObject): boolean {
  for (const key in patch) if (key.startsWith("$")) return true;
  return false;
}

/** Returns the list field that a directive applies to, if any. */
export function listDirective(key: string): string | undefined {
  return orderDirective(key) ?? after(deletePrefix, key);
}

/** Returns the list field that a directive orders, if any. */
export function orderDirective(key: string): string | undefined {
  return after(orderPrefix, key);
}

function after(prefix: string, key: string): string | undefined {
  return key.startsWith(prefix) ? key.slice(prefix.length) : undefined;
}

/** Returns the `$setElementOrder` of a list field. */
export function orderOf(patch: JsonObject, field: string): readonly Json[] | undefined {
  return listAt(patch, orderPrefix + field);
}

/** Returns the `$deleteFromPrimitiveList` of a list field. */
export function deletionsOf(patch: JsonObject, field: string): ReadonlySet<Json> | undefined {
  const deletions = listAt(patch, deletePrefix + field);
  return deletions && new Set(deletions);
}

/** Returns the `$retainKeys` of an object: the only keys it keeps. */
export function retainedKeys(patch: JsonObject): ReadonlySet<Json> | undefined {
  const retained = listAt(patch, retainKeysDirective);
  return retained && new Set(retained);
}

/** Returns the value that identifies an element of a merged list; `undefined` when it has none. */
export function elementIdentity(element: Json, mergeKey: string | undefined): Json | undefined {
  if (typeof element !== "object" || element === null || isList(element)) {
    return mergeKey === undefined ? element : undefined;
  }
  return mergeKey === undefined || !Object.hasOwn(element, mergeKey) ? undefined : element[mergeKey];
}

function listAt(patch: JsonObject, key: string): readonly Json[] | undefined {
  const value = patch[key];
  return isList(value) ? value : undefined;
}
