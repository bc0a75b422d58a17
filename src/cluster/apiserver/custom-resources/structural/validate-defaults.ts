import { type FieldError, invalid } from "../../../../api/field-error.ts";
import { pruneValue } from "./prune.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { validateListTypes } from "./validate-list-types.ts";
import { validateAtOnce, validateValue } from "./validate-value.ts";

/** Reports defaults that have unknown fields or that the schema itself refuses; not by patterns that take many steps. */
export function validateDefaults(schema: StructuralSchema, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  check(schema, path, errors);
  return errors;
}

function check(schema: StructuralSchema, path: string, errors: FieldError[]): void {
  const { default: given, items } = schema;
  const field = `${path}.default`;
  if (given !== undefined) {
    if (pruneValue(given, schema).value !== given)
      errors.push(invalid(field, given, "must not have unknown fields"));
    for (const error of validateAtOnce(given, schema, { base: field }) ?? []) errors.push(error);
    for (const error of validateListTypes(given, schema, field)) errors.push(error);
  }
  // upstream: defaults below additionalProperties are not checked.
  if (items !== undefined) check(items, `${path}.items`, errors);
  for (const [name, property] of schema.properties) check(property, `${path}.properties[${name}]`, errors);
}

/** Reports defaults that the schema itself refuses, of those with patterns that take many steps. */
export function* validateLargeDefaults(
  schema: StructuralSchema,
  path: string,
): Generator<undefined, readonly FieldError[]> {
  const errors: FieldError[] = [];
  yield* checkLarge(schema, path, errors);
  return errors;
}

function* checkLarge(
  schema: StructuralSchema,
  path: string,
  errors: FieldError[],
): Generator<undefined, void> {
  const { default: given, items } = schema;
  const base = `${path}.default`;
  if (given !== undefined && validateAtOnce(given, schema, { base }) === undefined)
    errors.push(...(yield* validateValue(given, schema, { base })));
  if (items !== undefined) yield* checkLarge(items, `${path}.items`, errors);
  for (const [name, property] of schema.properties)
    yield* checkLarge(property, `${path}.properties[${name}]`, errors);
}
