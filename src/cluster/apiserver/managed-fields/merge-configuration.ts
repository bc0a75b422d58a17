import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import {
  type FieldStructure,
  isOwnedWhole,
  type KnownStructure,
  type ListStructure,
  memberIn,
  structureFor,
} from "./field-structure.ts";
import { itemElement, itemsByElement } from "./path-element.ts";

type Value = Json | undefined;

/** Merges an applied configuration into a live value: objects member by member, lists by the keys of their items. */
export function mergeConfiguration(general: FieldStructure, live: Value, applied: Value): Value {
  if (applied === undefined || live === undefined) return applied ?? live;
  const structure = structureFor(general, applied ?? live);
  if (isOwnedWhole(structure)) return applied;
  // Null says nothing about what is in an object or a list.
  if (applied === null && Object.keys(live ?? {}).length > 0) return live;
  return mergedParts(structure, live, applied);
}

function mergedParts(structure: KnownStructure, live: Json, applied: Json): Value {
  if (isList(live) && isList(applied))
    return structure.kind === "list" ? mergedItems(structure, live, applied) : applied;
  const areObjects = isJsonObject(live) && isJsonObject(applied);
  return areObjects && (structure.kind === "struct" || structure.kind === "map")
    ? mergedMembers(structure, live, applied)
    : applied;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function mergedMembers(
  structure: Extract<FieldStructure, { kind: "struct" | "map" }>,
  live: JsonObject,
  applied: JsonObject,
): JsonObject {
  const merged: [string, Value][] = Object.entries(live);
  const at = new Map(merged.map(([name], index) => [name, index]));
  for (const [name, value] of Object.entries(applied)) {
    const inner = structure.kind === "map" ? structure.values : memberIn(structure, name)?.structure;
    const index = at.get(name) ?? merged.length;
    const result = inner === undefined ? value : mergeConfiguration(inner, merged[index]?.[1], value);
    merged[index] = [name, result];
  }
  // Unlike an assignment, this treats `__proto__` as an ordinary key.
  return Object.fromEntries(merged);
}

/**
 * Merges items: those that both have come in the applied order; an item that only the live list has stays before the
 * item that it precedes there (upstream: mergingWalker.visitListItems).
 */
function mergedItems(
  structure: ListStructure,
  live: readonly Json[],
  applied: readonly Json[],
): readonly Json[] {
  const wanted = itemsByElement(structure, applied);
  const present = itemsByElement(structure, live);
  const shared = [...wanted.keys()].filter((element) => present.has(element));
  const merged: Json[] = [];
  let at = 0;
  const keepUntil = (element: string | undefined): void => {
    for (; at < live.length; at++) {
      const item = live[at] ?? null;
      const own = elementOf(structure, item);
      if (own === element && element !== undefined) return;
      if (own === undefined || !wanted.has(own)) merged.push(item);
    }
  };
  for (const [element, [item]] of wanted) {
    keepUntil(shared[0]);
    const [old, ...more] = present.get(element) ?? [];
    // Items with repeated keys have no counterpart to merge with.
    const result = mergeConfiguration(structure.items, more.length > 0 ? undefined : old, item);
    if (result !== undefined) merged.push(result);
    if (element !== shared[0]) continue;
    shared.shift();
    if (at < live.length) at += 1;
  }
  keepUntil(undefined);
  return merged;
}

function elementOf(structure: ListStructure, item: Json): string | undefined {
  const found = itemElement(structure, item);
  return found.ok ? found.element : undefined;
}
