import { deepEqual } from "../../../../api/deep-equal.ts";
import {
  type FieldError,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
} from "../../../../api/field-error.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../api/json.ts";
import { checkBranches } from "./check-branches.ts";
import { checkNumber } from "./check-number.ts";
import { restrictsType, typeMismatch } from "./check-type.ts";
import { correlatedItems } from "./correlate-items.ts";
import { isMatch, type KnownMatches, newKnownMatches, settle } from "./known-matches.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { checkedFormat, hasFormat } from "./value-format.ts";

/** A value and its place; `old` is the value that it replaces, if the two can be correlated. */
export interface Checked {
  readonly value: Json;
  readonly schema: StructuralSchema;
  /** The path in messages, which begins at the value that is validated. */
  readonly path: string;
  readonly old?: Json | undefined;
}

/** The findings of a validation, and where it began. */
export interface Findings {
  /** The path of the value that is validated; absent for a whole object. */
  readonly base: string | undefined;
  readonly errors: FieldError[];
  readonly matches: KnownMatches;
}

export interface ValidationOptions {
  /** The path of the value, for errors; absent for a whole object. */
  readonly base?: string | undefined;
  /** The value that is replaced: errors of unchanged parts are left out (upstream: ratcheting). */
  readonly old?: Json | undefined;
}

/**
 * Validates a value by its schema; list types and rules are validated apart. Pauses only if patterns take many steps; then
 * the value is validated again when it is known what they match.
 */
export function* validateValue(
  value: Json,
  schema: StructuralSchema,
  options: ValidationOptions = {},
): Generator<undefined, readonly FieldError[]> {
  const matches = newKnownMatches();
  for (;;) {
    const errors = errorsOf(value, schema, { ...options, matches });
    if (matches.pending.length === 0) return errors;
    yield* settle(matches);
  }
}

/** Validates a value without a pause; returns `undefined` if its patterns take too many steps for that. */
export function validateAtOnce(
  value: Json,
  schema: StructuralSchema,
  options: ValidationOptions = {},
): readonly FieldError[] | undefined {
  const { value: errors } = validateValue(value, schema, options).next();
  return errors;
}

function errorsOf(
  value: Json,
  schema: StructuralSchema,
  { base, old, matches }: ValidationOptions & Pick<Findings, "matches">,
): readonly FieldError[] {
  const findings: Findings = { base, errors: [], matches };
  check({ value, schema, path: "", old }, findings);
  return withoutRepetitions(findings.errors);
}

/**
 * Adds the errors of a value to the findings, unless the value is unchanged, and returns how many checks there were: of
 * several branches that fail, the one with most checks is reported (upstream: MatchCount).
 */
export function check(checked: Checked, findings: Findings): number {
  const before = findings.errors.length;
  const count = checkAll(checked, findings);
  const { old, value } = checked;
  if (findings.errors.length > before && old !== undefined && deepEqual(old, value))
    findings.errors.length = before;
  return count;
}

function checkAll(checked: Checked, findings: Findings): number {
  const { value, schema } = checked;
  if (value === null) {
    const count = checkType(checked, findings);
    checkEnum(checked, findings);
    return count;
  }
  // Each kind of check that applies counts as one, and so does the value.
  let count = restrictsType(schema) ? checkType(checked, findings) + 1 : 0;
  count += checkBranches(checked, findings, check) + 2;
  if (typeof value === "string") count += checkText(value, checked, findings);
  if (typeof value === "number") count += checkNumberValue(value, checked, findings);
  if (Array.isArray(value)) count += checkList(value as readonly Json[], checked, findings);
  checkEnum(checked, findings);
  count += 1;
  if (isJsonObject(value)) count += checkFields(value, checked, findings) + 1;
  return count + 1;
}

/** Returns the field of an error at a path. */
export function fieldAt(path: string, base: string | undefined): string {
  const inside = path.startsWith(".") ? path.slice(1) : path;
  if (inside === "") return base ?? "<nil>";
  return base === undefined ? inside : `${base}.${inside}`;
}

function checkType({ value, schema, path }: Checked, { base, errors }: Findings): number {
  const mismatch = typeMismatch(value, schema);
  if (mismatch === undefined) return 1;
  errors.push(typeInvalid(fieldAt(path, base), { path, wanted: mismatch.wanted, found: mismatch.found }));
  return 0;
}

function typeInvalid(
  field: string,
  { path, wanted, found }: { readonly path: string; readonly wanted: string; readonly found: string },
): FieldError {
  const detail = `${path} in body must be of type ${wanted}: ${JSON.stringify(found)}`;
  return { type: "FieldValueTypeInvalid", field, value: found, detail };
}

/** Checks length and pattern, of which the first failure counts, then the format. */
function checkText(text: string, { schema, path }: Checked, { base, errors, matches }: Findings): number {
  const field = fieldAt(path, base);
  const problem = textProblem(text, schema, path) ?? patternProblem(text, { schema, path }, matches);
  if (problem === "too long") errors.push(tooLong(field, schema.maxLength ?? 0));
  else if (problem !== undefined) errors.push(invalid(field, text, problem));
  const format = checkedFormat(schema);
  if (format === undefined || schema.type === "integer" || schema.type === "number") return 1;
  if (!hasFormat(text, format)) errors.push(typeInvalid(field, { path, wanted: format, found: text }));
  return 2;
}

function textProblem(text: string, schema: StructuralSchema, path: string): string | undefined {
  const { maxLength, minLength } = schema;
  if (maxLength !== undefined && hasMoreThan(maxLength, text)) return "too long";
  if (minLength !== undefined && !hasMoreThan(minLength - 1, text))
    return `${path} in body should be at least ${minLength} chars long`;
  return undefined;
}

function patternProblem(
  text: string,
  { schema: { pattern }, path }: Pick<Checked, "schema" | "path">,
  matches: KnownMatches,
): string | undefined {
  if (pattern === undefined) return undefined;
  const found = isMatch(matches, pattern, text);
  if (found === "too many steps")
    return `${path} in body has ${text.length} characters, which are too many to be matched with '${pattern}'`;
  return found ? undefined : `${path} in body should match '${pattern}'`;
}

/** Reports whether a text has more code points than the limit. */
function hasMoreThan(limit: number, text: string): boolean {
  if (text.length <= limit) return false;
  let count = 0;
  for (const _ of text) {
    count += 1;
    if (count > limit) return true;
  }
  return false;
}

function checkNumberValue(value: number, { schema, path }: Checked, { base, errors }: Findings): number {
  const outside = base ?? "<nil>";
  for (const problem of checkNumber(value, schema, path)) {
    const isOwn = problem.value !== undefined;
    errors.push(invalid(isOwn ? fieldAt(path, base) : outside, problem.value ?? "", problem.detail));
  }
  return 2;
}

function checkList(list: readonly Json[], checked: Checked, findings: Findings): number {
  const { schema, path, old } = checked;
  const { items, minItems, maxItems } = schema;
  let count = 0;
  if (items !== undefined) {
    const oldItem = correlatedItems(list, old, schema);
    for (const [index, value] of list.entries())
      count += check({ value, schema: items, path: `${path}[${index}]`, old: oldItem(value) }, findings);
  }
  const field = fieldAt(path, findings.base);
  if (minItems !== undefined && list.length < minItems)
    findings.errors.push(
      invalid(field, list.length, `${path} in body should have at least ${minItems} items`),
    );
  if (maxItems !== undefined && list.length > maxItems)
    findings.errors.push(tooMany(field, list.length, maxItems));
  return count + 2;
}

function checkEnum({ value, schema, path }: Checked, { base, errors }: Findings): void {
  const { enum: allowed } = schema;
  if (allowed === undefined || allowed.length === 0) return;
  if (value !== null && allowed.some((each) => isSame(each, value))) return;
  const texts = allowed.map((each) => (typeof each === "string" ? each : JSON.stringify(each)));
  errors.push(notSupported(fieldAt(path, base), value, texts));
}

/** As kube-apiserver compares, which makes an integer of a number first where an integer is allowed: 1.5 is 1. */
const isSame = (allowed: Json, value: Json): boolean =>
  deepEqual(allowed, value) || (typeof value === "number" && Math.trunc(value) === allowed);

function checkFields(object: JsonObject, checked: Checked, findings: Findings): number {
  const { schema, path } = checked;
  const { minProperties, maxProperties } = schema;
  const { base, errors } = findings;
  const size = Object.keys(object).length;
  const field = fieldAt(path, base);
  if (minProperties !== undefined && size < minProperties)
    errors.push(invalid(field, size, `${path} in body should have at least ${minProperties} properties`));
  if (maxProperties !== undefined && size > maxProperties) errors.push(tooMany(field, size, maxProperties));
  let count = checkOtherFields(object, checked, findings);
  for (const [name, property] of schema.properties) {
    if (!Object.hasOwn(object, name)) continue;
    const inside = path === "" ? name : `${path}.${name}`;
    count += checkField(name, { ...checked, path: inside, schema: property }, findings);
  }
  for (const name of schema.required)
    if (!Object.hasOwn(object, name)) errors.push(required(fieldAt(`${path}.${name}`, base)));
  return count;
}

function checkOtherFields(object: JsonObject, checked: Checked, findings: Findings): number {
  const { schema, path } = checked;
  const { additionalProperties, properties } = schema;
  if (additionalProperties === undefined || additionalProperties === true) return 0;
  let count = 0;
  for (const name of Object.keys(object)) {
    if (properties.has(name)) continue;
    if (additionalProperties === false) {
      const detail = `${path}.${name} in body is a forbidden property`;
      findings.errors.push(invalid(fieldAt(path, findings.base), name, detail));
    } else {
      count += checkField(
        name,
        { ...checked, path: `${path}.${name}`, schema: additionalProperties },
        findings,
      );
    }
  }
  return count;
}

/** Checks a field of the value in `checked`, by the path and schema in it. */
function checkField(name: string, { value, schema, path, old }: Checked, findings: Findings): number {
  const member = isJsonObject(value) ? value[name] : undefined;
  // upstream: changes of these two are not visible, because both objects were converted to one version.
  const isTypeMeta = path === "kind" || path === "apiVersion";
  const oldMember = !isTypeMeta && isJsonObject(old) && Object.hasOwn(old, name) ? old[name] : undefined;
  return member === undefined ? 0 : check({ value: member, schema, path, old: oldMember }, findings);
}

/** Two branches of a schema often find the same. */
function withoutRepetitions(errors: readonly FieldError[]): readonly FieldError[] {
  const seen = new Set<string>();
  return errors.filter(({ type, field, detail }) => {
    const key = `${type} ${field} ${detail}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
