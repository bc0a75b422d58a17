import { hexText as hexDigits, utf8Bytes, utf8Text } from "../../../../api/bytes.ts";
import {
  Bytes,
  CelError,
  type CelValue,
  Duration,
  isList,
  isMap,
  itemsOf,
  Timestamp,
  TypeValue,
  Uint,
} from "../values/cel-value.ts";
import { formatDuration, formatTimestamp } from "../values/time-text.ts";
import { typeNameOf } from "../values/type-name.ts";
import { compareTexts } from "./comparisons.ts";
import { formatReal } from "./conversions.ts";

/** Writes values into a text, where it has `%s`, `%d`, `%f`, `%e`, `%b`, `%x`, `%X` or `%o`. */
export function formatText(template: string, args: readonly CelValue[]): CelValue {
  let next = 0;
  let problem: CelError | undefined;
  const refuse = (message: string): string => {
    problem ??= new CelError(message);
    return "";
  };
  const written = template.replaceAll(
    /%(%|(\.\d+)?([a-zA-Z])|[^]|$)/g,
    (clause, ...[, precision, letter]: (string | undefined)[]) => {
      if (clause === "%%") return "%";
      if (clause === "%") return refuse("unexpected end of string");
      if (letter === undefined) return refuse(`unrecognized formatting clause "${clause.slice(1)}"`);
      const arg = args[next];
      next += 1;
      if (arg === undefined) return refuse(`index ${next - 1} out of range`);
      const digits = precision === undefined ? 6 : Number(precision.slice(1));
      const text = formatClause(letter, arg, Math.min(digits, 100));
      return text instanceof CelError ? refuse(text.message) : text;
    },
  );
  return problem ?? written;
}

function formatClause(letter: string, arg: CelValue, digits: number): string | CelError {
  switch (letter) {
    case "s":
      return plainText(arg);
    case "d":
      return typeof arg === "number" && !Number.isFinite(arg) ? formatReal(arg) : wholeText(arg, 10);
    case "f":
      return realText(arg, (value) => withThousands(value.toFixed(digits)));
    case "e":
      return realText(arg, (value) => withPower(value.toExponential(digits)));
    case "b":
      return typeof arg === "boolean" ? String(Number(arg)) : wholeText(arg, 2);
    case "o":
      return wholeText(arg, 8);
    case "x":
      return hexText(arg);
    case "X": {
      const text = hexText(arg);
      return typeof text === "string" ? text.toUpperCase() : text;
    }
    default:
      return new CelError(`unrecognized formatting clause "${letter}"`);
  }
}

/** Upstream writes numbers as English does: with commas, and powers as such. */
function withThousands(number: string): string {
  const [whole = "", fraction] = number.split(".");
  if (!/^-?\d+$/.test(whole)) return number;
  const sign = whole.startsWith("-") ? "-" : "";
  const groups: string[] = [];
  for (let end = whole.length; end > sign.length; end -= 3)
    groups.unshift(whole.slice(Math.max(sign.length, end - 3), end));
  const grouped = sign + groups.join(",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function withPower(number: string): string {
  const [mantissa = "", exponent = "0"] = number.split("e");
  const digits = exponent
    .slice(1)
    .padStart(2, "0")
    .replaceAll(/\d/g, (digit) => superscripts[Number(digit)] ?? "");
  return `${mantissa}×10${exponent.startsWith("-") ? "⁻" : ""}${digits}`;
}

function unformattable(arg: CelValue, to: string): CelError {
  return new CelError(`type conversion error from '${typeNameOf(arg)}' to '${to}'`);
}

function wholeText(arg: CelValue, base: number): string | CelError {
  if (typeof arg === "bigint") return arg.toString(base);
  return arg instanceof Uint ? arg.value.toString(base) : unformattable(arg, "int");
}

function hexText(arg: CelValue): string | CelError {
  if (typeof arg === "string") return hexDigits(utf8Bytes(arg));
  return arg instanceof Bytes ? hexDigits(arg.value) : wholeText(arg, 16);
}

function realText(arg: CelValue, write: (value: number) => string): string | CelError {
  const value = arg instanceof Uint ? Number(arg.value) : arg;
  if (typeof value === "bigint") return write(Number(value));
  if (typeof value !== "number") return unformattable(arg, "double");
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "Infinity" : "-Infinity";
  return write(value);
}

/** How values of classes of ours are written. */
function classText(arg: CelValue): string | undefined {
  if (arg instanceof Uint) return String(arg.value);
  if (arg instanceof Bytes) return utf8Text(arg.value);
  if (arg instanceof Timestamp) return formatTimestamp(arg);
  if (arg instanceof Duration) return formatDuration(arg);
  return arg instanceof TypeValue ? arg.name : undefined;
}

function plainText(arg: CelValue): string | CelError {
  if (arg === null) return "null";
  if (typeof arg === "number") return Number.isFinite(arg) ? formatReal(arg) : realText(arg, String);
  if (typeof arg !== "object") return String(arg);
  if (isList(arg)) return listText(itemsOf(arg));
  if (isMap(arg)) {
    const entries = arg.keys().map((key) => [plainText(key), plainText(arg.get(key) ?? null)] as const);
    const texts = entries
      .map(([key, value]) => (typeof key === "string" && typeof value === "string" ? `${key}: ${value}` : ""))
      .toSorted(compareTexts);
    return `{${texts.join(", ")}}`;
  }
  return classText(arg) ?? unformattable(arg, "string");
}

function listText(items: readonly CelValue[]): string | CelError {
  const texts: string[] = [];
  for (const item of items) {
    const text = plainText(item);
    if (text instanceof CelError) return text;
    texts.push(text);
  }
  return `[${texts.join(", ")}]`;
}
