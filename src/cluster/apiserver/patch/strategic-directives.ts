import type { Json, JsonObject } from "../../../api/json.ts";
import { isList } from "./patch-safety.ts";

// The words of strategic merge patches that are instructions, not fields.
export const patchDirective = "$patch";
export const retainKeysDirective = "$retainKeys";
const orderPrefix = "$setElementOrder/";
const deletePrefix = "$deleteFromPrimitiveList/";

/** Whether a key of a patch is an instruction. */
export function isDirective(key: string): boolean {
  if (!key.startsWith("$")) return false;
  return key === patchDirective || key === retainKeysDirective || listDirective(key) !== undefined;
}

/** Which list an instruction is about, if it is about one. */
export function listDirective(key: string): string | undefined {
  return orderDirective(key) ?? after(deletePrefix, key);
}

/** Which list an instruction puts into an order, if it does so. */
export function orderDirective(key: string): string | undefined {
  return after(orderPrefix, key);
}

function after(prefix: string, key: string): string | undefined {
  return key.startsWith(prefix) ? key.slice(prefix.length) : undefined;
}

/** The order a patch wants the elements of a list to have. */
export function orderOf(patch: JsonObject, field: string): readonly Json[] | undefined {
  return listAt(patch, orderPrefix + field);
}

/** The scalars a patch takes out of a list. */
export function deletionsOf(patch: JsonObject, field: string): ReadonlySet<Json> | undefined {
  const deletions = listAt(patch, deletePrefix + field);
  return deletions && new Set(deletions);
}

/** The only keys an object may have after the patch. */
export function retainedKeys(patch: JsonObject): ReadonlySet<Json> | undefined {
  const retained = listAt(patch, retainKeysDirective);
  return retained && new Set(retained);
}

/** What tells an element of a merged list apart; `undefined` when it has nothing of the kind. */
export function identityOf(element: Json, mergeKey: string | undefined): Json | undefined {
  if (typeof element !== "object" || element === null || isList(element)) {
    return mergeKey === undefined ? element : undefined;
  }
  return mergeKey === undefined || !Object.hasOwn(element, mergeKey) ? undefined : element[mergeKey];
}

function listAt(patch: JsonObject, key: string): readonly Json[] | undefined {
  const value = patch[key];
  return isList(value) ? value : undefined;
}
