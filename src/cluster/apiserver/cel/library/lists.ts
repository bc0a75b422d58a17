import { compareBytes } from "../../../../api/bytes.ts";
import { unknownSize, type CostRange } from "../cost/cost-range.ts";
import {
  comparingItems,
  type CostRule,
  type EstimatedArgument,
  makingList,
  visitingItems,
} from "../cost/cost-rule.ts";
import {
  bool,
  bytes,
  type CelType,
  double,
  duration,
  dyn,
  int,
  list,
  parameter,
  string,
  timestamp,
  uint,
} from "../types/cel-type.ts";
import {
  Bytes,
  CelError,
  type CelList,
  type CelValue,
  Duration,
  isList,
  itemsOf,
  listOf,
  Timestamp,
  Uint,
} from "../values/cel-value.ts";
import { areEqual, compareNumbers } from "../values/equality.ts";
import { durationOf, intOf, uintOf } from "./arithmetic.ts";
import { compareTexts } from "./comparisons.ts";
import { anything, type CelFunction, form, integer, listOfType, method, type Overload } from "./overload.ts";

const t = parameter("T");
const anyList = listOfType(t);

/** Types whose values have an order. */
const comparable: Readonly<Record<string, CelType>> = {
  int,
  uint,
  double,
  bool,
  duration,
  timestamp,
  string,
  bytes,
};
const summable: Readonly<Record<string, CelType>> = { int, uint, double, duration };

/** Orders two values; `undefined` if they have no order. */
function order(left: CelValue, right: CelValue): number | undefined {
  const numbers = compareNumbers(left, right);
  if (numbers !== undefined) return Number.isNaN(numbers) ? undefined : numbers;
  if (typeof left === "string" && typeof right === "string") return compareTexts(left, right);
  if (typeof left === "boolean" && typeof right === "boolean") return Number(left) - Number(right);
  if (left instanceof Bytes && right instanceof Bytes) return compareBytes(left.value, right.value);
  return orderOfTimes(left, right);
}

function orderOfTimes(left: CelValue, right: CelValue): number | undefined {
  const areTimes = left instanceof Timestamp && right instanceof Timestamp;
  if (!areTimes && !(left instanceof Duration && right instanceof Duration)) return undefined;
  return compareNumbers(left.nanos, right.nanos);
}

function isSorted(items: CelList): CelValue {
  for (let index = 1; index < items.size; index += 1) {
    const found = order(items.at(index - 1), items.at(index));
    if (found === undefined) return new CelError("no such overload");
    if (found > 0) return false;
  }
  return true;
}

function extreme(items: CelList, name: string, sign: 1 | -1): CelValue {
  if (items.size === 0) return new CelError(`${name} called on empty list`);
  let best = items.at(0);
  for (let index = 1; index < items.size; index += 1) {
    const found = order(items.at(index), best);
    if (found === undefined) return new CelError("no such overload");
    if (found * sign > 0) best = items.at(index);
  }
  return best;
}

const zeros: Readonly<Record<string, CelValue>> = {
  int: 0n,
  uint: new Uint(0n),
  double: 0,
  duration: new Duration(0n),
};

function added(left: CelValue, right: CelValue): CelValue {
  if (typeof left === "bigint" && typeof right === "bigint") return intOf(left + right);
  if (typeof left === "number" && typeof right === "number") return left + right;
  if (left instanceof Uint && right instanceof Uint) return uintOf(left.value + right.value);
  if (left instanceof Duration && right instanceof Duration) return durationOf(left.nanos + right.nanos);
  return left instanceof CelError ? left : new CelError("no such overload");
}

function positionOf(items: readonly CelValue[], value: CelValue): bigint {
  return BigInt(items.findIndex((item) => areEqual(item, value)));
}

function slice(items: CelList, start: bigint, end: bigint): CelValue {
  const call = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) return new CelError(`${call}, negative indexes not supported`);
  if (start > end) return new CelError(`${call}, start index must be less than or equal to end index`);
  if (end > BigInt(items.size)) return new CelError(`${call}, list is length ${items.size}`);
  return listOf(itemsOf(items).slice(Number(start), Number(end)));
}

function flatten(items: CelList, depth: bigint): CelValue {
  if (depth < 0n) return new CelError("level must be non-negative");
  let flat = itemsOf(items);
  for (let level = 0n; level < depth && flat.some(isList); level += 1n)
    flat = flat.flatMap((item) => (isList(item) ? itemsOf(item) : [item]));
  return listOf(flat);
}

/** Sorts items by keys of the same positions. */
function sortedBy(items: readonly CelValue[], keys: readonly CelValue[]): CelValue {
  const [first] = keys;
  if (first !== undefined && keys.some((key) => order(first, key) === undefined))
    return new CelError("list elements must have the same type");
  const positions = keys.map((_, index) => index);
  const sorted = positions.toSorted((a, b) => order(keys[a] ?? null, keys[b] ?? null) ?? 0);
  return listOf(sorted.map((position) => items[position] ?? null));
}

function distinct(items: readonly CelValue[]): CelValue {
  const found: CelValue[] = [];
  for (const item of items) if (!found.some((each) => areEqual(each, item))) found.push(item);
  return listOf(found);
}

const longestRange = 1_000_000n;

function range(end: bigint): CelValue {
  if (end > longestRange) return new CelError("operation cancelled: actual cost limit exceeded");
  return listOf(Array.from({ length: Math.max(0, Number(end)) }, (_, index) => BigInt(index)));
}

const sizeOf = (args: readonly EstimatedArgument[]): CostRange => args[0]?.size ?? unknownSize;
const literalIn = (argument: EstimatedArgument | undefined, otherwise: number): number => {
  const value = argument?.literal;
  return typeof value === "bigint" ? Math.max(0, Number(value)) : otherwise;
};
const slicing = makingList((args) => {
  const length = literalIn(args[2], sizeOf(args).max) - literalIn(args[1], 0);
  return { min: length, max: length };
});
const counting = makingList((args) => {
  const length = literalIn(args[0], unknownSize.max);
  return { min: length, max: length };
});
const reversing = makingList(sizeOf);

type Each = readonly [name: string, type: CelType];

function forEach(
  types: Readonly<Record<string, CelType>>,
  make: (each: Each) => Overload,
): readonly Overload[] {
  return Object.entries(types).map(make);
}

function isText({ kind }: CelType): boolean {
  return kind === "string" || kind === "bytes";
}

const sorting = (type: CelType): CostRule => comparingItems({ isText: isText(type) });

/** The library of lists. */
export const listFunctions: readonly CelFunction[] = [
  {
    name: "isSorted",
    overloads: forEach(comparable, ([name, type]) =>
      method(
        { id: `list_${name}_is_sorted_bool`, takes: [listOfType(type)], gives: bool, cost: visitingItems },
        isSorted,
      ),
    ),
  },
  {
    name: "sum",
    overloads: forEach(summable, ([name, type]) =>
      method(
        { id: `list_${name}_sum_${name}`, takes: [listOfType(type)], gives: type, cost: visitingItems },
        (items) => itemsOf(items).reduce(added, zeros[name] ?? null),
      ),
    ),
  },
  ...(["max", "min"] as const).map((word) => ({
    name: word,
    overloads: forEach(comparable, ([name, type]) =>
      method(
        { id: `list_${name}_${word}_${name}`, takes: [listOfType(type)], gives: type, cost: visitingItems },
        (items) => extreme(items, word, word === "max" ? 1 : -1),
      ),
    ),
  })),
  {
    name: "indexOf",
    overloads: [
      method(
        { id: "list_a_index_of_int", takes: [anyList, anything(t)], gives: int, cost: visitingItems },
        (items, value) => positionOf(itemsOf(items), value),
      ),
    ],
  },
  {
    name: "lastIndexOf",
    overloads: [
      method(
        { id: "list_a_last_index_of_int", takes: [anyList, anything(t)], gives: int, cost: visitingItems },
        (items, value) => {
          const found = positionOf(itemsOf(items).toReversed(), value);
          return found === -1n ? -1n : BigInt(items.size) - 1n - found;
        },
      ),
    ],
  },
  {
    name: "slice",
    overloads: [
      method({ id: "list_slice", takes: [anyList, integer, integer], gives: list(t), cost: slicing }, slice),
    ],
  },
  {
    name: "flatten",
    overloads: [
      method({ id: "list_flatten", takes: [listOfType(list(t))], gives: list(t), cost: reversing }, (items) =>
        flatten(items, 1n),
      ),
      method(
        { id: "list_flatten_int", takes: [listOfType(dyn), integer], gives: list(dyn), cost: reversing },
        flatten,
      ),
    ],
  },
  {
    name: "sort",
    overloads: forEach(comparable, ([name, type]) =>
      method(
        { id: `list_${name}_sort`, takes: [listOfType(type)], gives: list(type), cost: sorting(type) },
        (items) => sortedBy(itemsOf(items), itemsOf(items)),
      ),
    ),
  },
  {
    name: "@sortByAssociatedKeys",
    overloads: forEach(comparable, ([name, type]) =>
      method(
        {
          id: `list_${name}_sortByAssociatedKeys`,
          takes: [anyList, listOfType(type)],
          gives: list(t),
          cost: comparingItems({ isText: isText(type), list: 1 }),
        },
        (items, keys) => sortedBy(itemsOf(items), itemsOf(keys)),
      ),
    ),
  },
  {
    name: "reverse",
    overloads: [
      method({ id: "list_reverse", takes: [anyList], gives: list(t), cost: reversing }, (items) =>
        listOf(itemsOf(items).toReversed()),
      ),
    ],
  },
  {
    name: "distinct",
    overloads: [
      method(
        { id: "list_distinct", takes: [anyList], gives: list(t), cost: comparingItems({ isText: false }) },
        (items) => distinct(itemsOf(items)),
      ),
    ],
  },
  {
    name: "lists.range",
    overloads: [form({ id: "lists_range", takes: [integer], gives: list(int), cost: counting }, range)],
  },
];
