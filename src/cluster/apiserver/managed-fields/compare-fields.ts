import { deepEqual } from "../../../api/deep-equal.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import { type FieldSet, leaf, newNode, fieldSetNode } from "./field-set.ts";
import { outlineOf } from "./field-outline.ts";
import {
  type DeducedStructure,
  type FieldStructure,
  isOwnedWhole,
  type ListStructure,
  memberIn,
  structureFor,
} from "./field-structure.ts";
import { fieldElement } from "./field-element.ts";
import { internFieldSet, longestKept } from "./intern-field-set.ts";
import { itemsByElement } from "./path-element.ts";
import { RecentlyUsed } from "../recently-used.ts";

type Value = Json | undefined;
type StructStructure = Extract<FieldStructure, { kind: "struct" }>;
type Children = Record<string, FieldSet>;

/** The effect of a change on the fields of a value; members are absent where there is none. */
export interface FieldChange {
  /** Added or modified. */
  readonly taken?: FieldSet | undefined;
  readonly removed?: FieldSet | undefined;
}

/** Returns the fields that differ between two values. Parts that both share by reference are skipped. */
export function compareFields(
  structure: FieldStructure,
  before: Value,
  after: Value,
): FieldChange | undefined {
  if (before === after) return undefined;
  if (before === undefined) return { taken: allFields(structure, after) };
  if (after === undefined) return { removed: allFields(structure, before) };
  if (isEmpty(before) && isEmpty(after)) return undefined;
  if (structure.kind === "deduced") return compareDeduced(structure, before, after);
  if (isOwnedWhole(structure)) return deepEqual(before, after) ? undefined : { taken: leaf };
  switch (structure.kind) {
    case "struct":
      return compareMembers(structure, objectOf(before), objectOf(after));
    case "map":
      return compareEntries(structure.values, objectOf(before), objectOf(after));
    case "list":
      return compareItems(structure, listOf(before), listOf(after));
    case "scalar":
    case "any":
      return undefined;
  }
}

/** Compares values that may have different forms: then the whole is another one, and what was in an object is gone. */
function compareDeduced(structure: DeducedStructure, before: Json, after: Json): FieldChange | undefined {
  const [wasObject, isObject] = [before, after].map((value) => value === null || isJsonObject(value));
  if (wasObject === isObject)
    return compareFields(
      isObject === true ? structure.object : structureFor(structure, after),
      before,
      after,
    );
  if (isObject === true) return { taken: allFields(structure, after) };
  return { taken: leaf, removed: compareFields(structure.object, before, {})?.removed };
}

/**
 * Caches fields by the outline of a value: conditions and containers have the same fields in the status of every Pod.
 */
const known = new WeakMap<FieldStructure, RecentlyUsed<FieldSet>>();
/** How many outlines are kept per structure, far more than there usually are. */
const keptOutlines = 100;

/** Returns all fields of a value that is new: itself, and everything in it. */
function allFields(general: FieldStructure, value: Value): FieldSet {
  const structure = structureFor(general, value);
  if (isOwnedWhole(structure) || isEmpty(value)) return leaf;
  // Items of a list are often identified by values that no other object has, so they are not cached.
  if (structure.kind !== "struct") return fieldsIn(structure, value);
  const outlines = known.get(structure) ?? new RecentlyUsed<FieldSet>(keptOutlines);
  known.set(structure, outlines);
  const outline = outlineOf(structure, value);
  const found = outlines.get(outline);
  if (found !== undefined) return found;
  const fields = internFieldSet(fieldsIn(structure, value));
  if (outline.length <= longestKept) outlines.set(outline, fields);
  return fields;
}

function fieldsIn(structure: FieldStructure, value: Value): FieldSet {
  return fieldSetNode(true, compareFields(structure, null, value)?.taken) ?? leaf;
}

/** Reports whether a value is empty: an empty object or list is owned itself, since it has no parts to own. */
function isEmpty(value: Value): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== "object") return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

/** Collects the changes in the parts of a value. */
class Collected {
  #taken: Children | undefined;
  #removed: Children | undefined;

  add(element: string, change: FieldChange | undefined): void {
    if (change?.taken !== undefined) (this.#taken ??= newNode(element))[element] = change.taken;
    if (change?.removed !== undefined) (this.#removed ??= newNode(element))[element] = change.removed;
  }

  change(): FieldChange | undefined {
    return this.#taken === undefined && this.#removed === undefined
      ? undefined
      : { taken: this.#taken, removed: this.#removed };
  }
}

function compareMembers(
  structure: StructStructure,
  before: JsonObject,
  after: JsonObject,
): FieldChange | undefined {
  const collected = new Collected();
  const compare = (name: string): void => {
    const [was, is] = [before[name], after[name]];
    if (was === is) return;
    const member = memberIn(structure, name);
    if (member === undefined) return;
    // Lists and maps that Kubernetes always writes exist from the start, with the value null.
    const absent = member.always && isCollection(member.structure) ? null : undefined;
    const [old, now] = [was === undefined ? absent : was, is === undefined ? absent : is];
    collected.add(member.element, compareFields(member.structure, old, now));
  };
  for (const name in after) compare(name);
  for (const name in before) if (after[name] === undefined) compare(name);
  return collected.change();
}

function isCollection({ kind }: FieldStructure): boolean {
  return kind === "list" || kind === "map";
}

function compareEntries(
  values: FieldStructure,
  before: JsonObject,
  after: JsonObject,
): FieldChange | undefined {
  const collected = new Collected();
  for (const key of Object.keys(after))
    collected.add(fieldElement(key), compareFields(values, own(before, key), after[key]));
  for (const key of Object.keys(before))
    if (!Object.hasOwn(after, key))
      collected.add(fieldElement(key), compareFields(values, before[key], undefined));
  return collected.change();
}

function compareItems(
  structure: ListStructure,
  before: readonly Json[],
  after: readonly Json[],
): FieldChange | undefined {
  const collected = new Collected();
  const old = itemsByElement(structure, before);
  const now = itemsByElement(structure, after);
  for (const [element, items] of now)
    collected.add(element, compareSame(structure.items, old.get(element) ?? [], items));
  for (const [element, items] of old)
    if (!now.has(element)) collected.add(element, compareSame(structure.items, items, []));
  return collected.change();
}

/**
 * Compares items with equal keys, as a rule one on each side. Items with the same keys, which some lists allow, are
 * owned together.
 */
function compareSame(
  structure: FieldStructure,
  before: readonly Json[],
  after: readonly Json[],
): FieldChange | undefined {
  const [old] = before;
  const [item] = after;
  if (before.length <= 1 && after.length <= 1) return compareFields(structure, old, item);
  if (before.length > 1 && after.length > 1) return deepEqual(before, after) ? undefined : { taken: leaf };
  if (before.length > 1)
    return { taken: item === undefined ? undefined : allFields(structure, item), removed: leaf };
  return { taken: leaf, removed: old === undefined ? undefined : allFields(structure, old) };
}

function own(object: JsonObject, key: string): Value {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function objectOf(value: Value): JsonObject {
  return isJsonObject(value) ? value : {};
}

function listOf(value: Value): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
