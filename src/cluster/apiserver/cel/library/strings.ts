import { converting, type CostRule, perCharacter, reading, visitingItems } from "../cost/cost-rule.ts";
import { type CostRange, mostCost, plus, scaled, times, unknownSize, zero } from "../cost/cost-range.ts";
import { dyn, int, list, string } from "../types/cel-type.ts";
import { CelError, type CelList, type CelValue, itemsOf, listOf } from "../values/cel-value.ts";
import { sizeOf } from "../values/value-size.ts";
import { formatText } from "./format-text.ts";
import { type CelFunction, form, integer, listOfType, method, text } from "./overload.ts";

const outOfRange = (index: bigint | number) => new CelError(`index out of range: ${index}`);

/** Texts are counted by code points. */
function pointsOf(value: string): readonly string[] {
  return Array.from(value);
}

function charAt(value: string, index: bigint): CelValue {
  const points = pointsOf(value);
  if (index < 0n || index > BigInt(points.length)) return outOfRange(index);
  return points[Number(index)] ?? "";
}

function substring(value: string, start: bigint, end?: bigint): CelValue {
  const points = pointsOf(value);
  const size = BigInt(points.length);
  if (end !== undefined && start > end)
    return new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0n || start > size) return outOfRange(start);
  if (end !== undefined && (end < 0n || end > size)) return outOfRange(end);
  return points.slice(Number(start), end === undefined ? undefined : Number(end)).join("");
}

function indexOf(value: string, part: string, from = 0n): CelValue {
  if (part === "") return from;
  const points = pointsOf(value);
  if (from < 0n) return outOfRange(from);
  if (from >= BigInt(points.length)) return -1n;
  const head = points.slice(0, Number(from)).join("");
  const found = value.indexOf(part, head.length);
  return found === -1 ? -1n : BigInt(pointsOf(value.slice(0, found)).length);
}

function lastIndexOf(value: string, part: string, from?: bigint): CelValue {
  const points = pointsOf(value);
  if (part === "") return from ?? BigInt(points.length);
  if (from !== undefined && (from < 0n || from > BigInt(points.length))) return outOfRange(from);
  const end = from === undefined ? value.length : points.slice(0, Number(from)).join("").length;
  const found = value.lastIndexOf(part, end);
  return found === -1 ? -1n : BigInt(pointsOf(value.slice(0, found)).length);
}

/** Replaces a part as often as the limit says; always, if it is negative. */
function replace(value: string, [part, by]: readonly [string, string], limit = -1n): string {
  if (limit === 0n) return value;
  const pieces = part === "" ? ["", ...pointsOf(value), ""] : value.split(part);
  const most = limit < 0n ? pieces.length : Number(limit);
  if (pieces.length - 1 <= most) return pieces.join(by);
  return `${pieces.slice(0, most).join(by)}${by}${pieces.slice(most).join(part)}`;
}

function split(value: string, separator: string, limit = -1n): CelList {
  if (limit === 0n) return listOf([]);
  const pieces = separator === "" ? pointsOf(value) : value.split(separator);
  if (limit < 0n || BigInt(pieces.length) <= limit) return listOf(pieces);
  const most = Number(limit) - 1;
  return listOf([...pieces.slice(0, most), pieces.slice(most).join(separator)]);
}

function join(items: CelList, separator = ""): CelValue {
  const texts: string[] = [];
  for (const item of itemsOf(items)) {
    if (typeof item !== "string") return new CelError("join: invalid input");
    texts.push(item);
  }
  return texts.join(separator);
}

const quotes: Readonly<Record<string, string>> = {
  "\u0007": String.raw`\a`,
  "\b": String.raw`\b`,
  "\f": String.raw`\f`,
  "\n": String.raw`\n`,
  "\r": String.raw`\r`,
  "\t": String.raw`\t`,
  "\v": String.raw`\v`,
  "\\": String.raw`\\`,
  '"': String.raw`\"`,
};

function quote(value: string): string {
  // oxlint-disable-next-line no-control-regex
  return `"${value.replaceAll(/[\u0007\b\f\n\r\t\v\\"]/g, (character) => quotes[character] ?? character)}"`;
}

const read = reading(0);
const quoting = converting(({ min, max }) => ({ min: min + 2, max: Math.min(max * 2 + 2, mostCost) }));
const finding: CostRule = { estimate: read.estimate, actual: visitingItems.actual };
const same = reading(0, { keepsSize: true });
const sizeIn = (args: Parameters<CostRule["estimate"]>[0], index: number): CostRange =>
  args[index]?.size ?? unknownSize;

/** How long a text can become by replacing parts of it. */
function replacedSize(size: CostRange, part: CostRange, by: CostRange): CostRange {
  const longest = replacedBound({ size: size.max, part: part.min, by: by.max, keeps: by.max <= part.min });
  const shortest = replacedBound({ size: size.min, part: part.max, by: by.min, keeps: part.max <= by.min });
  return { min: shortest, max: plus({ min: 0, max: longest }, zero).max };
}

interface Replaced {
  readonly size: number;
  readonly part: number;
  readonly by: number;
  /** Whether replacing changes the bound nothing. */
  readonly keeps: boolean;
}

function replacedBound({ size, part, by, keeps }: Replaced): number {
  if (part === 0) return (size + 1) * by + size;
  return keeps ? size : Math.ceil(size / part) * by;
}

const replacing: CostRule = {
  estimate: (args) => {
    const size = replacedSize(sizeIn(args, 0), sizeIn(args, 1), sizeIn(args, 2));
    return { cost: scaled(sizeIn(args, 0), 2 * perCharacter), size };
  },
  actual: reading(0, { factor: 2 }).actual,
};

const splitting: CostRule = {
  estimate: (args) => {
    const size = sizeIn(args, 0);
    const limit = args[2]?.literal;
    const most = typeof limit === "bigint" ? Number(BigInt.asUintN(64, limit)) : size.max;
    return { cost: scaled(size, 2 * perCharacter), size: { min: 0, max: most } };
  },
  actual: reading(0, { factor: 2 }).actual,
};

const joining: CostRule = {
  estimate: (args) => {
    const count = sizeIn(args, 0);
    const items = times(count, args[0]?.items?.size ?? unknownSize);
    const separators = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) };
    const size = args[1] === undefined ? items : plus(items, times(sizeIn(args, 1), separators));
    return { cost: scaled(size, perCharacter), size };
  },
  actual: (_args, result) => Math.ceil(sizeOf(result) * 2 * perCharacter),
};

const texts = list(string);

/** The library of texts. */
export const stringFunctions: readonly CelFunction[] = [
  {
    name: "charAt",
    overloads: [method({ id: "string_char_at_int", takes: [text, integer], gives: string }, charAt)],
  },
  {
    name: "indexOf",
    overloads: [
      method(
        { id: "string_index_of_string", takes: [text, text], gives: int, cost: finding },
        (value, part) => indexOf(value, part),
      ),
      method(
        { id: "string_index_of_string_int", takes: [text, text, integer], gives: int, cost: finding },
        indexOf,
      ),
    ],
  },
  {
    name: "lastIndexOf",
    overloads: [
      method(
        { id: "string_last_index_of_string", takes: [text, text], gives: int, cost: finding },
        (value, part) => lastIndexOf(value, part),
      ),
      method(
        { id: "string_last_index_of_string_int", takes: [text, text, integer], gives: int, cost: finding },
        lastIndexOf,
      ),
    ],
  },
  {
    name: "lowerAscii",
    overloads: [
      method({ id: "string_lower_ascii", takes: [text], gives: string, cost: same }, (value) =>
        value.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()),
      ),
    ],
  },
  {
    name: "upperAscii",
    overloads: [
      method({ id: "string_upper_ascii", takes: [text], gives: string, cost: same }, (value) =>
        value.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase()),
      ),
    ],
  },
  {
    name: "replace",
    overloads: [
      method(
        { id: "string_replace_string_string", takes: [text, text, text], gives: string, cost: replacing },
        (value, part, by) => replace(value, [part, by]),
      ),
      method(
        {
          id: "string_replace_string_string_int",
          takes: [text, text, text, integer],
          gives: string,
          cost: replacing,
        },
        (value, part, ...[by, limit]) => replace(value, [part, by], limit),
      ),
    ],
  },
  {
    name: "split",
    overloads: [
      method(
        { id: "string_split_string", takes: [text, text], gives: texts, cost: splitting },
        (value, separator) => split(value, separator),
      ),
      method(
        { id: "string_split_string_int", takes: [text, text, integer], gives: texts, cost: splitting },
        split,
      ),
    ],
  },
  {
    name: "substring",
    overloads: [
      method(
        { id: "string_substring_int", takes: [text, integer], gives: string, cost: same },
        (value, start) => substring(value, start),
      ),
      method(
        { id: "string_substring_int_int", takes: [text, integer, integer], gives: string, cost: same },
        substring,
      ),
    ],
  },
  {
    name: "trim",
    overloads: [
      method({ id: "string_trim", takes: [text], gives: string, cost: same }, (value) => value.trim()),
    ],
  },
  {
    name: "join",
    overloads: [
      method({ id: "list_join", takes: [listOfType(string)], gives: string, cost: joining }, (items) =>
        join(items),
      ),
      method(
        { id: "list_join_string", takes: [listOfType(string), text], gives: string, cost: joining },
        join,
      ),
    ],
  },
  {
    name: "format",
    overloads: [
      method(
        { id: "string_format", takes: [text, listOfType(dyn)], gives: string, cost: read },
        (value, args) => formatText(value, itemsOf(args)),
      ),
    ],
  },
  {
    name: "strings.quote",
    overloads: [form({ id: "strings_quote", takes: [text], gives: string, cost: quoting }, quote)],
  },
];
