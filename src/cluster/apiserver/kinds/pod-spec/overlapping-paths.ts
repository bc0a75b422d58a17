import { compareText } from "../../../../api/compare-text.ts";

/**
 * Returns the indices of the paths that equal, contain or are below an earlier path, in order. In sorted order a path
 * follows the paths above it, so that each is compared with only a few: the cost grows with the total length of the
 * paths.
 */
export function overlappingPaths(paths: readonly string[]): readonly number[] {
  const sorted = paths
    .map((path, index) => ({ directory: `${path}/`, index }))
    .toSorted((one, other) => compareText(one.directory, other.directory) || one.index - other.index);
  const overlapping = new Set<number>();
  /** The directories above the last path, outermost first, each with the first path that has it. */
  const around: { readonly directory: string; readonly index: number }[] = [];
  for (const { directory, index } of sorted) {
    while (around.length > 0 && !directory.startsWith(around.at(-1)?.directory ?? "")) around.pop();
    for (const other of around) overlapping.add(Math.max(index, other.index));
    if (around.at(-1)?.directory !== directory) around.push({ directory, index });
  }
  return [...overlapping].toSorted((one, other) => one - other);
}
