import { type FieldError, invalid } from "../../../../api/field-error.ts";
import { type CompiledExpression, compileExpression } from "../../cel/compile-expression.ts";
import { estimateCost } from "../../cel/cost/estimate-cost.ts";
import { optional } from "../../cel/types/cel-type.ts";
import type { Variables } from "../../cel/check/known-names.ts";
import type { Declaration } from "../../cel/types/declaration.ts";
import type { SchemaRule, StructuralSchema } from "../structural/structural-schema.ts";
import { resolveFieldPath } from "./resolve-field-path.ts";
import type { CompiledRule } from "./rule-tree.ts";

/** Where a rule stands. */
export interface RulePlace {
  readonly schema: StructuralSchema;
  readonly declaration: Declaration;
  readonly path: string;
  /** The list below which old values are not known. */
  readonly uncorrelatable: string | undefined;
}

/** A rule that was compiled, its estimated costs, and what is wrong with it. */
export interface RuleResult {
  readonly errors: readonly FieldError[];
  readonly compiled?: CompiledRule | undefined;
  /** Why the expression does not compile. */
  readonly problem?: string;
  readonly cost: number;
  readonly messageCost?: number | undefined;
}

interface Compiling {
  readonly place: RulePlace;
  readonly variables: Variables;
}

type Compiled =
  | { readonly ok: true; readonly expression: CompiledExpression }
  | { readonly ok: false; readonly error: string };

/** Compiles a rule and its message. */
export function compileRule(rule: SchemaRule, place: RulePlace): RuleResult {
  if (rule.rule.trim() === "") return { errors: [], cost: 0 };
  const { declaration, path } = place;
  const { type } = declaration;
  const old = rule.optionalOldSelf === true ? optional(type) : type;
  const variables: Variables = new Map([
    ["self", type],
    ["oldSelf", old],
  ]);
  const compiled = ruleExpression(rule.rule, variables);
  if (!compiled.ok) {
    const errors = [invalid(`${path}.rule`, shown(rule), compiled.error)];
    return { errors: [...errors, ...oldSelfProblems(rule, false, place)], problem: compiled.error, cost: 0 };
  }
  return completed(compiled.expression, rule, { place, variables });
}

const noPath = { ok: true, path: undefined } as const;

function completed(
  expression: CompiledExpression,
  rule: SchemaRule,
  { place, variables }: Compiling,
): RuleResult {
  const { declaration, path, schema } = place;
  const usesOldSelf = expression.checked.reads.has("oldSelf");
  const message = messageExpression(rule, variables);
  const errors: FieldError[] = [];
  if (message?.ok === false) errors.push(invalid(`${path}.messageExpression`, shown(rule), message.error));
  errors.push(...oldSelfProblems(rule, usesOldSelf, place));
  const fieldPath = rule.fieldPath === undefined ? noPath : resolveFieldPath(rule.fieldPath, schema);
  if (!fieldPath.ok) errors.push(invalid(`${path}.fieldPath`, rule.fieldPath, "must be a valid path"));
  const ofMessage = message?.ok === true ? message.expression : undefined;
  const at = fieldPath.ok ? fieldPath.path : undefined;
  return {
    errors,
    compiled: { rule, expression, message: ofMessage, usesOldSelf, fieldPath: at },
    cost: estimateCost(expression.checked, declaration).max,
    messageCost: ofMessage && estimateCost(ofMessage.checked, declaration).max,
  };
}

function ruleExpression(text: string, variables: Variables): Compiled {
  const result = compileExpression(text, variables);
  if (!result.ok) return { ok: false, error: `${result.stage} failed: ${result.error}` };
  return result.compiled.checked.type.kind === "bool"
    ? { ok: true, expression: result.compiled }
    : { ok: false, error: "cel expression must evaluate to a bool" };
}

function messageExpression(
  { messageExpression: text }: SchemaRule,
  variables: Variables,
): Compiled | undefined {
  if (text === undefined) return undefined;
  const result = compileExpression(text, variables);
  if (!result.ok) return { ok: false, error: `messageExpression ${result.stage} failed: ${result.error}` };
  return result.compiled.checked.type.kind === "string"
    ? { ok: true, expression: result.compiled }
    : { ok: false, error: "messageExpression must evaluate to a string" };
}

function oldSelfProblems(rule: SchemaRule, usesOldSelf: boolean, place: RulePlace): readonly FieldError[] {
  const { path, uncorrelatable } = place;
  if (usesOldSelf && uncorrelatable !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
    return [invalid(`${path}.rule`, rule.rule, detail)];
  }
  if (usesOldSelf || rule.optionalOldSelf === undefined) return [];
  const detail = "may not be set if oldSelf is not used in rule";
  return [invalid(`${path}.optionalOldSelf`, rule.optionalOldSelf, detail)];
}

/** Returns a rule as errors show it: with the names that upstream's own structures have. */
function shown({
  rule,
  message = "",
  messageExpression = "",
  reason,
  fieldPath = "",
  optionalOldSelf,
}: SchemaRule) {
  return {
    Rule: rule,
    Message: message,
    MessageExpression: messageExpression,
    Reason: reason ?? null,
    FieldPath: fieldPath,
    OptionalOldSelf: optionalOldSelf ?? null,
  };
}
