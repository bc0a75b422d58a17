import { utf8Length } from "../../../../api/bytes.ts";
import { Bytes, type CelValue, isList, isMap, isOpaque, Optional } from "./cel-value.ts";

/** Returns how much a value counts in costs: code points, bytes, items or entries; one for all others. */
export function sizeOf(value: CelValue): number {
  if (typeof value === "string") return codePointsIn(value);
  if (value instanceof Bytes) return value.value.length;
  if (isList(value) || isMap(value) || isOpaque(value)) return value.size;
  if (value instanceof Optional && value.value !== undefined) return sizeOf(value.value);
  return 1;
}

/** Counts the code points of a text. */
export function codePointsIn(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) count -= 1;
  }
  return count;
}

/** Returns the cost of reading all of a value. */
export function traversalOf(value: CelValue): number {
  if (typeof value === "string") return Math.floor(utf8Length(value) * 0.1);
  if (value instanceof Bytes) return Math.floor(value.value.length * 0.1);
  if (isList(value)) {
    let cost = 0;
    for (let index = 0; index < value.size; index += 1) cost += traversalOf(value.at(index));
    return cost;
  }
  if (!isMap(value)) return 1;
  return value
    .keys()
    .reduce<number>((cost, key) => cost + traversalOf(key) + traversalOf(value.get(key) ?? null), 0);
}
