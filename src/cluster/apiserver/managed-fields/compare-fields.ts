import { deepEqual } from "../../../api/deep-equal.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import { type FieldSet, leaf, nodeOf } from "./field-set.ts";
import { type FieldStructure, isWhole, type ListStructure } from "./field-structure.ts";
import { fieldElement, itemsByElement } from "./path-element.ts";

type Value = Json | undefined;
type StructStructure = Extract<FieldStructure, { kind: "struct" }>;
type Children = Record<string, FieldSet>;

/** What counts besides fields that only the newer value has. */
export type Counting = "added" | "added-or-modified";

/**
 * The fields that `after` has and `before` has not, or has with another value if these count, too. Parts that both
 * share by reference are not looked at. The fields that a change removed are those it added in the other direction.
 */
export function changedFields(
  structure: FieldStructure,
  [before, after]: readonly [before: Value, after: Value],
  counting: Counting,
): FieldSet | undefined {
  if (before === after || after === undefined) return undefined;
  if (isWhole(structure) || (isEmpty(before) && isEmpty(after))) {
    if (before === undefined) return leaf;
    return counting === "added-or-modified" && !deepEqual(before, after) ? leaf : undefined;
  }
  return nodeOf(before === undefined, changedChildren(structure, [before, after], counting));
}

/** An empty object and an empty list are owned themselves, since they have nothing in them to own. */
function isEmpty(value: Value): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== "object") return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

function changedChildren(
  structure: FieldStructure,
  [before, after]: readonly [Value, Value],
  counting: Counting,
): Children | undefined {
  switch (structure.kind) {
    case "struct":
      return changedMembers(structure, [objectOf(before), objectOf(after)], counting);
    case "map": {
      const children: Children = {};
      const [old, now] = [objectOf(before), objectOf(after)];
      for (const key of Object.keys(now)) {
        const was = Object.hasOwn(old, key) ? old[key] : undefined;
        const node = changedFields(structure.values, [was, now[key]], counting);
        if (node !== undefined) children[fieldElement(key)] = node;
      }
      return children;
    }
    case "list":
      return changedItems(structure, [listOf(before), listOf(after)], counting);
    case "scalar":
    case "any":
      return undefined;
  }
}

function changedMembers(
  { members }: StructStructure,
  [before, after]: readonly [JsonObject, JsonObject],
  counting: Counting,
): Children | undefined {
  let children: Children | undefined;
  for (const name in after) {
    const [was, is] = [before[name], after[name]];
    if (was === is) continue;
    const member = members.get(name);
    if (member === undefined) continue;
    const node = changedFields(
      member.structure,
      [was === undefined && member.always ? emptyOf(member.structure) : was, is],
      counting,
    );
    if (node === undefined) continue;
    children ??= {};
    children[fieldElement(name)] = node;
  }
  return children;
}

/** Lists and maps that Kubernetes always writes are there from the start, with null for a value. */
function emptyOf({ kind }: FieldStructure): Value {
  return kind === "list" || kind === "map" ? null : undefined;
}

function changedItems(
  structure: ListStructure,
  [before, after]: readonly [readonly Json[], readonly Json[]],
  counting: Counting,
): Children | undefined {
  const old = itemsByElement(structure, before);
  const children: Children = {};
  for (const [element, items] of itemsByElement(structure, after)) {
    const node = changedDuplicates(structure, [old.get(element) ?? [], items], counting);
    if (node !== undefined) children[element] = node;
  }
  return children;
}

/** Items that share their keys, which some lists allow, are owned together. */
function changedDuplicates(
  { items }: ListStructure,
  [before, after]: readonly [readonly Json[], readonly Json[]],
  counting: Counting,
): FieldSet | undefined {
  const [old] = before;
  const [item] = after;
  if (before.length <= 1 && after.length <= 1) return changedFields(items, [old, item], counting);
  if (after.length === 1) return changedFields(items, [undefined, item], counting);
  if (before.length <= 1) return leaf;
  return counting === "added-or-modified" && !deepEqual(before, after) ? leaf : undefined;
}

function objectOf(value: Value): JsonObject {
  return isJsonObject(value) ? value : {};
}

function listOf(value: Value): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
