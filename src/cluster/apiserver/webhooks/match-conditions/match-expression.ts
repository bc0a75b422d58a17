import { type ASTNode, Environment } from "@marcbachmann/cel-js";
import { messageOf } from "../../../../api/message-of.ts";
import type { CelValue } from "./cel-values.ts";
import { expressionCost, type ValueSizes } from "./expression-cost.ts";
import { unsupportedPart } from "./supported-expression.ts";

/** The values of the variables of an expression. */
export interface ExpressionInput {
  readonly object: CelValue;
  readonly oldObject: CelValue;
  readonly request: CelValue;
}

/** An expression that can be evaluated. */
export interface MatchExpression {
  /** Returns the maximum number of its steps with values of these sizes. */
  readonly cost: (sizes: ValueSizes) => number;
  /** Evaluates it; an error is a sentence. */
  readonly evaluate: (input: ExpressionInput) => boolean | { readonly error: string };
}

export type CompiledExpression =
  | { readonly ok: true; readonly expression: MatchExpression }
  | { readonly ok: false; readonly why: string };

const longestExpression = 10_000;

const environment = new Environment({
  limits: { maxAstNodes: 1000, maxDepth: 50, maxListElements: 500, maxMapEntries: 1, maxCallArguments: 3 },
})
  .registerVariable("object", "dyn")
  .registerVariable("oldObject", "dyn")
  .registerVariable("request", "dyn");

const mostCompiled = 1000;
const compiled = new Map<string, CompiledExpression>();

/** Compiles a CEL expression, or returns a sentence that says why it is refused; caches the result. */
export function compileExpression(text: string): CompiledExpression {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  if (compiled.size >= mostCompiled) compiled.clear();
  const result = compile(text);
  compiled.set(text, result);
  return result;
}

function compile(text: string): CompiledExpression {
  if (text.length > longestExpression)
    return { ok: false, why: `may not be longer than ${longestExpression} characters` };
  try {
    const parsed = environment.parse(text);
    const unsupported = unsupportedPart(parsed.ast);
    if (unsupported !== undefined) return { ok: false, why: unsupported };
    const { valid, type, error } = parsed.check();
    if (!valid) return { ok: false, why: `compilation failed: ${sentenceOf(error)}` };
    if (type !== "bool" && type !== "dyn") return { ok: false, why: "must evaluate to bool" };
    return { ok: true, expression: expressionOf(parsed, parsed.ast) };
  } catch (error) {
    // The library throws for an expression that it cannot parse.
    return { ok: false, why: `compilation failed: ${sentenceOf(error)}` };
  }
}

function expressionOf(run: (input: Record<string, unknown>) => unknown, ast: ASTNode): MatchExpression {
  return {
    cost: expressionCost(ast),
    evaluate(input) {
      try {
        const result = run({ ...input });
        return typeof result === "boolean" ? result : { error: "the result is not a bool" };
      } catch (error) {
        // The library throws what an evaluation fails with.
        return { error: sentenceOf(error) };
      }
    },
  };
}

/** Returns the first line of an error; the others quote the expression, which users see anyway. */
function sentenceOf(error: unknown): string {
  const [line = ""] = messageOf(error).split("\n");
  return line.replace(/^No such key/, "no such key").replace(/^Unknown variable/, "undeclared reference to");
}
