import type { Key } from "./rules.ts";

/** A stretch of a list: from the first place up to, and without, the last. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Sorts a stretch of `order` in place so that `keys[order[place]]` rises; all keys are numbers, or all are texts. */
export function sortByKey(order: Uint32Array, keys: readonly Key[], stretch: Stretch): void {
  // Phases, counts, buckets: nearly all keys are small whole numbers, for which counting is faster than comparing.
  const range = wholeNumberRange(order, keys, stretch);
  if (range === undefined) comparisonSort(order, keys, stretch);
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
