import { deepEqual } from "../../../../api/deep-equal.ts";
import type { FieldError } from "../../../../api/field-error.ts";
import { compileRules } from "../../custom-resources/rules/compile-rules.ts";
import { validateDefaultRules } from "../../custom-resources/rules/validate-default-rules.ts";
import { validateLargeDefaults } from "../../custom-resources/structural/validate-defaults.ts";
import type { ValidationFindings } from "../kind-strategy.ts";
import type { SentDefinition } from "./strategy.ts";
import { type PartPlace, placesOf, schemaOf, schemaPart } from "./validate-version-parts.ts";

/** A definition that is written, and the one that it replaces. */
interface DefinitionChange {
  readonly next: SentDefinition;
  readonly previous: SentDefinition | undefined;
}

/**
 * Compiles the rules of schemas that have no other errors, and evaluates them on defaults; pauses between the schemas and
 * while rules are evaluated.
 */
export function* validateSchemaRules(
  { next, previous }: DefinitionChange,
  errors: readonly FieldError[],
): Generator<undefined, ValidationFindings> {
  if (next.spec?.versions === previous?.spec?.versions) return { errors: [], warnings: [] };
  const found: FieldError[] = [];
  for (const place of placesOf(schemaPart, next, previous)) {
    found.push(...(yield* schemaRuleErrors(place, errors)));
    yield;
  }
  return { errors: found, warnings: [] };
}

function* schemaRuleErrors(
  { version, path, stored }: PartPlace,
  errors: readonly FieldError[],
): Generator<undefined, readonly FieldError[]> {
  const known = errors.map(({ field }) => field).filter((field) => isAt(path, field));
  const isStructural = known.every((field) => /\.default(?=$|[.[])/.test(field));
  if (!isStructural || version.schema?.openAPIV3Schema === undefined) return [];
  const schema = schemaOf(version);
  const isUnchanged = stored !== undefined && deepEqual(schemaOf(stored).source, schema.source);
  // upstream: rules are evaluated on defaults that their own schemas accept, whatever others are.
  const isValid = (place: string): boolean => !known.some((field) => isAt(place, field));
  const large = isUnchanged ? [] : yield* validateLargeDefaults(schema, path);
  if (large.length > 0) return large;
  const ofDefaults = isUnchanged ? [] : yield* validateDefaultRules(schema, path, isValid);
  if (known.length + ofDefaults.length > 0) return ofDefaults;
  return compileRules({ schema, path, limitsCost: !isUnchanged }).errors;
}

function isAt(path: string, field: string): boolean {
  return field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`);
}
