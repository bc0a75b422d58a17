/** Which of two comes first: negative for the one, positive for the other, 0 for neither. */
export type Comparison = (one: number, other: number) => number;

/**
 * Splits items into the finest groups such that every item of a group comes before every item of all later groups.
 *
 * Comparisons need not be transitive: items that form a cycle, or tie, are in one group. An item scores two points for
 * every item it comes before and one for every tie. The best k come before all others exactly when their points are
 * those of all comparisons among themselves and of coming before all others; no k items can have more.
 */
export function rankByComparison(
  items: readonly number[],
  compare: Comparison,
): readonly (readonly number[])[] {
  const points = countPoints(items, compare);
  const ranked = items
    .map((item, index) => ({ item, points: points[index] ?? 0 }))
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

function countPoints(items: readonly number[], compare: Comparison): readonly number[] {
  const points = items.map(() => 0);
  for (const [i, one] of items.entries()) {
    for (let j = i + 1; j < items.length; j++) {
      const outcome = Math.sign(compare(one, items[j] ?? one));
      points[i] = (points[i] ?? 0) + 1 - outcome;
      points[j] = (points[j] ?? 0) + 1 + outcome;
    }
  }
  return points;
}
