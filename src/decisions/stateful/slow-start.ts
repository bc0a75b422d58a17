/** The most items that are tried at once where none waits for another. */
const largestBatch = 500;

/** Splits items into batches of 1, 2, 4 …: if one item fails, most others would fail too. */
export function slowStartBatches<T>(items: readonly T[]): readonly (readonly T[])[] {
  const batches: (readonly T[])[] = [];
  let size = 1;
  for (let start = 0; start < items.length;) {
    batches.push(items.slice(start, start + size));
    start += size;
    size = Math.min(size * 2, largestBatch);
  }
  return batches;
}
