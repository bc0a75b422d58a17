import { type CompiledExpression, compileExpression } from "../../cel/compile-expression.ts";
import { visit } from "../../cel/check/validate-literals.ts";
import type { Expression } from "../../cel/syntax/expression.ts";
import { type CelType, dyn, formatType } from "../../cel/types/cel-type.ts";

/** What an expression of a policy may read besides the request and its objects. */
export interface PolicyScope {
  readonly hasParams: boolean;
  /** The types of the variables that are declared before it; absent where it may not read them. */
  readonly variables?: ReadonlyMap<string, CelType> | undefined;
}

export type CompiledPolicyExpression =
  | {
      readonly ok: true;
      readonly expression: CompiledExpression;
      /** The names of the declared variables that it reads itself. */
      readonly variables: ReadonlySet<string>;
    }
  | { readonly ok: false; readonly why: string };

const none: ReadonlySet<string> = new Set();
const always = ["object", "oldObject", "request", "namespaceObject"];

/** Compiles an expression of a policy, whose type has to be one of those given; any type if none is. */
export function compilePolicyExpression(
  text: string,
  { hasParams, variables }: PolicyScope,
  types: readonly string[] = [],
): CompiledPolicyExpression {
  const names = hasParams ? [...always, "params"] : always;
  const declared = new Map<string, CelType>(names.map((name) => [name, dyn]));
  if (variables !== undefined)
    declared.set("variables", { kind: "object", name: "kubernetes.variables", fields: variables });
  const result = compileExpression(text, declared);
  if (!result.ok) return { ok: false, why: whyOf(`${result.stage} failed: ${result.error}`) };
  const type = formatType(result.compiled.checked.type);
  if (types.length === 0 || types.includes(type)) {
    const { checked } = result.compiled;
    const reads = checked.reads.has("variables") ? readVariables(checked.expression) : none;
    return { ok: true, expression: result.compiled, variables: reads };
  }
  const [first, ...others] = types;
  const wanted = others.length === 0 ? first : `one of [${types.join(" ")}]`;
  return { ok: false, why: `must evaluate to ${wanted} but got ${type}` };
}

/** Replaces the error about the variable `authorizer`, which has no authorizer behind it. */
function whyOf(error: string): string {
  return error.includes("undeclared reference to 'authorizer'")
    ? "authorizer is not supported in admission policies"
    : error;
}

/** Returns the names of the declared variables that an expression reads: `x` of `variables.x`. */
function readVariables(expression: Expression): ReadonlySet<string> {
  const names = new Set<string>();
  visit(expression, (node) => {
    if (node.kind === "select" && node.operand.kind === "ident" && node.operand.name === "variables")
      names.add(node.field);
  });
  return names;
}
