import type { FieldError } from "../field-error.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { apiTypeSchema } from "./api-type-schema.ts";
import {
  lengthErrors,
  memberErrors,
  numberErrors,
  memberPath,
  textErrors,
  unknownMember,
  wrongType,
} from "./document-errors.ts";
import type { DocumentSchema, Incomplete } from "./document-schema.ts";

/** A document, or every mistake in it, each with the path of its field, what was expected and the nearest word. */
export type ReadDocument<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/**
 * Reads a value by a schema. A member that is null is absent, as everywhere in Kubernetes; members that the schema does
 * not have are refused. The value is what JSON or YAML has, or the options of a function.
 */
export function readDocument<T>(schema: DocumentSchema<T>, value: unknown, path = ""): ReadDocument<T> {
  const { rest, errors } = readParts(schema, value, path);
  // Without errors nothing is left out.
  return errors.length === 0 ? { ok: true, value: rest as T } : { ok: false, errors };
}

/** The valid part of a document, and its errors. */
export interface ReadParts<T> {
  /** The document without invalid values; other items of a list keep their index. */
  readonly rest: Incomplete<T>;
  readonly errors: readonly FieldError[];
}

/** Variant for documents whose valid part is validated further; `joinErrors` adds the errors of that. */
export function readParts<T>(schema: DocumentSchema<T>, value: unknown, path = ""): ReadParts<T> {
  const errors: FieldError[] = [];
  const read = readValue(schema, value, { path, errors });
  // The schema has seen every member, and its builders gave it the type.
  return { rest: (read ?? emptyOf(schema)) as Incomplete<T>, errors };
}

/** Where a value is, and the list that gets its errors. */
interface Place {
  readonly path: string;
  readonly errors: FieldError[];
}

/** The value, or what is left of it; `undefined` where it is wrong altogether. */
function readValue(schema: DocumentSchema, value: unknown, place: Place): unknown {
  const { anyOf } = schema;
  const chosen = anyOf?.find((alternative) => isOfType(alternative, value));
  if (chosen !== undefined) return readValue(chosen, value, place);
  if (anyOf !== undefined || !isOfType(schema, value))
    return void place.errors.push(wrongType(schema, value, place.path));
  if (schema.check === undefined) return readNamed(schema, value, place);
  const inner = { path: place.path, errors: [] as FieldError[] };
  const read = readNamed(schema, value, inner);
  const checked = read === undefined ? [] : schema.check(read, place.path);
  place.errors.push(...joinErrors(inner.errors, checked));
  return read;
}

/** Reads a value by the words of its schema, and by the type of the Kubernetes API that it names. */
function readNamed(schema: DocumentSchema, value: unknown, place: Place): unknown {
  const read = readForm(schema, value, place);
  return schema.apiType === undefined ? read : readValue(apiTypeSchema(schema.apiType), read, place);
}

/** Reads a value that has the type of its schema. */
function readForm(schema: DocumentSchema, value: unknown, place: Place): unknown {
  const { errors, path } = place;
  if (typeof value === "string" || typeof value === "number") {
    const found =
      typeof value === "string" ? textErrors(schema, value, path) : numberErrors(schema, value, path);
    errors.push(...found);
    return found.length === 0 ? value : undefined;
  }
  if (Array.isArray(value)) return readList(schema, value, place);
  const hasMembers = schema.type === "object" && isJsonObject(value);
  return hasMembers ? readMembers(schema, value, place) : value;
}

function isOfType({ type }: DocumentSchema, value: unknown): boolean {
  switch (type) {
    case undefined:
      return true;
    case "object":
      return isJsonObject(value);
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "string":
    case "number":
    case "boolean":
      break;
  }
  return typeof value === type;
}

function readList(schema: DocumentSchema, list: readonly unknown[], { path, errors }: Place): unknown {
  const { items } = schema;
  errors.push(...lengthErrors(schema, list, path));
  if (items === undefined) return list;
  return list.map(
    (item, index) => readValue(items, item, { path: `${path}[${index}]`, errors }) ?? emptyOf(items),
  );
}

/** Returns the placeholder for an invalid value that cannot be left out. */
function emptyOf({ type, apiType }: DocumentSchema): unknown {
  if (type === "array") return [];
  return type === "object" || (apiType !== undefined && apiTypeSchema(apiType).type === "object") ? {} : "";
}

function readMembers(schema: DocumentSchema, object: JsonObject, place: Place): JsonObject {
  const { properties = {} } = schema;
  const read: [string, unknown][] = [];
  for (const [name, value] of Object.entries(object)) {
    const isKnown = Object.hasOwn(properties, name);
    if (value === undefined || (value === null && isKnown)) continue;
    const member = isKnown ? properties[name] : schema.additionalProperties;
    const at = { path: memberPath(place.path, name), errors: place.errors };
    if (member === false) place.errors.push(unknownMember(at.path, name, Object.keys(properties)));
    else read.push([name, readValue(member ?? {}, value, at)]);
  }
  place.errors.push(...memberErrors(schema, object, place.path));
  return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as JsonObject;
}

/** All errors, without those of validation that follow from values that were left out. */
export function joinErrors(
  reading: readonly FieldError[],
  validation: readonly FieldError[],
): readonly FieldError[] {
  const wrong = new Set(reading.map(({ field }) => field));
  return [...reading, ...validation.filter(({ field }) => !isWithin(field, wrong))];
}

/** Reports whether a field, or one that contains it, is in a set. */
function isWithin(field: string, fields: ReadonlySet<string>): boolean {
  if (fields.has("") || fields.has(field)) return true;
  for (const { index } of field.matchAll(/[.[]/g)) if (fields.has(field.slice(0, index))) return true;
  return false;
}
