import { accumulatorName, type Expression, type FoldExpression } from "../syntax/expression.ts";
import type { CelType } from "../types/cel-type.ts";
import type { Declaration } from "../types/declaration.ts";
import { sizeOf } from "../values/value-size.ts";
import { type CostRange, either, exactly, plus, zero } from "./cost-range.ts";
import type { CallEstimate } from "./cost-rule.ts";

/** The sizes of the keys and of the values of a list or a map that an expression makes. */
export interface EntrySizes {
  readonly isList: boolean;
  readonly key: CostRange;
  readonly value: CostRange;
}

export interface Local {
  readonly name: string;
  readonly path: Path;
  readonly size: CostRange | undefined;
  readonly entries: EntrySizes | undefined;
}

/** From where a value is read: a variable, then fields, `@items`, `@keys` and `@values`. */
export type Path = readonly string[] | undefined;

export const indexSteps: Readonly<Record<string, string>> = { index_list: "@items", index_map: "@values" };

/** A path that nothing is known of begins with its first step. */
export function extended(path: Path, step: string): Path {
  return [...(path ?? []), step];
}

export function memberOf({ element, key, fields }: Declaration, step: string): Declaration | undefined {
  if (step === "@items" || step === "@values") return element;
  return step === "@keys" ? key : fields?.get(step);
}

export function literalSize(node: Expression): CostRange | undefined {
  if (node.kind === "literal") return exactly(sizeOf(node.value));
  if (node.kind === "list") return exactly(node.elements.length);
  return node.kind === "map" ? exactly(node.entries.length) : undefined;
}

export function hasSizeOne(type: CelType): boolean {
  if (type.kind === "optional") return hasSizeOne(type.value);
  return ["bool", "double", "duration", "int", "timestamp", "uint"].includes(type.kind);
}

/** The second operand of `&&` and `||` may not be evaluated. */
export function logicCost([left = zero, right = zero]: readonly CostRange[]): CostRange {
  return { min: left.min, max: plus(left, right).max };
}

export function unionOf(left: EntrySizes | undefined, right: EntrySizes | undefined): EntrySizes | undefined {
  if (left === undefined || right === undefined) return undefined;
  return {
    isList: left.isList,
    key: either(left.key, right.key),
    value: either(left.value, right.value),
  };
}

export function resultSize(estimates: readonly CallEstimate[]): CostRange | undefined {
  const sizes = estimates.map(({ size }) => size).filter((size) => size !== undefined);
  return sizes.length === 0 ? undefined : sizes.reduce(either);
}

/** A loop over nothing binds its accumulator to a value. */
export function isBinding({ range, condition, accumulator }: FoldExpression): boolean {
  const isEmpty = range.kind === "list" && range.elements.length === 0;
  const isOver = condition.kind === "literal" && condition.value === false;
  return isEmpty && isOver && accumulator !== accumulatorName;
}
