import {
  bool,
  bytes,
  type CelType,
  double,
  duration,
  dyn,
  int,
  list,
  map,
  optional,
  string,
  timestamp,
  uint,
} from "../types/cel-type.ts";
import {
  Bytes,
  type CelList,
  type CelMap,
  type CelValue,
  Duration,
  isList,
  isMap,
  isOpaque,
  Optional,
  Timestamp,
  Uint,
} from "../values/cel-value.ts";
import type { CostRule } from "../cost/cost-rule.ts";

/** The type of an argument, and which values have it. */
export interface Parameter<Value extends CelValue = CelValue> {
  readonly type: CelType;
  readonly accepts: (value: CelValue) => value is Value;
}

type ValueOf<P> = P extends Parameter<infer Value> ? Value : never;
type ValuesOf<P extends readonly Parameter[]> = { [Index in keyof P]: ValueOf<P[Index]> };

/** A result that is computed with pauses. */
export class Steps {
  readonly generator: Generator<undefined, CelValue>;

  constructor(generator: Generator<undefined, CelValue>) {
    this.generator = generator;
  }
}

/** One form of a function: its parameters, its result, how it is called and what that costs. */
export interface Overload {
  readonly id: string;
  /** Whether the first argument is written before a dot. */
  readonly isMethod: boolean;
  readonly parameters: readonly Parameter[];
  readonly result: CelType;
  readonly run: (args: readonly CelValue[]) => CelValue | Steps;
  /** What it costs; one, if absent. */
  readonly cost?: CostRule | undefined;
}

/** A function and its overloads. */
export interface CelFunction {
  readonly name: string;
  readonly overloads: readonly Overload[];
}

interface Signature<P extends readonly Parameter[]> {
  readonly id: string;
  readonly takes: readonly [...P];
  readonly gives: CelType;
  readonly cost?: CostRule | undefined;
}

/** Declares a form that is called `f(a, b)`. */
export function form<P extends readonly Parameter[]>(
  signature: Signature<P>,
  run: (...args: ValuesOf<P>) => CelValue | Steps,
): Overload {
  return overload(signature, run, false);
}

/** Declares a form that is called `a.f(b)`. */
export function method<P extends readonly Parameter[]>(
  signature: Signature<P>,
  run: (...args: ValuesOf<P>) => CelValue | Steps,
): Overload {
  return overload(signature, run, true);
}

function overload<P extends readonly Parameter[]>(
  { id, takes, gives, cost }: Signature<P>,
  run: (...args: ValuesOf<P>) => CelValue | Steps,
  isMethod: boolean,
): Overload {
  return {
    id,
    isMethod,
    parameters: takes,
    result: gives,
    // Every argument has passed the `accepts` of its parameter.
    run: (args) => run(...(args as unknown as ValuesOf<P>)),
    cost,
  };
}

/** Reports whether a form can be called with values. */
export function takes({ parameters }: Overload, args: readonly CelValue[]): boolean {
  if (parameters.length !== args.length) return false;
  for (const [index, parameter] of parameters.entries()) {
    const value = args[index];
    if (value === undefined || !parameter.accepts(value)) return false;
  }
  return true;
}

export const text: Parameter<string> = {
  type: string,
  accepts: (value) => typeof value === "string",
};
export const integer: Parameter<bigint> = { type: int, accepts: (value) => typeof value === "bigint" };
export const real: Parameter<number> = { type: double, accepts: (value) => typeof value === "number" };
export const truth: Parameter<boolean> = { type: bool, accepts: (value) => typeof value === "boolean" };
export const unsigned: Parameter<Uint> = { type: uint, accepts: (value) => value instanceof Uint };
export const binary: Parameter<Bytes> = { type: bytes, accepts: (value) => value instanceof Bytes };
export const instant: Parameter<Timestamp> = {
  type: timestamp,
  accepts: (value) => value instanceof Timestamp,
};
export const period: Parameter<Duration> = { type: duration, accepts: (value) => value instanceof Duration };

export const anything = (type: CelType = dyn): Parameter => ({
  type,
  accepts: (_value): _value is CelValue => true,
});
export const listOfType = (element: CelType): Parameter<CelList> => ({
  type: list(element),
  accepts: isList,
});
export const mapOfType = (key: CelType, value: CelType): Parameter<CelMap> => ({
  type: map(key, value),
  accepts: isMap,
});
export const optionalOfType = (value: CelType): Parameter<Optional> => ({
  type: optional(value),
  accepts: (value) => value instanceof Optional,
});

/** The parameter for values of a class that belongs to a library. */
export function instanceOf<Value extends CelValue>(
  type: CelType,
  constructor: new (...args: never[]) => Value,
): Parameter<Value> {
  return { type, accepts: (value): value is Value => isOpaque(value) && value instanceof constructor };
}
