import type { FieldError } from "../../../../api/field-error.ts";
import type { Json } from "../../../../api/json.ts";
import type { StructuralSchema } from "../structural/structural-schema.ts";
import { compileTree } from "./compile-rules.ts";
import { evaluateRules } from "./evaluate-rules.ts";
import { type CostBudget, requestCostBudget } from "./schema-rules.ts";

/**
 * Evaluates the rules of a schema on its defaults, which its keywords accept: first as values that an update leaves as
 * they are, then as new ones. All defaults of a schema share the cost of a request.
 */
export function* validateDefaultRules(
  schema: StructuralSchema,
  path: string,
  isValid: (path: string) => boolean,
): Generator<undefined, readonly FieldError[]> {
  const errors: FieldError[] = [];
  yield* visit({ schema, path, isRoot: true }, { errors, isValid, budget: { left: requestCostBudget } });
  return errors;
}

interface Place {
  readonly schema: StructuralSchema;
  readonly path: string;
  readonly isRoot: boolean;
}

interface Found {
  readonly errors: FieldError[];
  /** Whether the keywords of the schema accept the default at a place. */
  readonly isValid: (path: string) => boolean;
  budget: CostBudget;
}

function* visit({ schema, path, isRoot }: Place, found: Found): Generator<undefined, void> {
  const { default: value, items, properties } = schema;
  if (found.budget.left < 0) return;
  if (value !== undefined && value !== null && found.isValid(`${path}.default`))
    yield* evaluate({ schema, path: `${path}.default`, isRoot }, value, found);
  // upstream: defaults below additionalProperties are not checked.
  if (items !== undefined) yield* visit({ schema: items, path: `${path}.items`, isRoot: false }, found);
  for (const [name, property] of properties)
    yield* visit({ schema: property, path: `${path}.properties[${name}]`, isRoot: false }, found);
}

function* evaluate({ schema, path, isRoot }: Place, value: Json, found: Found): Generator<undefined, void> {
  const tree = compileTree(schema, isRoot || schema.embeddedResource);
  if (tree === undefined) return;
  const before = found.budget.left;
  for (const oldObject of [value, undefined]) {
    const budget = { left: before };
    const { errors } = yield* evaluateRules(tree, { object: value, oldObject, budget, path });
    found.errors.push(...errors);
    found.budget = { left: Math.min(found.budget.left, budget.left) };
    if (errors.length > 0) return;
  }
}
