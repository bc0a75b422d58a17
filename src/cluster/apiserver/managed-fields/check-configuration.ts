import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import { type FieldStructure, type ListStructure, memberIn } from "./field-structure.ts";
import { fieldElement } from "./field-element.ts";
import { formatElement, itemElement } from "./path-element.ts";

const mostProblems = 20;

/** Returns why an applied configuration does not fit its type, as `.spec.foo: field not declared in schema`. */
export function configurationProblems(structure: FieldStructure, configuration: Json): readonly string[] {
  const problems: string[] = [];
  check(structure, configuration, { path: "", problems });
  return problems.slice(0, mostProblems);
}

interface Place {
  readonly path: string;
  readonly problems: string[];
}

function report({ path, problems }: Place, what: string): void {
  problems.push(path === "" ? what : `${path}: ${what}`);
}

const inside = ({ path, problems }: Place, element: string): Place => ({
  path: `${path}${formatElement(element)}`,
  problems,
});

function check(structure: FieldStructure, value: Json, place: Place): void {
  if (value === null || place.problems.length >= mostProblems) return;
  switch (structure.kind) {
    case "struct":
    case "map":
      if (isJsonObject(value)) checkMembers(structure, value, place);
      else report(place, `expected map, got ${JSON.stringify(value)}`);
      return;
    case "list":
      if (Array.isArray(value)) checkItems(structure, value as readonly Json[], place);
      else report(place, `expected list, got ${JSON.stringify(value)}`);
      return;
    case "scalar":
      checkScalar(structure.type, value, place);
      return;
    case "any":
  }
}

function checkMembers(
  structure: Extract<FieldStructure, { kind: "struct" | "map" }>,
  object: JsonObject,
  place: Place,
): void {
  for (const [name, value] of Object.entries(object)) {
    const inner = structure.kind === "map" ? structure.values : memberIn(structure, name)?.structure;
    const there = inside(place, fieldElement(name));
    if (inner === undefined) report(there, "field not declared in schema");
    else check(inner, value ?? null, there);
  }
}

function checkItems(structure: ListStructure, list: readonly Json[], place: Place): void {
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    const found = structure.atomic
      ? { ok: true as const, element: `i:${index}` }
      : itemElement(structure, item);
    if (!found.ok) {
      report(place, `element ${index}: ${found.why}`);
      return;
    }
    if (seen.has(found.element)) report(place, `duplicate entries for key ${formatElement(found.element)}`);
    seen.add(found.element);
    check(structure.items, item, inside(place, found.element));
  }
}

/** The JSON types of each scalar; scalars of several forms are checked when the object is decoded. */
const scalarForms: ReadonlyMap<string, readonly [form: string, expected: string]> = new Map([
  ["string", ["string", "string"]],
  ["bytes", ["string", "string"]],
  ["Time", ["string", "string"]],
  ["MicroTime", ["string", "string"]],
  ["Duration", ["string", "string"]],
  ["bool", ["boolean", "boolean"]],
  ["int32", ["number", "numeric (int or float)"]],
  ["int64", ["number", "numeric (int or float)"]],
  ["double", ["number", "numeric (int or float)"]],
]);

function checkScalar(type: string, value: Json, place: Place): void {
  const [form, expected] = scalarForms.get(type) ?? [undefined, "any scalar"];
  const fits = form === undefined ? typeof value !== "object" : typeof value === form;
  if (!fits) report(place, `expected ${expected}, got ${JSON.stringify(value)}`);
}
