import { type CompiledExpression, compileExpression } from "../../cel/compile-expression.ts";
import { dyn } from "../../cel/types/cel-type.ts";

export type CompiledCondition =
  | { readonly ok: true; readonly expression: CompiledExpression }
  | { readonly ok: false; readonly why: string };

const variables = new Map(["object", "oldObject", "request"].map((name) => [name, dyn] as const));
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
  if (!result.ok) return { ok: false, why: whyOf(`${result.stage} failed: ${result.error}`) };
  const { kind } = result.compiled.checked.type;
  return kind === "bool"
    ? { ok: true, expression: result.compiled }
    : { ok: false, why: "must evaluate to bool" };
}

/** Replaces the error about the variable `authorizer`, which has no authorizer behind it. */
function whyOf(error: string): string {
  return error.includes("undeclared reference to 'authorizer'")
    ? "authorizer is not supported in match conditions"
    : error;
}
