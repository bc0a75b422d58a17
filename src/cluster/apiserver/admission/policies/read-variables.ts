import { visit } from "../../cel/check/validate-literals.ts";
import type { Expression } from "../../cel/syntax/expression.ts";

/** Returns the names of the declared variables that an expression reads: `x` of `variables.x`. */
export function readVariables(expression: Expression): ReadonlySet<string> {
  const names = new Set<string>();
  visit(expression, (node) => {
    if (node.kind === "select" && node.operand.kind === "ident" && node.operand.name === "variables")
      names.add(node.field);
  });
  return names;
}
