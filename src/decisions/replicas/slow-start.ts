/**
 * The sizes of the batches in which Pods are created: 1, 2, 4 and so on. When all creations fail, as under a quota, the
 * first batch is small and the last one; when they succeed, nearly all happen at once.
 */
export function slowStart(count: number): readonly number[] {
  const sizes: number[] = [];
  for (let left = count, size = 1; left > 0; left -= size, size *= 2) sizes.push(Math.min(size, left));
  return sizes;
}
