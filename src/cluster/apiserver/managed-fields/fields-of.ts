import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import {
  childOf,
  elementsOf,
  emptySet,
  type FieldSet,
  isField,
  leaf,
  newNode,
  fieldSetNode,
} from "./field-set.ts";
import {
  type FieldStructure,
  isOwnedWhole,
  type ListStructure,
  memberIn,
  structureFor,
} from "./field-structure.ts";
import { fieldElement } from "./field-element.ts";
import { itemsByElement } from "./path-element.ts";

/** Returns the fields of a value, which a manager that applies the value owns. */
export function fieldsOf(structure: FieldStructure, value: Json): FieldSet {
  return childrenOf(structure, value) ?? emptySet;
}

function childrenOf(general: FieldStructure, value: Json): Record<string, FieldSet> | undefined {
  const structure = structureFor(general, value);
  switch (structure.kind) {
    case "struct":
      return isJsonObject(value) ? membersOf(structure, value) : undefined;
    case "map":
      return isJsonObject(value) ? entriesOf(structure.values, value) : undefined;
    case "list":
      return Array.isArray(value) ? itemsOf(structure, value as readonly Json[]) : undefined;
    case "scalar":
    case "any":
      return undefined;
  }
}

function membersOf(
  structure: Extract<FieldStructure, { kind: "struct" }>,
  object: JsonObject,
): Record<string, FieldSet> {
  const children: Record<string, FieldSet> = {};
  for (const [name, value] of Object.entries(object)) {
    const member = memberIn(structure, name);
    if (member === undefined || value === undefined) continue;
    const isEntry = !structure.members.has(name);
    const node = nodeFor(member.structure, value, isEntry || isNothing(value));
    if (node !== undefined) children[fieldElement(name)] = node;
  }
  return children;
}

/** Reports whether a value is empty, so that it is owned itself. */
function isNothing(value: Json): boolean {
  return value === null || (isJsonObject(value) && Object.keys(value).length === 0);
}

function entriesOf(structure: FieldStructure, map: JsonObject): Record<string, FieldSet> {
  const entries = Object.entries(map).map(([key, value]) => [
    fieldElement(key),
    nodeFor(structure, value ?? null, true) ?? leaf,
  ]);
  return Object.fromEntries(entries) as Record<string, FieldSet>;
}

function itemsOf(structure: ListStructure, list: readonly Json[]): Record<string, FieldSet> {
  const children = newNode("k:");
  for (const [element, [item, ...more]] of itemsByElement(structure, list))
    if (item !== undefined)
      children[element] = more.length > 0 ? leaf : (nodeFor(structure.items, item, true) ?? leaf);
  return children;
}

function nodeFor(general: FieldStructure, value: Json, owned: boolean): FieldSet | undefined {
  const structure = structureFor(general, value);
  if (isOwnedWhole(structure)) return leaf;
  return fieldSetNode(owned, childrenOf(structure, value));
}

/**
 * Returns the set with the struct members that only lead to fields added as fields: a struct disappears with the last
 * owned field in it, while an entry of a map or a list has to be owned itself.
 */
export function withStructsAsFields(structure: FieldStructure | undefined, set: FieldSet): FieldSet {
  const elements = elementsOf(set);
  const children = newNode(elements[0] ?? "");
  for (const element of elements) {
    const node = childOf(set, element) ?? leaf;
    const { inner, named } = innerOf(structure, element);
    const below = withStructsAsFields(inner, node);
    const made = fieldSetNode(isField(node) || named, below);
    if (made !== undefined) children[element] = made;
  }
  return children;
}

function innerOf(general: FieldStructure | undefined, element: string) {
  const structure = general?.kind === "deduced" ? general.object : general;
  switch (structure?.kind) {
    case "struct":
      return element.startsWith("f:") ? innerOfStruct(structure, element.slice(2)) : unknownInner;
    case "map":
      return { inner: structure.values, named: false };
    case "list":
      return { inner: structure.items, named: false };
    case "scalar":
    case "any":
    case undefined:
      return unknownInner;
  }
}

const unknownInner = { inner: undefined, named: false };

function innerOfStruct(structure: Extract<FieldStructure, { kind: "struct" }>, name: string) {
  return { inner: memberIn(structure, name)?.structure, named: structure.members.has(name) };
}
