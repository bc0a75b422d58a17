import type { MatchCondition } from "../../../../api/generated/admissionregistration-v1.ts";
import type { JsonObject } from "../../../../api/json.ts";
import { runProgram } from "../../cel/evaluate/run-program.ts";
import { CelError, type CelValue } from "../../cel/values/cel-value.ts";
import { celValueOf } from "../../cel/values/schema-value.ts";
import { compileCondition } from "./compile-condition.ts";

/** The values of the variables; `null` where there is no such object. */
export interface ConditionInput {
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  readonly request: JsonObject;
  /** The variables that ask what the user may do. */
  readonly authorization: ReadonlyMap<string, CelValue>;
}

/** Whether all conditions of a webhook are true; errors count only if none of them is false. */
export type ConditionsResult =
  | { readonly kind: "true" | "false" }
  | { readonly kind: "error"; readonly why: string };

/** What one condition may cost, and all of a webhook, in units of CEL. */
const callLimit = 1_000_000;
const conditionsBudget = 2_500_000;

const outOfBudget =
  "validation failed due to running out of cost budget, no further validation rules will be run";

/** Evaluates the conditions of a webhook; pauses after every stretch of work. */
export function evaluateConditions(
  conditions: readonly MatchCondition[],
  input: ConditionInput,
): Generator<undefined, ConditionsResult> {
  const values = valuesOf(input);
  return decideConditions(conditions, ({ expression }) => evaluate(expression, values));
}

/** Combines the conditions; `evaluateOne` returns the value of one, and its cost. */
export function* decideConditions(
  conditions: readonly MatchCondition[],
  evaluateOne: (
    condition: MatchCondition,
  ) => Generator<undefined, { readonly value: CelValue; readonly cost: number }>,
): Generator<undefined, ConditionsResult> {
  const errors: string[] = [];
  let budget = conditionsBudget;
  for (const condition of conditions) {
    const { value, cost } = yield* evaluateOne(condition);
    budget -= cost;
    if (budget < 0) return { kind: "error", why: outOfBudget };
    if (value === false) return { kind: "false" };
    if (value !== true)
      errors.push(`expression '${condition.expression}' resulted in error: ${problemOf(value)}`);
  }
  return errors.length === 0 ? { kind: "true" } : { kind: "error", why: listed(errors) };
}

function listed(errors: readonly string[]): string {
  return errors.length === 1 ? errors.join() : `[${errors.join(", ")}]`;
}

function problemOf(value: CelValue): string {
  return value instanceof CelError ? value.message : "the result is not a bool";
}

function* evaluate(text: string, values: ReadonlyMap<string, CelValue>) {
  // Stored conditions compile, unless an older version of this program accepted what this one refuses.
  const compiled = compileCondition(text);
  if (!compiled.ok) return { value: new CelError(compiled.why), cost: 0 };
  const variable = (name: string) => values.get(name);
  return yield* runProgram(compiled.expression.program, { variable, limit: callLimit });
}

function valuesOf(input: ConditionInput): ReadonlyMap<string, CelValue> {
  const { object, oldObject, request, authorization } = input;
  return new Map([
    ["object", celValueOf(object)],
    ["oldObject", celValueOf(oldObject)],
    ["request", celValueOf(request)],
    // upstream: the conditions of webhooks are evaluated without the namespace.
    ["namespaceObject", null],
    ...authorization,
  ]);
}
