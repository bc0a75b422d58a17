import { isJsonObject, type Json } from "../../../../api/json.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** Returns the item that an item of a list replaces, if any. */
export type CorrelatedItem = (item: Json) => Json | undefined;

const none: CorrelatedItem = () => undefined;

/** Correlates the items of a list with those of the list it replaces; only lists of type `map` can be. */
export function correlatedItems(
  list: readonly Json[],
  old: Json | undefined,
  { listType, listMapKeys }: StructuralSchema,
): CorrelatedItem {
  if (listType !== "map" || list.length === 0 || !Array.isArray(old)) return none;
  const byKey = new Map<string, Json>();
  for (const item of old as readonly Json[]) {
    const key = itemKey(item, listMapKeys);
    if (key !== undefined && !byKey.has(key)) byKey.set(key, item);
  }
  return (item) => {
    const key = itemKey(item, listMapKeys);
    return key === undefined ? undefined : byKey.get(key);
  };
}

/** Returns the keys of an item of a list map as one text; `undefined` if the item is no object. */
export function itemKey(item: Json, keys: readonly string[]): string | undefined {
  if (!isJsonObject(item)) return undefined;
  return JSON.stringify(keys.map((key) => (Object.hasOwn(item, key) ? [item[key]] : [])));
}
