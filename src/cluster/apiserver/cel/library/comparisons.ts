import { compareBytes } from "../../../../api/bytes.ts";
import { bool, parameter } from "../types/cel-type.ts";
import { comparing, type CostRule } from "../cost/cost-rule.ts";
import {
  Bytes,
  CelError,
  type CelValue,
  Duration,
  isList,
  isMap,
  isOpaque,
  noSuchOverload,
  Timestamp,
} from "../values/cel-value.ts";
import { areEqual, compareNumbers } from "../values/equality.ts";
import {
  anything,
  binary,
  type CelFunction,
  form,
  instant,
  integer,
  type Overload,
  type Parameter,
  period,
  real,
  text,
  truth,
  unsigned,
} from "./overload.ts";

const same = anything(parameter("A"));

/** How two values are ordered, or `undefined` if they are not: NaN. */
type Order = (left: CelValue, right: CelValue) => number | undefined;

const byNumber: Order = (left, right) => {
  const order = compareNumbers(left, right);
  return order === undefined || Number.isNaN(order) ? undefined : order;
};
const byText: Order = (left, right) =>
  typeof left === "string" && typeof right === "string" ? compareTexts(left, right) : undefined;
const byTruth: Order = (left, right) => Number(left) - Number(right);
const byBytes: Order = (left, right) =>
  left instanceof Bytes && right instanceof Bytes ? compareBytes(left.value, right.value) : undefined;
const byNanos: Order = (left, right) => {
  const isTime = (value: CelValue) => value instanceof Timestamp || value instanceof Duration;
  return isTime(left) && isTime(right) ? byNumber(left.nanos, right.nanos) : undefined;
};

/** Compares by code points, as UTF-8 sorts. */
export function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const one = left.charCodeAt(index);
    const other = right.charCodeAt(index);
    if (one === other) continue;
    // Surrogates stand for code points behind all others.
    const isSurrogate = (unit: number) => (unit & 0xf800) === 0xd800;
    if (isSurrogate(one) !== isSurrogate(other)) return isSurrogate(one) ? 1 : -1;
    return one - other;
  }
  return left.length - right.length;
}

interface Comparable {
  readonly name: string;
  readonly left: Parameter;
  readonly right: Parameter;
  readonly order: Order;
  readonly cost?: CostRule;
}

const numeric = { int64: integer, uint64: unsigned, double: real };

const comparables: readonly Comparable[] = [
  { name: "bool", left: truth, right: truth, order: byTruth },
  { name: "string", left: text, right: text, order: byText, cost: comparing },
  { name: "bytes", left: binary, right: binary, order: byBytes, cost: comparing },
  { name: "timestamp", left: instant, right: instant, order: byNanos },
  { name: "duration", left: period, right: period, order: byNanos },
  ...Object.entries(numeric).flatMap(([one, left]) =>
    Object.entries(numeric).map(([other, right]) => ({
      name: one === other ? one : `${one}_${other}`,
      left,
      right,
      order: byNumber,
    })),
  ),
];

function ordering(word: string, holds: (order: number) => boolean): readonly Overload[] {
  return comparables.map(({ name, left, right, order, cost }) =>
    form({ id: `${word}_${name}`, takes: [left, right], gives: bool, cost }, (one, other) => {
      const found = order(one, other);
      return found === undefined ? new CelError("NaN values cannot be ordered") : holds(found);
    }),
  );
}

/** Lists and maps whose type a schema knows, and values of libraries, cannot be compared with anything else. */
function equal(one: CelValue, other: CelValue): CelValue {
  return isComparable(one, other) ? areEqual(one, other) : noSuchOverload;
}

function isComparable(one: CelValue, other: CelValue): boolean {
  if (isList(one)) return one.isTyped !== true || isList(other);
  if (isMap(one)) return one.isTyped !== true || isMap(other);
  return !isOpaque(one) || (isOpaque(other) && one.typeName === other.typeName);
}

export const comparisonFunctions: readonly CelFunction[] = [
  {
    name: "_==_",
    overloads: [form({ id: "equals", takes: [same, same], gives: bool, cost: comparing }, equal)],
  },
  {
    name: "_!=_",
    overloads: [
      form({ id: "not_equals", takes: [same, same], gives: bool, cost: comparing }, (one, other) => {
        const found = equal(one, other);
        return typeof found === "boolean" ? !found : found;
      }),
    ],
  },
  { name: "_<_", overloads: ordering("less", (order) => order < 0) },
  { name: "_<=_", overloads: ordering("less_equals", (order) => order <= 0) },
  { name: "_>_", overloads: ordering("greater", (order) => order > 0) },
  { name: "_>=_", overloads: ordering("greater_equals", (order) => order >= 0) },
];
