import { compareText } from "../../../../api/compare-text.ts";

/**
 * The indices of the paths that are, contain or are below a path before them, in order. Sorted paths that are below
 * another one follow it, so that each is compared with the few around it: the cost grows with the length of all paths.
 */
export function overlappingPaths(paths: readonly string[]): readonly number[] {
  const sorted = paths
    .map((path, index) => ({ directory: `${path}/`, index }))
    .toSorted((one, other) => compareText(one.directory, other.directory) || one.index - other.index);
  const overlapping = new Set<number>();
  /** The directories around the last one, outermost first, each as the first path that has it. */
  const around: { readonly directory: string; readonly index: number }[] = [];
  for (const { directory, index } of sorted) {
    while (around.length > 0 && !directory.startsWith(around.at(-1)?.directory ?? "")) around.pop();
    for (const other of around) overlapping.add(Math.max(index, other.index));
    if (around.at(-1)?.directory !== directory) around.push({ directory, index });
  }
  return [...overlapping].toSorted((one, other) => one - other);
}
