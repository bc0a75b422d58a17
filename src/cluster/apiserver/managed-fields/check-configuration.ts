import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import { type FieldStructure, type ListStructure, memberIn, structureFor } from "./field-structure.ts";
import { fieldElement } from "./field-element.ts";
import { plainText, sourceText, typeText } from "./go-text.ts";
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

function check(general: FieldStructure, value: Json, place: Place): void {
  const structure = structureFor(general, value);
  if (value === null || place.problems.length >= mostProblems) return;
  switch (structure.kind) {
    case "struct":
    case "map":
      if (isJsonObject(value)) checkMembers(structure, value, place);
      else report(place, `expected map, got &{${plainText(value)}}`);
      return;
    case "list":
      if (Array.isArray(value)) checkItems(structure, value as readonly Json[], place);
      else report(place, `expected list, got &{${plainText(value)}}`);
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
    if (inner === undefined) {
      report(there, "field not declared in schema");
      return; // upstream: the others of the object are not looked at any more
    }
    check(inner, value ?? null, there);
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

const asSource = (value: Json) => `&value.valueUnstructured{Value:${sourceText(value)}}`;
const asPlain = (value: Json) => `&{${plainText(value)}}`;

/** What is expected of a scalar, and how a value that is not so is shown. */
interface ScalarForm {
  readonly form: "string" | "number" | "boolean" | undefined;
  readonly expected: string;
  readonly shown: (value: Json) => string;
}

const ofText: ScalarForm = { form: "string", expected: "string", shown: asSource };
const ofNumber: ScalarForm = { form: "number", expected: "numeric (int or float)", shown: typeText };
const anyScalar: ScalarForm = { form: undefined, expected: "any scalar", shown: asPlain };

/** The JSON types of each scalar; scalars of several forms are checked when the object is decoded. */
const scalarForms: ReadonlyMap<string, ScalarForm> = new Map([
  ["string", ofText],
  ["bytes", ofText],
  ["Time", ofText],
  ["MicroTime", ofText],
  ["Duration", ofText],
  ["bool", { form: "boolean", expected: "boolean", shown: asPlain }],
  ["int32", ofNumber],
  ["int64", ofNumber],
  ["double", ofNumber],
]);

function checkScalar(type: string, value: Json, place: Place): void {
  const { form, expected, shown } = scalarForms.get(type) ?? anyScalar;
  const fits = form === undefined ? typeof value !== "object" : typeof value === form;
  if (!fits) report(place, `expected ${expected}, got ${shown(value)}`);
}
