import type { Checked } from "../check/check-expression.ts";
import { functions } from "../library/functions.ts";
import { Steps, takes } from "../library/overload.ts";
import type { CallExpression, Expression } from "../syntax/expression.ts";
import { CelError, type CelValue, listOf } from "../values/cel-value.ts";
import { LiteralMap } from "../values/literal-map.ts";

/** Functions whose result is known if their argument is. */
const conversions: ReadonlySet<string> = new Set([
  "int",
  "uint",
  "double",
  "string",
  "bytes",
  "bool",
  "timestamp",
  "duration",
  "dyn",
  "type",
]);

/** Returns the value that an expression always has; evaluating it costs nothing. */
export function constantValue(node: Expression, checked: Checked): CelValue | undefined {
  switch (node.kind) {
    case "literal":
      return node.value;
    case "list": {
      const items = node.optionals.size > 0 ? undefined : constants(node.elements, checked);
      return items && listOf(items);
    }
    case "map":
      return constantMap(node, checked);
    case "call":
      return converted(node, checked);
    case "ident":
    case "select":
    case "struct":
    case "fold":
      return undefined;
  }
}

function constants(nodes: readonly Expression[], checked: Checked): readonly CelValue[] | undefined {
  const values: CelValue[] = [];
  for (const node of nodes) {
    const value = constantValue(node, checked);
    if (value === undefined || value instanceof CelError) return undefined;
    values.push(value);
  }
  return values;
}

function constantMap({ entries }: Extract<Expression, { readonly kind: "map" }>, checked: Checked) {
  const made = new LiteralMap();
  for (const { key, value, isOptional } of entries) {
    const [name, member] = constants([key, value], checked) ?? [];
    if (isOptional || name === undefined || member === undefined) return undefined;
    if (made.add(name, member) !== undefined) return undefined;
  }
  return made;
}

function converted({ name, target, args }: CallExpression, checked: Checked): CelValue | undefined {
  const [argument] = args;
  if (target !== undefined || argument === undefined || !conversions.has(name)) return undefined;
  const values = constants([argument], checked);
  return values && conversionOf(name, values);
}

function conversionOf(name: string, values: readonly CelValue[]): CelValue | undefined {
  const overload = functions.get(name)?.find((each) => takes(each, values));
  const result = overload?.run(values);
  return result instanceof Steps ? undefined : result;
}
