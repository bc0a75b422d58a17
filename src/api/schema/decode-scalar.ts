import { canonicalBase64 } from "../base64.ts";
import { formatDuration, parseDuration } from "../duration.ts";
import type { Json } from "../json.ts";
import { canonicalQuantity, quantityProblem } from "../quantity/format-quantity.ts";
import { canonicalMicroTime, canonicalTime } from "../time.ts";

type Reader = (value: Json) => Json | undefined;

const text =
  (canonical: (text: string) => Json | undefined): Reader =>
  (value) =>
    typeof value === "string" ? canonical(value) : undefined;

// Adding zero turns the -0 that JSON can spell into the 0 that Kubernetes has.
const int32: Reader = (value) =>
  Number.isInteger(value) && typeof value === "number" && value === (value | 0) ? value + 0 : undefined;
const int64: Reader = (value) =>
  typeof value === "number" && Number.isSafeInteger(value) ? value + 0 : undefined;
const anything: Reader = (value) => value;

/** Each scalar by name: the value in its canonical form, or `undefined` when it is of another type. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["string", text((value) => value)],
  ["bool", (value) => (typeof value === "boolean" ? value : undefined)],
  ["int32", int32],
  ["int64", int64],
  ["double", (value) => (typeof value === "number" ? value : undefined)],
  ["bytes", text(canonicalBase64)],
  ["Time", text(canonicalTime)],
  ["MicroTime", text(canonicalMicroTime)],
  ["Duration", text(canonicalDuration)],
  ["Quantity", (value) => (isQuantityLike(value) ? canonicalQuantity(value) : undefined)],
  ["IntOrString", (value) => (typeof value === "string" ? value : int32(value))],
  ["StringList", (value) => (isStringList(value) ? value : undefined)],
  ["RawExtension", anything],
  ["FieldsV1", anything],
  ["JSON", anything],
]);

function canonicalDuration(value: string): string | undefined {
  const durationMs = parseDuration(value);
  return durationMs === undefined ? undefined : formatDuration(durationMs);
}

function isQuantityLike(value: Json): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

function isStringList(value: Json): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** Returns the reader of a scalar by its name; `undefined` for other types. */
export function scalarReader(type: string): Reader | undefined {
  return readers.get(type);
}

const goNames: ReadonlyMap<string, string> = new Map([
  ["double", "float64"],
  ["bytes", "[]uint8"],
  ["Time", "string"],
  ["MicroTime", "string"],
  ["Duration", "string"],
  ["IntOrString", "int32"],
  ["StringList", "[]string"],
]);

/** Returns the name of a type in Go's messages: `int32`, `v1.PodSpec`. */
export function goName(type: string): string {
  return goNames.get(type) ?? type.split(".").slice(-2).join(".");
}

/** Explains why a value of the right JSON type is not a valid scalar; `undefined` when its JSON type is wrong. */
export function scalarProblem(type: string, value: Json): string | undefined {
  if (type === "Quantity" && isQuantityLike(value)) return quantityProblem(String(value));
  if (type === "int64" && typeof value === "number" && Number.isInteger(value))
    return `number ${value}: integers beyond ±${Number.MAX_SAFE_INTEGER} are not supported`;
  if (typeof value !== "string") return undefined;
  const quoted = JSON.stringify(value);
  switch (type) {
    case "bytes":
      return "illegal base64 data";
    case "Time":
      return `parsing time ${quoted} as "2006-01-02T15:04:05Z07:00"`;
    case "MicroTime":
      return `parsing time ${quoted} as "2006-01-02T15:04:05.000000Z07:00"`;
    case "Duration":
      return `time: invalid duration ${quoted}`;
    default:
      return undefined;
  }
}
