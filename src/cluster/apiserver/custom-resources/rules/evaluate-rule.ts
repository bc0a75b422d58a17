import { utf8Length } from "../../../../api/bytes.ts";
import { duplicate, type FieldError, forbidden, invalid, required } from "../../../../api/field-error.ts";
import type { Json } from "../../../../api/json.ts";
import type { CompiledExpression } from "../../cel/compile-expression.ts";
import { runProgram, type RunResult } from "../../cel/evaluate/run-program.ts";
import { CelError, type CelValue } from "../../cel/values/cel-value.ts";
import type { SchemaRule } from "../structural/structural-schema.ts";
import type { CompiledRule } from "./rule-tree.ts";
import type { CostBudget } from "./schema-rules.ts";

/** The values of the variables of a rule. */
export interface RuleVariables {
  readonly self: CelValue;
  readonly oldSelf: CelValue | undefined;
  readonly optionalOldSelf: CelValue;
}

/** Where a value is and how errors show it. */
export interface RulePlaceShown {
  readonly path: string;
  /** The type that the schema gives it. */
  readonly type: string;
  readonly shown: Json | undefined;
}

/** What a rule says about a value. */
export interface RuleOutcome {
  readonly error?: FieldError | undefined;
  /** Whether the rule was evaluated, and does not hold. */
  readonly isFailure: boolean;
  /** Whether no more rules may be evaluated. */
  readonly isLast: boolean;
}

/** What one evaluation may cost. */
const callLimit = 1_000_000;
const longestMessage = 5 * 1024;

interface Evaluation {
  readonly variables: RuleVariables;
  readonly place: RulePlaceShown;
  readonly budget: CostBudget;
}

const holds: RuleOutcome = { isFailure: false, isLast: false };

/** Evaluates a rule on a value; the budget is charged with its cost. */
export function* evaluateRule(
  compiled: CompiledRule,
  evaluation: Evaluation,
): Generator<undefined, RuleOutcome> {
  const { place, budget } = evaluation;
  const field = fieldOf(place.path);
  const { value, cost, isOverLimit } = yield* run(compiled.expression, compiled.rule, evaluation);
  if (cost > budget.left) {
    const detail =
      "validation failed due to running out of cost budget, no further validation rules will be run";
    return over(budget, invalid(field, place.type, detail));
  }
  budget.left -= cost;
  const name = nameOf(compiled.rule);
  if (isOverLimit) {
    const why = `'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${name}`;
    return over(budget, invalid(field, place.type, why));
  }
  if (value instanceof CelError)
    return { ...holds, error: invalid(field, place.type, evaluationProblem(value, name)) };
  return value === true ? holds : yield* failure(compiled, evaluation);
}

function over(budget: CostBudget, error: FieldError): RuleOutcome {
  budget.left = -1;
  return { error, isFailure: false, isLast: true };
}

function* run(
  { program }: CompiledExpression,
  { optionalOldSelf }: SchemaRule,
  { variables }: Evaluation,
): Generator<undefined, RunResult> {
  const { self, oldSelf, optionalOldSelf: optional } = variables;
  const old = optionalOldSelf === true ? optional : oldSelf;
  const variable = (name: string) => (name === "self" ? self : old);
  return yield* runProgram(program, { variable, limit: callLimit });
}

/** Rules on values of several types can fail where compiled ones cannot. */
function evaluationProblem({ message }: CelError, name: string): string {
  return message.startsWith("no such overload")
    ? `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${name}`
    : `${message} evaluating rule: ${name}`;
}

function* failure(compiled: CompiledRule, evaluation: Evaluation): Generator<undefined, RuleOutcome> {
  const { rule, fieldPath } = compiled;
  const { place, budget } = evaluation;
  const field = fieldPath === undefined ? fieldOf(place.path) : joined(place.path, fieldPath);
  const made = compiled.message && (yield* messageOf(compiled.message, compiled, evaluation));
  if (made?.problem !== undefined)
    return { ...over(budget, invalid(field, place.type, made.problem)), isFailure: true };
  const detail = made?.text ?? defaultMessage(rule);
  return {
    error: errorFor(rule.reason, { field, detail, value: place.shown }),
    isFailure: true,
    isLast: false,
  };
}

function joined(path: string, inside: string): string {
  return path === "" ? inside : `${path}.${inside}`;
}

interface Message {
  readonly text?: string;
  /** Why no more rules may be evaluated. */
  readonly problem?: string;
}

/** Evaluates the message of a rule; one that fails or is no line of text is left out. */
function* messageOf(
  expression: CompiledExpression,
  { rule }: CompiledRule,
  evaluation: Evaluation,
): Generator<undefined, Message> {
  const { budget } = evaluation;
  const { value, cost, isOverLimit } = yield* run(expression, rule, evaluation);
  const end = "no further validation rules will be run";
  if (cost > budget.left)
    return { problem: `messageExpression evaluation failed due to running out of cost budget, ${end}` };
  budget.left -= cost;
  if (isOverLimit) {
    const source = JSON.stringify(rule.messageExpression ?? "");
    return { problem: `${end} due to call cost exceeds limit for messageExpression: ${source}` };
  }
  if (typeof value !== "string") return {};
  const text = value.trim();
  const isRight = text !== "" && !text.includes("\n") && utf8Length(text) <= longestMessage;
  return isRight ? { text } : {};
}

function defaultMessage(rule: SchemaRule): string {
  return rule.message === undefined ? `failed rule: ${nameOf(rule)}` : rule.message.trim();
}

/** Errors of evaluation name a rule by its message. */
function nameOf({ rule, message }: SchemaRule): string {
  return (message ?? rule).trim();
}

interface Failed {
  readonly field: string;
  readonly detail: string;
  readonly value: Json | undefined;
}

function errorFor(reason: string | undefined, { field, detail, value }: Failed): FieldError {
  if (reason === "FieldValueForbidden") return forbidden(field, detail);
  if (reason === "FieldValueRequired") return required(field, detail);
  return reason === "FieldValueDuplicate" ? duplicate(field, value) : invalid(field, value, detail);
}

function fieldOf(path: string): string {
  return path === "" ? "<nil>" : path;
}
