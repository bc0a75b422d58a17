import { isJsonObject, type Json } from "../../../api/json.ts";
import { childOf, type FieldSet, isField } from "./field-set.ts";
import { type FieldStructure, type ListStructure, memberIn, structureFor } from "./field-structure.ts";
import { fieldElement } from "./field-element.ts";
import { itemElement } from "./path-element.ts";

/**
 * Returns the value without the fields of a set. A part that only leads to removed fields stays as null, unless it is
 * removed itself.
 */
export function removeFields(general: FieldStructure, value: Json, removed: FieldSet): Json {
  const structure = structureFor(general, value);
  switch (structure.kind) {
    case "struct":
    case "map": {
      if (structure.atomic || !isJsonObject(value)) return null;
      const kept = Object.entries(value).flatMap(([name, content]) => {
        const inner = structure.kind === "map" ? structure.values : memberIn(structure, name)?.structure;
        const rest = remaining(inner, content, childOf(removed, fieldElement(name)));
        return rest === undefined ? [] : [[name, rest] as const];
      });
      return kept.length === 0 ? null : Object.fromEntries(kept);
    }
    case "list":
      return structure.atomic || !Array.isArray(value)
        ? null
        : withoutItems(structure, value as readonly Json[], removed);
    case "scalar":
    case "any":
      return value;
  }
}

function withoutItems(structure: ListStructure, list: readonly Json[], removed: FieldSet): Json {
  const kept = list.flatMap((item) => {
    const found = itemElement(structure, item);
    const rest = remaining(structure.items, item, found.ok ? childOf(removed, found.element) : undefined);
    return rest === undefined ? [] : [rest];
  });
  return kept.length === 0 ? null : kept;
}

function remaining(
  structure: FieldStructure | undefined,
  value: Json | undefined,
  removed: FieldSet | undefined,
): Json | undefined {
  if (removed === undefined || value === undefined) return value;
  if (isField(removed)) return undefined;
  return structure === undefined ? value : removeFields(structure, value, removed);
}
