import { type CompiledExpression, compileExpression } from "../../cel/compile-expression.ts";
import { visit } from "../../cel/check/validate-literals.ts";
import type { Expression } from "../../cel/syntax/expression.ts";
import { type CelType, dyn, formatType } from "../../cel/types/cel-type.ts";
import { authorizerVariables, requestVariables } from "../expression-variables.ts";

/** What an expression of a policy may read besides the request and its objects. */
export interface PolicyScope {
  /** The type of the parameters; absent: there are none. */
  readonly params?: CelType | undefined;
  /** The type of the object; absent: any. */
  readonly object?: CelType;
  /** Whether it makes a message, which cannot ask what a user may do. */
  readonly isMessage?: boolean;
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

/** Compiles an expression of a policy, whose type has to be one of those given; any type if none is. */
export function compilePolicyExpression(
  text: string,
  scope: PolicyScope,
  types: readonly string[] = [],
): CompiledPolicyExpression {
  const result = compileExpression(text, policyVariables(scope));
  if (!result.ok) return { ok: false, why: `${result.stage} failed: ${result.error}` };
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

/** Returns the variables of an expression, with their types. */
export function policyVariables({ params, isMessage = false, object = dyn, variables }: PolicyScope) {
  const declared = new Map<string, CelType>([
    ...requestVariables,
    ...(isMessage ? [] : authorizerVariables),
    ["object", object],
    ["oldObject", object],
  ]);
  if (params !== undefined) declared.set("params", params);
  if (variables !== undefined)
    declared.set("variables", { kind: "object", name: "kubernetes.variables", fields: variables });
  return declared;
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
