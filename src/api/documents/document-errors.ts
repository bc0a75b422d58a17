import { type FieldError, forbidden, invalid, notSupported, required } from "../field-error.ts";
import type { JsonObject } from "../json.ts";
import { nearestName } from "../nearest-name.ts";
import type { DocumentSchema } from "./document-schema.ts";

const typeNames: Readonly<Record<NonNullable<DocumentSchema["type"]>, string>> = {
  object: "an object",
  array: "a list",
  string: "a text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
};

/** Says what a value should have been. */
function expected({ type = "object", errorMessage, minimum, maximum }: DocumentSchema): string {
  if (errorMessage !== undefined) return errorMessage;
  if (minimum === undefined) return `must be ${typeNames[type]}`;
  const range = maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
  return `must be ${typeNames[type]} ${range}`;
}

/** A value of another type. Lists and objects are not repeated in messages. */
export function wrongType(schema: DocumentSchema, value: unknown, field: string): FieldError {
  const shown = typeof value === "object" || typeof value === "function" ? {} : { value };
  return { type: "FieldValueTypeInvalid", field, ...shown, detail: expected(schema) };
}

/** What is wrong with a text. */
export function textErrors(schema: DocumentSchema, value: string, path: string): readonly FieldError[] {
  const words = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (words !== undefined && !words.includes(value)) return [unsupported(path, value, words)];
  if (schema.minLength !== undefined && value.length < schema.minLength)
    return [required(path, schema.errorMessage)];
  if (schema.pattern === undefined || new RegExp(schema.pattern, "u").test(value)) return [];
  return [invalid(path, value, schema.errorMessage ?? `must match ${schema.pattern}`)];
}

/** Adds no hint if only one or two words are allowed: the message lists them, and a hint might suggest another version. */
function unsupported(path: string, value: string, words: readonly string[]): FieldError {
  const error = notSupported(path, value, words);
  const meant = words.length > 2 ? nearestName(value, words) : undefined;
  return meant === undefined ? error : { ...error, detail: `${error.detail}; did you mean "${meant}"?` };
}

/** A number out of range. */
export function numberErrors(schema: DocumentSchema, value: number, path: string): readonly FieldError[] {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  return value >= minimum && value <= maximum ? [] : [invalid(path, value, expected(schema))];
}

/** A list that is too short. */
export function lengthErrors(
  { minItems = 0 }: DocumentSchema,
  list: readonly unknown[],
  path: string,
): readonly FieldError[] {
  const least = minItems === 1 ? "one item" : minItems;
  return list.length < minItems ? [required(path, `needs at least ${least}`)] : [];
}

/** The path of a member; the document itself has none. */
export function memberPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** A member that a schema does not have, with the one that was most likely meant. */
export function unknownMember(at: string, name: string, names: readonly string[]): FieldError {
  const same = names.find((other) => other.toLowerCase() === name.toLowerCase());
  const meant = same ?? nearestName(name, names);
  const hint = meant === undefined ? `expected one of ${names.join(", ")}` : `did you mean "${meant}"?`;
  return forbidden(at, `unknown field; ${hint}`);
}

/** What is wrong with the members of an object together. */
export function memberErrors(
  schema: DocumentSchema,
  object: JsonObject,
  path: string,
): readonly FieldError[] {
  const present = Object.keys(object).filter((name) => (object[name] ?? undefined) !== undefined);
  return [
    ...missingMembers(schema, present, path),
    ...alternativeMembers(schema, present, path),
    ...(present.length < (schema.minProperties ?? 0) ? [required(path, "needs at least one member")] : []),
  ];
}

function missingMembers(
  { required: names = [], properties = {} }: DocumentSchema,
  present: readonly string[],
  path: string,
): readonly FieldError[] {
  return names
    .filter((name) => !present.includes(name))
    .map((name) => {
      const { const: only, errorMessage, description = "" } = properties[name] ?? {};
      const detail =
        only === undefined ? (errorMessage ?? description.split(/[.;:](?: |$)/)[0] ?? "") : `must be ${only}`;
      return required(memberPath(path, name), detail);
    });
}

function alternativeMembers(
  { oneOf = [], properties = {} }: DocumentSchema,
  present: readonly string[],
  path: string,
): readonly FieldError[] {
  const names = oneOf.map(({ required: [name] }) => name);
  const chosen = names.filter((name) => present.includes(name));
  if (names.length === 0 || chosen.length === 1) return [];
  if (chosen.length > 1) {
    const [first = "", second = ""] = chosen;
    return [forbidden(memberPath(path, second), `may not be there together with ${first}`)];
  }
  // An unknown member was most likely meant to be the missing one.
  const hasUnknown = present.some((name) => !Object.hasOwn(properties, name));
  return hasUnknown ? [] : [required(path, `needs one of ${names.join(", ")}`)];
}
