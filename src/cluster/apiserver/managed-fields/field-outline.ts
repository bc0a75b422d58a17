import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import {
  type FieldStructure,
  isOwnedWhole,
  type ListStructure,
  memberIn,
  structureFor,
} from "./field-structure.ts";
import { itemElement } from "./path-element.ts";

/** Returns the members, keys and items of a value without its texts and numbers, except for whether they are zero. */
export function outlineOf(general: FieldStructure, value: Json | undefined): string {
  const structure = structureFor(general, value);
  if (isOwnedWhole(structure)) return isZero(value) ? "=" : ",";
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
  structure: Extract<FieldStructure, { kind: "struct" }>,
  object: JsonObject,
): string {
  let text = "{";
  for (const name in object) {
    const member = object[name] === undefined ? undefined : memberIn(structure, name);
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

/** Reports whether a value may be one that every new object has. */
function isZero(value: Json | undefined): boolean {
  if (typeof value !== "object" || value === null) return !value;
  return Array.isArray(value) ? value.length === 0 : Object.values(value).every(isZero);
}
