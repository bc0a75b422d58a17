import { compareKeys, type KeyColumn } from "./key-column.ts";

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
 * Sorts a stretch of `order` in place so that the keys rise; Pods with the same key keep their order. Places beyond the
 * length, and beyond all keys equal to the last that matters, may be in any order.
 */
export function sortByKey(order: Uint32Array, keys: KeyColumn, stretch: SortedStretch): void {
  const { from, to } = stretch;
  if (to - from <= fewPods) {
    insertionSort(order, keys, stretch);
    return;
  }
  const range = rangeOf(order, keys, stretch);
  const span = range.highest - range.lowest;
  if (range.isWhole && span > 0 && span <= 4 * (to - from)) {
    // Phases, counts, buckets: nearly all keys are small whole numbers, for which counting is faster than comparing.
    countingSort(order, keys, { ...stretch, ...range });
    if (keys.texts !== undefined) sortAlike(order, keys, { ...stretch, lowest: range.lowest, unit: 1 });
  } else if (span > 0 || keys.texts !== undefined) {
    const part = sortedPart(order, keys, stretch);
    if (range.isWhole && span > 0) packedSort(order, keys, { ...part, ...range });
    else order.subarray(part.from, part.to).sort((one, other) => compareKeys(keys, one, other));
  }
}

/** Up to this length, putting one after the other in its place is faster than anything else. */
const fewPods = 12;

function insertionSort(order: Uint32Array, keys: KeyColumn, { from, to }: Stretch): void {
  for (let place = from + 1; place < to; place++) {
    const index = order[place] ?? 0;
    let end = place;
    for (; end > from; end--) {
      const before = order[end - 1] ?? 0;
      if (compareKeys(keys, before, index) <= 0) break;
      order[end] = before;
    }
    order[end] = index;
  }
}

/**
 * Packs each key with its place into one whole number and sorts these: V8 sorts numbers itself, where it would call a
 * function for every comparison. Of keys with more bits than there is room for, only the first are packed.
 */
function packedSort(order: Uint32Array, keys: KeyColumn, part: Stretch & Range): void {
  const { from, to, lowest, highest } = part;
  const tied = order.slice(from, to);
  const room = 2 ** 53 / tied.length;
  let unit = 1;
  while ((highest - lowest) / unit + 1 >= room) unit *= 2;
  const packed = new Float64Array(tied.length);
  for (let place = 0; place < tied.length; place++) {
    const key = (keys.numbers[tied[place] ?? 0] ?? 0) - lowest;
    packed[place] = Math.floor(key / unit) * tied.length + place;
  }
  packed.sort();
  for (let place = 0; place < tied.length; place++)
    order[from + place] = tied[(packed[place] ?? 0) % tied.length] ?? 0;
  if (unit > 1 || keys.texts !== undefined) sortAlike(order, keys, { from, to, lowest, unit });
}

/** Sorts those that packing or counting left alike: keys of which only the first bits were packed, texts that begin alike. */
function sortAlike(
  order: Uint32Array,
  keys: KeyColumn,
  { from, to, lowest, unit }: Stretch & { readonly lowest: number; readonly unit: number },
): void {
  const valueAt = (place: number): number =>
    Math.floor(((keys.numbers[order[place] ?? 0] ?? 0) - lowest) / unit);
  let first = from;
  let value = valueAt(from);
  for (let place = from + 1; place <= to; place++) {
    const next = place < to ? valueAt(place) : Number.NaN;
    if (next === value) continue;
    if (place - first > 1) sortByKey(order, keys, { from: first, to: place });
    first = place;
    value = next;
  }
}

/**
 * The part of a stretch that has to be sorted. Where only few of its places matter, those with the lowest keys are
 * brought to its beginning first, by partitioning it around keys until few enough are left.
 */
function sortedPart(order: Uint32Array, keys: KeyColumn, { from, to, length = to }: SortedStretch): Stretch {
  let last = to;
  while (last - from > 2 * (length - from) && last - from > smallStretch) {
    const pivot = highKey(order, keys, { from, to: last });
    const upToPivot = partition(order, { from, to: last }, (index) => compareKeys(keys, index, pivot) <= 0);
    if (upToPivot >= length && upToPivot < last) last = upToPivot;
    else return { from, to: last };
  }
  return { from, to: last };
}

/** Returns a pivot: the one with the highest of three keys, which is hardly ever among the lowest few. */
function highKey(order: Uint32Array, keys: KeyColumn, { from, to }: Stretch): number {
  const sampled = [1, 2, 3].map((quarter) => order[from + (((to - from) * quarter) >> 2)] ?? 0);
  return sampled.reduce((highest, index) => (compareKeys(keys, index, highest) > 0 ? index : highest));
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
  readonly isWhole: boolean;
}

/** Between which numbers all keys lie, and whether all of them are whole. */
function rangeOf(order: Uint32Array, { numbers }: KeyColumn, { from, to }: Stretch): Range {
  let lowest = Infinity;
  let highest = -Infinity;
  let isWhole = true;
  for (let place = from; place < to; place++) {
    const key = numbers[order[place] ?? 0] ?? 0;
    if (key < lowest) lowest = key;
    if (key > highest) highest = key;
    if (Math.floor(key) !== key) isWhole = false;
  }
  return { lowest, highest, isWhole: isWhole && Number.isFinite(lowest) && Number.isFinite(highest) };
}

function countingSort(order: Uint32Array, { numbers }: KeyColumn, stretch: Stretch & Range): void {
  const { from, to, lowest, highest } = stretch;
  const tied = order.slice(from, to);
  const valueOf = (index: number): number => (numbers[index] ?? 0) - lowest;
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
