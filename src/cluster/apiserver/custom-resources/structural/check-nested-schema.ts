import { type FieldError, forbidden, invalid } from "../../../../api/field-error.ts";
import type { Json } from "../../../../api/json.ts";
import { compilePattern } from "../../../../api/pattern.ts";
import type { StructuralSchema } from "./structural-schema.ts";

interface Nested {
  readonly errors: FieldError[];
  /** Whether `anyOf` may name the types integer and string. */
  readonly isChoiceAllowed: boolean;
}

/** Reports whether branches are exactly `[{type: integer}, {type: string}]`, which int-or-string fields may have. */
export function isIntOrStringChoice(branches: readonly StructuralSchema[]): boolean {
  const types = branches.map(({ source }) => (Object.keys(source).length === 1 ? source["type"] : undefined));
  return types.length === 2 && types[0] === "integer" && types[1] === "string";
}

/** Reports the branches of a schema that do more than restrict values. */
export function checkNestedSchema(schema: StructuralSchema, path: string, nested: Nested): void {
  const { errors, isChoiceAllowed } = nested;
  const none = { errors, isChoiceAllowed: false };
  if (!isChoiceAllowed)
    for (const [index, branch] of schema.anyOf.entries())
      checkBranch(branch, `${path}.anyOf[${index}]`, none);
  for (const [index, branch] of schema.allOf.entries()) {
    const isFirst = index === 0 && isIntOrStringChoice(branch.anyOf);
    checkBranch(branch, `${path}.allOf[${index}]`, { errors, isChoiceAllowed: isFirst });
  }
  for (const [index, branch] of schema.oneOf.entries()) checkBranch(branch, `${path}.oneOf[${index}]`, none);
  if (schema.not !== undefined) checkBranch(schema.not, `${path}.not`, none);
}

function checkBranch(branch: StructuralSchema, path: string, nested: Nested): void {
  const { errors } = nested;
  const none = { errors, isChoiceAllowed: false };
  checkNestedSchema(branch, path, nested);
  checkPattern(branch, path, errors);
  if (branch.items !== undefined) checkBranch(branch.items, `${path}.items`, none);
  for (const [name, property] of branch.properties)
    checkBranch(property, `${path}.properties[${name}]`, none);
  for (const [keyword, detail, isSet] of notInBranches)
    if (isSet(branch.source[keyword]))
      errors.push(forbidden(`${path}.${keyword}`, `must be ${detail} to be structural`));
  if (branch.properties.has("metadata"))
    errors.push(forbidden(`${path}.properties[metadata]`, "must not be specified in a nested context"));
}

/** Reports a pattern that is no regular expression. */
export function checkPattern({ pattern }: StructuralSchema, path: string, errors: FieldError[]): void {
  if (pattern === undefined) return;
  const compiled = compilePattern(pattern);
  if (compiled.ok) return;
  const detail = `must be a valid regular expression, but isn't: ${compiled.error}`;
  errors.push(invalid(`${path}.pattern`, pattern, detail));
}

type IsSet = (value: Json | undefined) => boolean;

const isDefined: IsSet = (value) => value !== undefined && value !== null && value !== false;
const isTrue: IsSet = (value) => value === true;
const isFilled: IsSet = (value) => (typeof value === "string" || Array.isArray(value)) && value.length > 0;

/** The keywords that branches must not have, and how they are refused. */
const notInBranches: readonly (readonly [keyword: string, detail: string, isSet: IsSet])[] = [
  ["type", "empty", isFilled],
  ["additionalProperties", "undefined", isDefined],
  ["default", "undefined", (value) => value !== undefined && value !== null],
  ["title", "empty", isFilled],
  ["description", "empty", isFilled],
  ["nullable", "false", isTrue],
  ["x-kubernetes-preserve-unknown-fields", "false", isTrue],
  ["x-kubernetes-embedded-resource", "false", isTrue],
  ["x-kubernetes-int-or-string", "false", isTrue],
  ["x-kubernetes-list-map-keys", "empty", isFilled],
  ["x-kubernetes-list-type", "undefined", isDefined],
  ["x-kubernetes-map-type", "undefined", isDefined],
  ["x-kubernetes-validations", "empty", isFilled],
];
