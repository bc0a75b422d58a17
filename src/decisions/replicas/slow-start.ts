/**
 * The sizes of the batches in which Pods are created: 1, 2, 4 and so on. When creations fail, as under a quota,
 * the first, small batch is the last one; when they succeed, nearly all Pods are created at once.
 */
export function slowStart(count: number): readonly number[] {
  const sizes: number[] = [];
  for (let left = count, size = 1; left > 0; left -= size, size *= 2) sizes.push(Math.min(size, left));
  return sizes;
}
