/**
 * The sizes of the batches in which to create Pods: 1, 2, 4 and so on. Where all creations fail, as under a quota,
 * one failed batch is cheap and the last one; where they succeed, nearly all happen at once.
 */
export function slowStart(count: number): readonly number[] {
  const sizes: number[] = [];
  for (let left = count, size = 1; left > 0; left -= size, size *= 2) sizes.push(Math.min(size, left));
  return sizes;
}
