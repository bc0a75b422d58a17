/**
 * Splits items into the finest groups such that every item of a group comes before every item of all later groups.
 *
 * Comparisons need not be transitive: items that form a cycle, or tie, are in one group. An item has two points for
 * every item it comes before and one for every tie. The best k come before all others exactly when their points are
 * those of all comparisons among themselves and of coming before all others; no k items can have more.
 */
export function rankByPoints(
  items: readonly number[],
  pointsOf: (item: number) => number,
): readonly (readonly number[])[] {
  const ranked = items
    .map((item) => ({ item, points: pointsOf(item) }))
    .sort((one, other) => other.points - one.points);
  const groups: number[][] = [];
  let group: number[] = [];
  let sum = 0;
  for (const [place, entry] of ranked.entries()) {
    group.push(entry.item);
    sum += entry.points;
    const best = place + 1;
    if (sum < best * (best - 1) + 2 * best * (ranked.length - best)) continue;
    groups.push(group);
    group = [];
  }
  return groups;
}
