import type { Expression } from "../../cel/syntax/expression.ts";

/** Returns the names of the declared variables that an expression reads: `x` of `variables.x`. */
export function readVariables(expression: Expression): ReadonlySet<string> {
  const names = new Set<string>();
  const pending = [expression];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.kind === "select" && node.operand.kind === "ident" && node.operand.name === "variables")
      names.add(node.field);
    pending.push(...partsOf(node));
  }
  return names;
}

function partsOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case "literal":
    case "ident":
    case "struct":
      return [];
    case "select":
      return [node.operand];
    case "call":
      return node.target === undefined ? node.args : [node.target, ...node.args];
    case "list":
      return node.elements;
    case "map":
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case "fold":
      return [node.range, node.init, node.condition, node.step, node.result];
  }
}
