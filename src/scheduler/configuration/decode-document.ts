import { type FieldError, forbidden } from "../../api/field-error.ts";
import { isJsonObject, type Json, type JsonObject } from "../../api/json.ts";
import { scalarReader } from "../../api/schema/decode-scalar.ts";
import { type Member, shapeOf } from "../../api/schema/shape.ts";
import type { DocumentShape } from "../../decisions/placement/plugin-entry.ts";

/** The path of a value in the file, and the list that collects its errors. */
export interface FieldContext {
  readonly path: string;
  readonly errors: FieldError[];
}

/**
 * Decodes a value of a shape and reports every unknown member and every value of a wrong type. Null counts as absent. A
 * wrong value is left out but keeps its index in a list, so that the rest can still be validated.
 */
export function decodeDocument(shape: DocumentShape, value: Json, field: FieldContext): Json | undefined {
  if (typeof shape === "string") return readNamed(shape, value, field);
  return "list" in shape
    ? readList(shape.list, value, field)
    : readMembers((name) => shape.members[name], value, { ...field, names: Object.keys(shape.members) });
}

function readNamed(type: string, value: Json, field: FieldContext): Json | undefined {
  const scalar = scalarReader(type);
  if (scalar !== undefined) return scalar(value) ?? wrongType(nameOf(type), value, field);
  const { byName, members } = shapeOf(type) ?? { byName: new Map<string, Member>(), members: [] };
  const shapeFor = (name: string) => {
    const member = byName.get(name);
    return member === undefined ? undefined : shapeOfMember(member);
  };
  return readMembers(shapeFor, value, { ...field, names: members.map(({ name }) => name) });
}

function shapeOfMember({ form, type }: Member): DocumentShape {
  switch (form) {
    case "single":
      return type;
    case "list":
      return { list: type };
    case "map":
      return "JSON"; // label maps are validated with the selector they belong to
  }
}

function readList(shape: DocumentShape, value: Json, field: FieldContext): Json | undefined {
  if (!Array.isArray(value)) return wrongType("a list", value, field);
  const missing = typeof shape === "string" && scalarReader(shape) !== undefined ? "" : {};
  return (value as readonly Json[]).map(
    (item, index) => decodeDocument(shape, item, { ...field, path: `${field.path}[${index}]` }) ?? missing,
  );
}

function readMembers(
  shapeFor: (name: string) => DocumentShape | undefined,
  value: Json,
  { path, errors, names }: FieldContext & { readonly names: readonly string[] },
): JsonObject | undefined {
  if (!isJsonObject(value)) return wrongType("an object", value, { path, errors });
  const object: Record<string, Json> = {};
  for (const [name, item] of Object.entries(value)) {
    const at = path === "" ? name : `${path}.${name}`;
    const shape = names.includes(name) ? shapeFor(name) : undefined;
    if (shape === undefined) {
      errors.push(forbidden(at, `unknown field${hint(name, names)}`));
      continue;
    }
    if (item === null || item === undefined) continue;
    const decoded = decodeDocument(shape, item, { path: at, errors });
    if (decoded !== undefined) object[name] = decoded;
  }
  return object;
}

/** Go's own types are written with capitals, and so are the fields of many examples. */
function hint(name: string, names: readonly string[]): string {
  const meant = names.find((other) => other.toLowerCase() === name.toLowerCase());
  return meant === undefined ? "" : `; did you mean ${JSON.stringify(meant)}?`;
}

const typeNames: ReadonlyMap<string, string> = new Map([
  ["string", "a text"],
  ["bool", "true or false"],
  ["int32", "a whole number of 32 bits"],
  ["int64", "a whole number"],
  ["double", "a number"],
  ["Duration", 'a duration such as "15s"'],
]);

function nameOf(type: string): string {
  return typeNames.get(type) ?? `a ${type}`;
}

function wrongType(wanted: string, value: Json, { path, errors }: FieldContext): undefined {
  errors.push({ type: "FieldValueTypeInvalid", field: path, value, detail: `must be ${wanted}` });
}

/** All errors, without those of validation that only say that a value of a wrong type is missing. */
export function joinErrors(
  decoding: readonly FieldError[],
  validation: readonly FieldError[],
): readonly FieldError[] {
  const wrong = shortestPrefixes(decoding.map(({ field }) => field));
  return [...decoding, ...validation.filter(({ field }) => !hasPrefixIn(wrong, field))];
}

/** The texts that begin with no other one of them, sorted. */
function shortestPrefixes(texts: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const text of texts.toSorted(byCodeUnit)) {
    const last = kept[kept.length - 1];
    if (last === undefined || !text.startsWith(last)) kept.push(text);
  }
  return kept;
}

const byCodeUnit = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** Whether a text begins with one of these; only the last that sorts before it can be the one. */
function hasPrefixIn(prefixes: readonly string[], text: string): boolean {
  let low = 0;
  let high = prefixes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((prefixes[middle] ?? "") <= text) low = middle + 1;
    else high = middle;
  }
  const candidate = prefixes[low - 1];
  return candidate !== undefined && text.startsWith(candidate);
}
