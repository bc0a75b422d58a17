/** Which of two goes first: negative for the one, positive for the other, 0 for neither. */
export type Comparison = (one: number, other: number) => number;

/**
 * Splits contestants into the finest groups such that everyone in a group goes before everyone in all later groups.
 *
 * Contests need not be transitive: whoever is in a cycle, or ties with someone, ends up in one group with them. Two
 * points for a win and one for a tie: the best k go before all others exactly when they have as many points as
 * contests among themselves and wins over all others are worth, and no fewer could have.
 */
export function rankByComparison(
  contestants: readonly number[],
  contest: Comparison,
): readonly (readonly number[])[] {
  const points = countPoints(contestants, contest);
  const ranked = contestants
    .map((contestant, entry) => ({ contestant, points: points[entry] ?? 0 }))
    .sort((one, other) => other.points - one.points);
  const groups: number[][] = [];
  let group: number[] = [];
  let sum = 0;
  for (const [place, entrant] of ranked.entries()) {
    group.push(entrant.contestant);
    sum += entrant.points;
    const best = place + 1;
    if (sum < best * (best - 1) + 2 * best * (ranked.length - best)) continue;
    groups.push(group);
    group = [];
  }
  return groups;
}

function countPoints(contestants: readonly number[], contest: Comparison): readonly number[] {
  const points = contestants.map(() => 0);
  for (const [i, one] of contestants.entries()) {
    for (let j = i + 1; j < contestants.length; j++) {
      const outcome = Math.sign(contest(one, contestants[j] ?? one));
      points[i] = (points[i] ?? 0) + 1 - outcome;
      points[j] = (points[j] ?? 0) + 1 + outcome;
    }
  }
  return points;
}
