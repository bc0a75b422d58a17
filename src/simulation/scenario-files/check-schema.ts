import { type FieldError, forbidden, invalid, notSupported, required } from "../../api/field-error.ts";
import { isJsonObject, type Json, type JsonObject } from "../../api/json.ts";
import { nearestName } from "../../api/nearest-name.ts";
import type { JsonSchema } from "./json-schema.ts";

/** Every error of a value by a schema, each with the path of its field. */
export function checkSchema(schema: JsonSchema, value: Json, path: string): readonly FieldError[] {
  if (schema.anyOf !== undefined) return checkAlternatives(schema, schema.anyOf, { value, path });
  if (!isOfType(schema, value)) return [wrongType(schema, value, path)];
  if (typeof value === "string") return checkText(schema, value, path);
  if (typeof value === "number") return checkNumber(schema, value, path);
  if (Array.isArray(value)) return checkList(schema, value as readonly Json[], path);
  return isJsonObject(value) ? checkObject(schema, value, path) : [];
}

interface Located {
  readonly value: Json;
  readonly path: string;
}

/** The errors of the alternative whose type the value has; alternatives of one schema have different types. */
function checkAlternatives(
  schema: JsonSchema,
  alternatives: readonly JsonSchema[],
  { value, path }: Located,
): readonly FieldError[] {
  const chosen = alternatives.find((alternative) => isOfType(alternative, value));
  return chosen === undefined ? [wrongType(schema, value, path)] : checkSchema(chosen, value, path);
}

function isOfType({ type }: JsonSchema, value: Json): boolean {
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

const typeNames: Readonly<Record<NonNullable<JsonSchema["type"]>, string>> = {
  object: "an object",
  array: "a list",
  string: "a text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
};

function wrongType({ type, errorMessage, ...schema }: JsonSchema, value: Json, field: string): FieldError {
  const range = type === "integer" ? rangeOf(schema) : "";
  const detail = errorMessage ?? `must be ${typeNames[type ?? "object"]}${range}`;
  return { type: "FieldValueTypeInvalid", field, value: shown(value), detail };
}

/** Lists and objects are not repeated in messages. */
function shown(value: Json): Json | undefined {
  return typeof value === "object" ? undefined : value;
}

function checkText(schema: JsonSchema, value: string, path: string): readonly FieldError[] {
  const words = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (words !== undefined && !words.includes(value)) return [unsupported(path, value, words)];
  if (schema.minLength !== undefined && value.length < schema.minLength) return [required(path)];
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, "u").test(value))
    return [invalid(path, value, schema.errorMessage ?? `must match ${schema.pattern}`)];
  return [];
}

function unsupported(path: string, value: string, words: readonly string[]): FieldError {
  const error = notSupported(path, value, words);
  const meant = nearestName(value, words);
  return meant === undefined ? error : { ...error, detail: `${error.detail}; did you mean "${meant}"?` };
}

function checkNumber(schema: JsonSchema, value: number, path: string): readonly FieldError[] {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  if (value >= minimum && value <= maximum) return [];
  const name = schema.type === "integer" ? "a whole number" : "a number";
  return [invalid(path, value, schema.errorMessage ?? `must be ${name}${rangeOf(schema)}`)];
}

function rangeOf({ minimum, maximum }: JsonSchema): string {
  if (minimum === undefined) return "";
  return maximum === undefined ? ` of at least ${minimum}` : ` from ${minimum} to ${maximum}`;
}

function checkList(schema: JsonSchema, items: readonly Json[], path: string): readonly FieldError[] {
  const { items: each, minItems = 0 } = schema;
  if (items.length < minItems)
    return [required(path, `needs at least ${minItems === 1 ? "one item" : minItems}`)];
  return each === undefined
    ? []
    : items.flatMap((item, index) => checkSchema(each, item, `${path}[${index}]`));
}

function checkObject(schema: JsonSchema, object: JsonObject, path: string): readonly FieldError[] {
  const members = Object.entries(object).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return [
    ...members.flatMap(([name, value]) => checkMember(schema, { name, value, path })),
    ...missingMembers(schema, object, path),
    ...alternativeMembers(schema, object, path),
    ...(members.length < (schema.minProperties ?? 0) ? [required(path, "needs at least one member")] : []),
  ];
}

interface NamedValue extends Located {
  readonly name: string;
}

function checkMember(schema: JsonSchema, { name, value, path }: NamedValue): readonly FieldError[] {
  const { properties = {}, additionalProperties } = schema;
  const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
  const at = path === "" ? name : `${path}.${name}`;
  if (known !== undefined) return checkSchema(known, value, at);
  if (additionalProperties === false) return [unknownMember(at, name, Object.keys(properties))];
  return additionalProperties === undefined ? [] : checkSchema(additionalProperties, value, at);
}

function unknownMember(at: string, name: string, names: readonly string[]): FieldError {
  const same = names.find((other) => other.toLowerCase() === name.toLowerCase());
  const meant = same ?? nearestName(name, names);
  const hint = meant === undefined ? `expected one of ${names.join(", ")}` : `did you mean "${meant}"?`;
  return forbidden(at, `unknown field; ${hint}`);
}

function missingMembers(schema: JsonSchema, object: JsonObject, path: string): readonly FieldError[] {
  const { required: names = [], properties = {} } = schema;
  return names
    .filter((name) => object[name] === undefined)
    .map((name) => {
      const { const: only, errorMessage, description = "" } = properties[name] ?? {};
      const detail =
        only === undefined ? (errorMessage ?? description.split(/[.;:] ?/)[0] ?? "") : `must be ${only}`;
      return required(path === "" ? name : `${path}.${name}`, detail);
    });
}

function alternativeMembers(schema: JsonSchema, object: JsonObject, path: string): readonly FieldError[] {
  const names = (schema.oneOf ?? []).map(({ required: [name] }) => name);
  const present = names.filter((name) => object[name] !== undefined);
  if (names.length === 0 || present.length === 1) return [];
  if (present.length > 1) {
    const [first = "", second = ""] = present;
    return [forbidden(`${path}.${second}`, `may not be there together with ${first}`)];
  }
  const hasUnknown = Object.keys(object).some((name) => !Object.hasOwn(schema.properties ?? {}, name));
  // The unknown member was most likely meant to be the missing one.
  return hasUnknown ? [] : [required(path, `needs one of ${names.join(", ")}`)];
}
