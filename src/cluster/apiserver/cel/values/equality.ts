import { latin1Text } from "../../../../api/bytes.ts";
import {
  Bytes,
  type CelList,
  type CelMap,
  type CelValue,
  Duration,
  isList,
  isMap,
  isOpaque,
  itemsOf,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
} from "./cel-value.ts";

/** Reports whether two values are equal; numbers of different types are if they are the same number. */
export function areEqual(left: CelValue, right: CelValue): boolean {
  if (left === right) return true;
  const numbers = compareNumbers(left, right);
  if (numbers !== undefined) return numbers === 0;
  const scalar = scalarOf(left);
  return scalar === undefined ? areEqualWholes(left, right) : scalar === scalarOf(right);
}

function areEqualWholes(left: CelValue, right: CelValue): boolean {
  if (isList(left)) return isList(right) && areEqualLists(left, right);
  if (isMap(left)) return isMap(right) && areEqualMaps(left, right);
  if (isOpaque(left)) return isOpaque(right) && left.typeName === right.typeName && left.equals(right);
  return left instanceof Optional && right instanceof Optional && areEqualOptionals(left, right);
}

/** Returns a text that is the same for equal values of a class of ours. */
function scalarOf(value: CelValue): string | undefined {
  if (value instanceof Bytes) return `bytes ${latin1Text(value.value)}`;
  if (value instanceof Timestamp) return `timestamp ${value.nanos}`;
  if (value instanceof Duration) return `duration ${value.nanos}`;
  return value instanceof TypeValue ? `type ${value.name}` : undefined;
}

function areEqualOptionals(left: Optional, right: Optional): boolean {
  if (left.value === undefined || right.value === undefined) return left.value === right.value;
  return areEqual(left.value, right.value);
}

/** Returns the order of two numbers of any types; `undefined` if they have none. */
export function compareNumbers(left: CelValue, right: CelValue): number | undefined {
  const one = left instanceof Uint ? left.value : left;
  const other = right instanceof Uint ? right.value : right;
  if (!isNumber(one) || !isNumber(other)) return undefined;
  // JavaScript compares numbers of both kinds by what they are.
  if (one < other) return -1;
  if (one > other) return 1;
  return one >= other ? 0 : Number.NaN;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function areEqualLists(left: CelList, right: CelList): boolean {
  if (left.size !== right.size) return false;
  if (isSameSource(left, right)) return true;
  if (left.identity !== undefined) return haveSameItems(left, right);
  for (let index = 0; index < left.size; index += 1)
    if (!areEqual(left.at(index), right.at(index))) return false;
  return true;
}

/** JSON that is the same object, or the same text by text, is equal whatever its types are. */
function isSameSource(left: CelList | CelMap, right: CelList | CelMap): boolean {
  return left.source !== undefined && left.source === right.source;
}

/** Compares lists whose items have no order. */
function haveSameItems(left: CelList, right: CelList): boolean {
  if (left.identity === "set" || left.identity === undefined) {
    const rest = groupsOf(itemsOf(right));
    return itemsOf(left).every((item) => takeFrom(rest, item));
  }
  const keys = left.identity;
  const others = new Map(itemsOf(right).map((item) => [identityOf(item, keys), item]));
  return itemsOf(left).every((item) => {
    const other = others.get(identityOf(item, keys));
    return other !== undefined && areEqual(item, other);
  });
}

/** Groups items by a text that equal ones share, so that few have to be compared. */
function groupsOf(items: readonly CelValue[]): Map<string, CelValue[]> {
  const groups = new Map<string, CelValue[]>();
  for (const item of items) {
    const key = groupOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

function takeFrom(groups: Map<string, CelValue[]>, item: CelValue): boolean {
  const group = groups.get(groupOf(item)) ?? [];
  const index = group.findIndex((each) => areEqual(each, item));
  if (index === -1) return false;
  group.splice(index, 1);
  return true;
}

function groupOf(value: CelValue): string {
  if (typeof value === "string") return `s${value}`;
  if (typeof value === "number" || typeof value === "bigint") return `n${String(Number(value))}`;
  if (typeof value === "boolean") return String(value);
  return "";
}

/** Returns the keys of an item of a list map as one text. */
export function identityOf(item: CelValue, keys: readonly string[]): string {
  if (!isMap(item)) return groupOf(item);
  return JSON.stringify(keys.map((key) => groupOf(item.get(key) ?? null)));
}

function areEqualMaps(left: CelMap, right: CelMap): boolean {
  if (isSameSource(left, right)) return true;
  if (left.size !== right.size) return false;
  for (const key of left.keys()) {
    const value = left.get(key);
    const other = right.get(key);
    if (value === undefined || other === undefined || !areEqual(value, other)) return false;
  }
  return true;
}
