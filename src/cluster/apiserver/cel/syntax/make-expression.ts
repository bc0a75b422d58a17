import type { CelValue } from "../values/cel-value.ts";
import type { CallExpression, Expression } from "./expression.ts";
import type { Token } from "./scan-tokens.ts";

export const words: ReadonlyMap<string, CelValue> = new Map<string, CelValue>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

export function call(at: number, name: string, args: readonly Expression[]): CallExpression {
  return { kind: "call", at, name, args };
}

export function literal(at: number, value: CelValue): Expression {
  return { kind: "literal", at, value };
}

export function operatorName({ text }: Token): string {
  return text === "in" ? "@in" : `_${text}_`;
}

/** Makes a tree whose depth grows with the logarithm of its terms. */
export function balanced(terms: readonly Expression[], operators: readonly Token[]): Expression {
  const middle = Math.floor(operators.length / 2);
  const operator = operators[middle];
  const [only] = terms;
  if (operator === undefined) return only ?? literal(0, null);
  return call(operator.at, operatorName(operator), [
    balanced(terms.slice(0, middle + 1), operators.slice(0, middle)),
    balanced(terms.slice(middle + 1), operators.slice(middle + 1)),
  ]);
}

/** Binary operators, from the weakest to the strongest. */
export const levels: readonly ReadonlySet<string>[] = [
  new Set(["||"]),
  new Set(["&&"]),
  new Set(["<", "<=", ">=", ">", "==", "!=", "in"]),
  new Set(["+", "-"]),
  new Set(["*", "/", "%"]),
];
