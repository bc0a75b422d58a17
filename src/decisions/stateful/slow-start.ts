/** How many are tried at once at the most, where nothing has to wait for anything else. */
const largestBatch = 500;

/** Splits items into batches of 1, 2, 4 …: what fails for one of them mostly fails for all. */
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
