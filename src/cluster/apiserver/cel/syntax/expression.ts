import type { CelValue } from "../values/cel-value.ts";

/** A node of a parsed expression; `at` is where problems with it are shown. Macros are expanded. */
export type Expression =
  | LiteralExpression
  | IdentExpression
  | SelectExpression
  | CallExpression
  | ListExpression
  | MapExpression
  | StructExpression
  | FoldExpression;

interface Node<Kind extends string> {
  readonly kind: Kind;
  readonly at: number;
}

export interface LiteralExpression extends Node<"literal"> {
  readonly value: CelValue;
}

export interface IdentExpression extends Node<"ident"> {
  readonly name: string;
}

/** `operand.field`, or whether it is there (`has()`). */
export interface SelectExpression extends Node<"select"> {
  readonly operand: Expression;
  readonly field: string;
  readonly isTest: boolean;
}

/** A function, a method or an operator; operators have names such as `_+_`. */
export interface CallExpression extends Node<"call"> {
  readonly name: string;
  readonly target?: Expression | undefined;
  readonly args: readonly Expression[];
}

export interface ListExpression extends Node<"list"> {
  readonly elements: readonly Expression[];
  /** The positions of elements of the form `?e`. */
  readonly optionals: ReadonlySet<number>;
}

export interface MapEntry {
  readonly at: number;
  readonly key: Expression;
  readonly value: Expression;
  readonly isOptional: boolean;
}

export interface MapExpression extends Node<"map"> {
  readonly entries: readonly MapEntry[];
}

/** `Name{…}`; Kubernetes has no types that can be made so. */
export interface StructExpression extends Node<"struct"> {
  readonly name: string;
}

/** A loop over a list or the keys of a map; what macros such as `all()` mean. */
export interface FoldExpression extends Node<"fold"> {
  readonly range: Expression;
  readonly variable: string;
  /** The second variable, if the loop has keys and values. */
  readonly second?: string | undefined;
  readonly accumulator: string;
  readonly init: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** The variable in which macros collect their result; expressions cannot name it. */
export const accumulatorName = "@result";
