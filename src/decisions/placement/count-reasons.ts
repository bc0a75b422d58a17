/** Every reason with how many nodes it holds for, sorted; a node with several reasons counts for each. */
export function countReasons(nodes: Iterable<readonly string[]>): string {
  const counts = new Map<string, number>();
  for (const reasons of nodes) {
    for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts]
    .map(([reason, times]) => `${times} ${reason}`)
    .sort()
    .join(", ");
}
