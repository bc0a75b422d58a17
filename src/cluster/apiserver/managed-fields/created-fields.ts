import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import { zeroValue } from "../../../api/schema/zero-value.ts";
import { compareFields } from "./compare-fields.ts";
import { emptySet, type FieldSet } from "./field-set.ts";
import { type FieldStructure, isWhole, type ListStructure, trackedStructureOf } from "./field-structure.ts";
import { internFieldSet, longestKept } from "./intern-field-set.ts";
import { itemElement } from "./path-element.ts";
import { RecentlyUsed } from "./recently-used.ts";

/** Far more than the different outlines of the objects that are created in a while. */
const keptOutlines = 1000;

const known = new RecentlyUsed<FieldSet>(keptOutlines);

/** The fields that the creator of an object owns: all that a new object of the type does not have by itself. */
export function createdFields(type: string, object: JsonObject): FieldSet {
  const structure = trackedStructureOf(type);
  // Most objects have the outline of another one, as the Pods of a ReplicaSet do; then their fields are the same.
  const key = `${type}${outlineOf(structure, object)}`;
  const fields = known.get(key);
  if (fields !== undefined) return fields;
  const found = internFieldSet(compareFields(structure, zeroValue(type), object)?.taken ?? emptySet);
  if (key.length <= longestKept) known.set(key, found);
  return found;
}

/** The members, keys and items of a value without its texts and numbers, except for whether they are zero. */
function outlineOf(structure: FieldStructure, value: Json | undefined): string {
  if (isWhole(structure)) return isZero(value) ? "=" : ",";
  switch (structure.kind) {
    case "struct":
      return isJsonObject(value) ? outlineOfMembers(structure, value) : ",";
    case "map": {
      if (!isJsonObject(value)) return ",";
      let text = "{";
      for (const key of Object.keys(value))
        text += JSON.stringify(key) + outlineOf(structure.values, value[key]);
      return `${text}}`;
    }
    case "list":
      return Array.isArray(value) ? outlineOfItems(structure, value as readonly Json[]) : ",";
    case "scalar":
    case "any":
      return ",";
  }
}

function outlineOfMembers(
  { members }: Extract<FieldStructure, { kind: "struct" }>,
  object: JsonObject,
): string {
  let text = "{";
  for (const name in object) {
    const member = members.get(name);
    if (member !== undefined) text += name + outlineOf(member.structure, object[name]);
  }
  return `${text}}`;
}

function outlineOfItems(structure: ListStructure, list: readonly Json[]): string {
  let text = "[";
  for (const item of list) {
    const found = itemElement(structure, item);
    text += (found.ok ? found.element : "?") + outlineOf(structure.items, item);
  }
  return `${text}]`;
}

/** Whether a value may be what a new object has by itself. */
function isZero(value: Json | undefined): boolean {
  if (typeof value !== "object" || value === null) return !value;
  return Array.isArray(value) ? value.length === 0 : Object.values(value).every(isZero);
}
