import { utf8Bytes } from "../../../../api/bytes.ts";
import { converting } from "../cost/cost-rule.ts";
import { mostCost } from "../cost/cost-range.ts";
import {
  bool,
  bytes,
  type CelType,
  double,
  duration,
  dyn,
  int,
  parameter,
  string,
  timestamp,
  uint,
} from "../types/cel-type.ts";
import { Bytes, CelError, type CelValue, TypeValue } from "../values/cel-value.ts";
import {
  formatDuration,
  formatTimestamp,
  parseDuration,
  parseTimestamp,
  timestampIn,
} from "../values/time-text.ts";
import { typeNameOf } from "../values/type-name.ts";
import { intOf, overflow, uintOf } from "./arithmetic.ts";
import {
  anything,
  binary,
  type CelFunction,
  form,
  instant,
  integer,
  type Overload,
  period,
  real,
  text,
  truth,
  unsigned,
} from "./overload.ts";

const a = parameter("A");

function unconvertible(from: string, to: string): CelError {
  return new CelError(`type conversion error from '${from}' to '${to}'`);
}

function intOfReal(value: number): CelValue {
  return !Number.isFinite(value) || Math.abs(value) >= 2 ** 63 ? overflow : BigInt(Math.trunc(value));
}

function uintOfReal(value: number): CelValue {
  return !Number.isFinite(value) || value < 0 || value >= 2 ** 64
    ? uintOf(-1n)
    : uintOf(BigInt(Math.trunc(value)));
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ...["1", "t", "T", "TRUE", "true", "True"].map((word) => [word, true] as const),
  ...["0", "f", "F", "FALSE", "false", "False"].map((word) => [word, false] as const),
]);

/** Reads a number as Go does, but for hexadecimal ones. */
function realIn(value: string): CelValue {
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(value)) return Number(value);
  const named = /^([+-]?)(inf|infinity|nan)$/i.exec(value);
  if (named === null) return unconvertible("string", "double");
  if (named[2]?.toLowerCase() === "nan") return Number.NaN;
  return named[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** Writes a double with as few digits as it has, and large and small ones with an exponent, as Go does. */
export function formatReal(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  if (Number(exponent) >= -4 && Number(exponent) < 6) return String(value);
  const digits = exponent.slice(1).padStart(2, "0");
  return `${mantissa}e${exponent.startsWith("-") ? "-" : "+"}${digits}`;
}

function textIn({ value }: Bytes): CelValue {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    // The decoder throws for bytes that are no UTF-8.
    return new CelError("invalid UTF-8 in bytes, cannot convert to string");
  }
}

// Longer ones take long to read, and are too large.
const readInt = (value: string): CelValue =>
  /^[+-]?0*\d{1,19}$/.test(value) && intOf(BigInt(value.replace("+", ""))) !== overflow
    ? BigInt(value.replace("+", ""))
    : unconvertible("string", "int");

const readUint = (value: string): CelValue => {
  const read = /^0*\d{1,20}$/.test(value) ? uintOf(BigInt(value)) : unconvertible("string", "uint");
  return read instanceof CelError ? unconvertible("string", "uint") : read;
};

const toInt: readonly Overload[] = [
  form({ id: "int64_to_int64", takes: [integer], gives: int }, (value) => value),
  form({ id: "double_to_int64", takes: [real], gives: int }, intOfReal),
  form({ id: "string_to_int64", takes: [text], gives: int }, readInt),
  form({ id: "timestamp_to_int64", takes: [instant], gives: int }, ({ nanos }) => nanos / 1_000_000_000n),
  form({ id: "uint64_to_int64", takes: [unsigned], gives: int }, ({ value }) => intOf(value)),
  form({ id: "duration_to_int64", takes: [period], gives: int }, ({ nanos }) => nanos),
];

const toUint: readonly Overload[] = [
  form({ id: "uint64_to_uint64", takes: [unsigned], gives: uint }, (value) => value),
  form({ id: "double_to_uint64", takes: [real], gives: uint }, uintOfReal),
  form({ id: "int64_to_uint64", takes: [integer], gives: uint }, uintOf),
  form({ id: "string_to_uint64", takes: [text], gives: uint }, readUint),
];

const toDouble: readonly Overload[] = [
  form({ id: "double_to_double", takes: [real], gives: double }, (value) => value),
  form({ id: "int64_to_double", takes: [integer], gives: double }, Number),
  form({ id: "string_to_double", takes: [text], gives: double }, realIn),
  form({ id: "uint64_to_double", takes: [unsigned], gives: double }, ({ value }) => Number(value)),
];

// A character has one to four bytes.
const decoding = converting(({ min, max }) => ({ min: Math.floor(min / 4), max }));
const encoding = converting(({ min, max }) => ({ min, max: Math.min(max * 4, mostCost) }));

export const toText: readonly Overload[] = [
  form({ id: "string_to_string", takes: [text], gives: string }, (value) => value),
  form({ id: "bool_to_string", takes: [truth], gives: string }, String),
  form({ id: "bytes_to_string", takes: [binary], gives: string, cost: decoding }, textIn),
  form({ id: "double_to_string", takes: [real], gives: string }, formatReal),
  form({ id: "duration_to_string", takes: [period], gives: string }, formatDuration),
  form({ id: "int64_to_string", takes: [integer], gives: string }, String),
  form({ id: "timestamp_to_string", takes: [instant], gives: string }, formatTimestamp),
  form({ id: "uint64_to_string", takes: [unsigned], gives: string }, ({ value }) => String(value)),
];

const toBytes: readonly Overload[] = [
  form({ id: "bytes_to_bytes", takes: [binary], gives: bytes }, (value) => value),
  form(
    { id: "string_to_bytes", takes: [text], gives: bytes, cost: encoding },
    (value) => new Bytes(utf8Bytes(value)),
  ),
];

const typeOf = (of: CelType): CelType => ({ kind: "type", of });

export const conversionFunctions: readonly CelFunction[] = [
  { name: "int", overloads: toInt },
  { name: "uint", overloads: toUint },
  { name: "double", overloads: toDouble },
  { name: "string", overloads: toText },
  { name: "bytes", overloads: toBytes },
  {
    name: "bool",
    overloads: [
      form({ id: "bool_to_bool", takes: [truth], gives: bool }, (value) => value),
      form(
        { id: "string_to_bool", takes: [text], gives: bool },
        (value) => truths.get(value) ?? unconvertible("string", "bool"),
      ),
    ],
  },
  {
    name: "timestamp",
    overloads: [
      form({ id: "timestamp_to_timestamp", takes: [instant], gives: timestamp }, (value) => value),
      form(
        { id: "string_to_timestamp", takes: [text], gives: timestamp },
        (value) => parseTimestamp(value) ?? unconvertible("string", "google.protobuf.Timestamp"),
      ),
      form(
        { id: "int64_to_timestamp", takes: [integer], gives: timestamp },
        (value) => timestampIn(value * 1_000_000_000n) ?? new CelError("timestamp overflow"),
      ),
    ],
  },
  {
    name: "duration",
    overloads: [
      form({ id: "duration_to_duration", takes: [period], gives: duration }, (value) => value),
      form(
        { id: "string_to_duration", takes: [text], gives: duration },
        (value) => parseDuration(value) ?? unconvertible("string", "google.protobuf.Duration"),
      ),
    ],
  },
  {
    name: "type",
    overloads: [
      form(
        { id: "type", takes: [anything(a)], gives: typeOf(a) },
        (value) => new TypeValue(typeNameOf(value)),
      ),
    ],
  },
  { name: "dyn", overloads: [form({ id: "to_dyn", takes: [anything(a)], gives: dyn }, (value) => value)] },
];
