import type { MatchCondition } from "../../../../api/generated/admissionregistration-v1.ts";
import type { JsonObject } from "../../../../api/json.ts";
import { celValueOf, sizesOfAll } from "./cel-values.ts";
import { compileExpression, type ExpressionInput } from "./match-expression.ts";
import type { ValueSizes } from "./expression-cost.ts";

/** The values of the variables; `null` where there is no such object. */
export interface ConditionInput {
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  readonly request: JsonObject;
}

/** Whether all conditions of a webhook are true; errors count only if none of them is false. */
export type ConditionsResult =
  | { readonly kind: "true" | "false" }
  | { readonly kind: "error"; readonly why: string };

/** Limits the steps of all conditions of a webhook for one request to some ten milliseconds. */
const maxCost = 100_000;

/** Evaluates the conditions of a webhook. */
export function evaluateConditions(
  conditions: readonly MatchCondition[],
  input: ConditionInput,
): ConditionsResult {
  const { values, sizes } = celInputOf(input);
  const errors: string[] = [];
  let budget = maxCost;
  for (const { expression: text } of conditions) {
    const evaluated = evaluate(text, { values, sizes, budget });
    budget -= evaluated.cost;
    if (evaluated.result === false) return { kind: "false" };
    if (evaluated.result !== true)
      errors.push(`expression '${text}' resulted in error: ${evaluated.result.error}`);
  }
  return errors.length === 0 ? { kind: "true" } : { kind: "error", why: listed(errors) };
}

function listed(errors: readonly string[]): string {
  return errors.length === 1 ? errors.join() : `[${errors.join(", ")}]`;
}

interface Evaluation {
  readonly values: ExpressionInput;
  readonly sizes: ValueSizes;
  readonly budget: number;
}

function evaluate(text: string, { values, sizes, budget }: Evaluation) {
  // Stored conditions compile, unless an older version of this program accepted what this one refuses.
  const compiled = compileExpression(text);
  if (!compiled.ok) return { cost: 0, result: { error: compiled.why } };
  const cost = compiled.expression.cost(sizes);
  if (cost > budget)
    return {
      cost: 0,
      result: { error: "it would take more steps with this object than the cost limit allows" },
    };
  return { cost, result: compiled.expression.evaluate(values) };
}

function celInputOf({ object, oldObject, request }: ConditionInput) {
  const sized = {
    object: celValueOf(object),
    oldObject: celValueOf(oldObject),
    request: celValueOf(request),
  };
  const values = {
    object: sized.object.value,
    oldObject: sized.oldObject.value,
    request: sized.request.value,
  };
  return { values, sizes: sizesOfAll(Object.values(sized).map(({ sizes }) => sizes)) };
}
