import type { Key } from "./rules.ts";

/** A stretch of a list: from the first place up to, and without, the last. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** A stretch to sort. */
export interface SortedStretch extends Stretch {
  /** The first place of the list whose Pod does not matter; absent: all do. */
  readonly length?: number;
}

/**
 * Sorts a stretch of `order` in place so that `keys[order[place]]` rises; all keys are numbers, or all are texts. Places
 * beyond the length, and beyond all keys equal to the last that matters, may be in any order.
 */
export function sortByKey(order: Uint32Array, keys: readonly Key[], stretch: SortedStretch): void {
  // Phases, counts, buckets: nearly all keys are small whole numbers, for which counting is faster than comparing.
  const range = wholeNumberRange(order, keys, stretch);
  if (range === undefined) comparisonSort(order, keys, sortedPart(order, keys, stretch));
  else if (range.lowest < range.highest) countingSort(order, keys, { ...stretch, ...range });
}

function comparisonSort(order: Uint32Array, keys: readonly Key[], { from, to }: Stretch): void {
  order.subarray(from, to).sort((one, other) => {
    const a = keys[one] ?? 0;
    const b = keys[other] ?? 0;
    if (a === b) return 0;
    return a < b ? -1 : 1;
  });
}

/**
 * The part of a stretch that has to be sorted. Where only few of its places matter, those with the lowest keys are
 * brought to its beginning first, by partitioning it around keys until few enough are left.
 */
function sortedPart(
  order: Uint32Array,
  keys: readonly Key[],
  { from, to, length = to }: SortedStretch,
): Stretch {
  let last = to;
  while (last - from > 2 * (length - from) && last - from > smallStretch) {
    const pivot = highKey(order, keys, { from, to: last });
    const upToPivot = partition(order, { from, to: last }, (index) => (keys[index] ?? 0) <= pivot);
    if (upToPivot >= length && upToPivot < last) last = upToPivot;
    else return { from, to: last };
  }
  return { from, to: last };
}

/** Returns a pivot: the highest of three keys, which is hardly ever among the lowest few. */
function highKey(order: Uint32Array, keys: readonly Key[], { from, to }: Stretch): Key {
  const sampled = [1, 2, 3].map((quarter) => keys[order[from + (((to - from) * quarter) >> 2)] ?? 0] ?? 0);
  return sampled.reduce((highest, key) => (key > highest ? key : highest));
}

/** Below this length, sorting all costs less than finding the places that matter. */
const smallStretch = 1000;

/** Brings the members of a stretch that are wanted before the others; returns where the others begin. */
function partition(order: Uint32Array, { from, to }: Stretch, isWanted: (index: number) => boolean): number {
  let end = from;
  for (let place = from; place < to; place++) {
    const index = order[place] ?? 0;
    if (!isWanted(index)) continue;
    order[place] = order[end] ?? 0;
    order[end++] = index;
  }
  return end;
}

interface Range {
  readonly lowest: number;
  readonly highest: number;
}

/** Between which numbers all keys lie, if they are whole and close enough together to be counted. */
function wholeNumberRange(
  order: Uint32Array,
  keys: readonly Key[],
  { from, to }: Stretch,
): Range | undefined {
  let lowest = Infinity;
  let highest = -Infinity;
  for (let place = from; place < to; place++) {
    const key = keys[order[place] ?? 0];
    if (typeof key !== "number" || !Number.isInteger(key)) return undefined;
    if (key < lowest) lowest = key;
    if (key > highest) highest = key;
  }
  return highest - lowest <= 4 * (to - from) ? { lowest, highest } : undefined;
}

function countingSort(order: Uint32Array, keys: readonly Key[], stretch: Stretch & Range): void {
  const { from, to, lowest, highest } = stretch;
  const tied = order.slice(from, to);
  const valueOf = (index: number): number => Number(keys[index]) - lowest;
  // starts[v] counts those with a value below v; with each one placed, it is where the next of value v goes.
  const starts = new Uint32Array(highest - lowest + 2);
  for (const index of tied) starts[valueOf(index) + 1] = (starts[valueOf(index) + 1] ?? 0) + 1;
  for (let value = 1; value < starts.length; value++) {
    starts[value] = (starts[value] ?? 0) + (starts[value - 1] ?? 0);
  }
  for (const index of tied) {
    const place = starts[valueOf(index)] ?? 0;
    order[from + place] = index;
    starts[valueOf(index)] = place + 1;
  }
}
