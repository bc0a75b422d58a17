import { joinedBytes } from "../../../../api/bytes.ts";
import { concatenating, joiningLists } from "../cost/cost-rule.ts";
import { bytes, double, duration, int, list, parameter, string, timestamp, uint } from "../types/cel-type.ts";
import { Bytes, CelError, type CelValue, Duration, Uint } from "../values/cel-value.ts";
import { joinLists } from "../values/join-lists.ts";
import { timestampIn } from "../values/time-text.ts";
import {
  binary,
  type CelFunction,
  form,
  instant,
  integer,
  listOfType,
  type Overload,
  period,
  real,
  text,
  unsigned,
} from "./overload.ts";

const least = -(2n ** 63n);
const most = 2n ** 63n - 1n;
const mostUnsigned = 2n ** 64n - 1n;

export const overflow = new CelError("integer overflow");
const unsignedOverflow = new CelError("unsigned integer overflow");
const durationOverflow = new CelError("duration overflow");
const timestampOverflow = new CelError("timestamp overflow");

/** Returns a whole number of 64 bits, or the error that it is none. */
export function intOf(value: bigint): CelValue {
  return value < least || value > most ? overflow : value;
}

export function uintOf(value: bigint): CelValue {
  return value < 0n || value > mostUnsigned ? unsignedOverflow : new Uint(value);
}

export function durationOf(nanos: bigint): CelValue {
  return nanos < least || nanos > most ? durationOverflow : new Duration(nanos);
}

function timestampOf(nanos: bigint): CelValue {
  return timestampIn(nanos) ?? timestampOverflow;
}

interface Calculation {
  readonly word: string;
  readonly whole: (left: bigint, right: bigint) => bigint;
  readonly real?: (left: number, right: number) => number;
  /** The error of a zero on the right. */
  readonly zero?: string;
}

function calculation({ word, whole, real: calculate, zero }: Calculation): readonly Overload[] {
  const guarded = (right: bigint, made: () => CelValue) =>
    zero !== undefined && right === 0n ? new CelError(zero) : made();
  const overloads = [
    form({ id: `${word}_int64`, takes: [integer, integer], gives: int }, (left, right) =>
      guarded(right, () => intOf(whole(left, right))),
    ),
    form({ id: `${word}_uint64`, takes: [unsigned, unsigned], gives: uint }, (left, right) =>
      guarded(right.value, () => uintOf(whole(left.value, right.value))),
    ),
  ];
  if (calculate === undefined) return overloads;
  return [...overloads, form({ id: `${word}_double`, takes: [real, real], gives: double }, calculate)];
}

const item = parameter("A");

const additions: readonly Overload[] = [
  form({ id: "add_string", takes: [text, text], gives: string, cost: concatenating }, (a, b) => a + b),
  form(
    { id: "add_bytes", takes: [binary, binary], gives: bytes, cost: concatenating },
    (a, b) => new Bytes(joinedBytes([a.value, b.value])),
  ),
  form(
    { id: "add_list", takes: [listOfType(item), listOfType(item)], gives: list(item), cost: joiningLists },
    joinLists,
  ),
  form({ id: "add_timestamp_duration", takes: [instant, period], gives: timestamp }, (a, b) =>
    timestampOf(a.nanos + b.nanos),
  ),
  form({ id: "add_duration_timestamp", takes: [period, instant], gives: timestamp }, (a, b) =>
    timestampOf(a.nanos + b.nanos),
  ),
  form({ id: "add_duration_duration", takes: [period, period], gives: duration }, (a, b) =>
    durationOf(a.nanos + b.nanos),
  ),
];

const subtractions: readonly Overload[] = [
  form({ id: "subtract_timestamp_timestamp", takes: [instant, instant], gives: duration }, (a, b) =>
    durationOf(a.nanos - b.nanos),
  ),
  form({ id: "subtract_timestamp_duration", takes: [instant, period], gives: timestamp }, (a, b) =>
    timestampOf(a.nanos - b.nanos),
  ),
  form({ id: "subtract_duration_duration", takes: [period, period], gives: duration }, (a, b) =>
    durationOf(a.nanos - b.nanos),
  ),
];

export const arithmeticFunctions: readonly CelFunction[] = [
  {
    name: "_+_",
    overloads: [...calculation({ word: "add", whole: (a, b) => a + b, real: (a, b) => a + b }), ...additions],
  },
  {
    name: "_-_",
    overloads: [
      ...calculation({ word: "subtract", whole: (a, b) => a - b, real: (a, b) => a - b }),
      ...subtractions,
    ],
  },
  {
    name: "_*_",
    overloads: calculation({ word: "multiply", whole: (a, b) => a * b, real: (a, b) => a * b }),
  },
  {
    name: "_/_",
    overloads: calculation({
      word: "divide",
      whole: (a, b) => a / b,
      real: (a, b) => a / b,
      zero: "division by zero",
    }),
  },
  {
    name: "_%_",
    overloads: calculation({ word: "modulo", whole: (a, b) => a % b, zero: "modulus by zero" }),
  },
  {
    name: "-_",
    overloads: [
      form({ id: "negate_int64", takes: [integer], gives: int }, (value) => intOf(-value)),
      form({ id: "negate_double", takes: [real], gives: double }, (value) => -value),
    ],
  },
];
