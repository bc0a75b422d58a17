import { authorizerVariables, requestVariables } from "../../admission/expression-variables.ts";
import { type CompiledExpression, compileExpression } from "../../cel/compile-expression.ts";

export type CompiledCondition =
  | { readonly ok: true; readonly expression: CompiledExpression }
  | { readonly ok: false; readonly why: string };

const variables = new Map([...requestVariables, ...authorizerVariables]);

const mostCompiled = 1000;
const compiled = new Map<string, CompiledCondition>();

/** Compiles a match condition, or returns a sentence that says why it is refused; caches the result. */
export function compileCondition(text: string): CompiledCondition {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  if (compiled.size >= mostCompiled) compiled.clear();
  const result = compile(text);
  compiled.set(text, result);
  return result;
}

function compile(text: string): CompiledCondition {
  const result = compileExpression(text, variables);
  if (!result.ok) return { ok: false, why: `${result.stage} failed: ${result.error}` };
  const { kind } = result.compiled.checked.type;
  return kind === "bool"
    ? { ok: true, expression: result.compiled }
    : { ok: false, why: "must evaluate to bool" };
}
