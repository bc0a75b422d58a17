import { checkExpression, type Checked } from "./check/check-expression.ts";
import type { Variables } from "./check/known-names.ts";
import { compileProgram } from "./evaluate/compile-program.ts";
import type { Program } from "./evaluate/instruction.ts";
import { parseExpression } from "./syntax/parse-expression.ts";
import { formatProblems, type Problem } from "./syntax/problem.ts";
import { CelError } from "./values/cel-value.ts";
import { validateLiterals } from "./check/validate-literals.ts";

/** An expression that can be evaluated. */
export interface CompiledExpression {
  readonly text: string;
  readonly checked: Checked;
  readonly program: Program;
}

export type CompileResult =
  | { readonly ok: true; readonly compiled: CompiledExpression }
  /** The problems with their places, as Kubernetes shows them. */
  | { readonly ok: false; readonly error: string; readonly stage: "compilation" | "program instantiation" };

/** Parses, checks and compiles an expression of CEL. */
export function compileExpression(text: string, variables: Variables): CompileResult {
  const parsed = parseExpression(text);
  if (!parsed.ok) return refused(text, parsed.problems);
  const result = checkExpression(parsed.expression, variables);
  if (!result.ok) return refused(text, result.problems);
  const problems = validateLiterals(result.checked);
  if (problems.length > 0) return refused(text, problems);
  const program = compileProgram(result.checked);
  const failed = program.instructions.find((each) => each.op === "push" && each.value instanceof CelError);
  if (failed?.op === "push" && failed.value instanceof CelError)
    return { ok: false, error: failed.value.message, stage: "program instantiation" };
  return { ok: true, compiled: { text, checked: result.checked, program } };
}

function refused(text: string, problems: readonly Problem[]): CompileResult {
  return { ok: false, error: formatProblems(text, problems), stage: "compilation" };
}
