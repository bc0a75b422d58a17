/** Which of two goes first: negative for the one, positive for the other, 0 for neither. */
export type Contest = (one: number, other: number) => number;

/**
 * Splits contestants into the finest groups such that everyone in a group goes before everyone in all later groups.
 *
 * Contests need not be transitive: whoever is in a cycle, or ties with someone, ends up in one group with them. Two
 * points for a win and one for a tie: the best k go before all others exactly when they have as many points as
 * contests among themselves and wins over all others are worth, and no fewer could have.
 */
export function rankByContest(
  contestants: readonly number[],
  contest: Contest,
): readonly (readonly number[])[] {
  const points = countPoints(contestants, contest);
  const ranked = [...contestants].sort((one, other) => (points.get(other) ?? 0) - (points.get(one) ?? 0));
  const groups: number[][] = [];
  let group: number[] = [];
  let sum = 0;
  for (const [place, contestant] of ranked.entries()) {
    group.push(contestant);
    sum += points.get(contestant) ?? 0;
    const best = place + 1;
    if (sum < best * (best - 1) + 2 * best * (ranked.length - best)) continue;
    groups.push(group);
    group = [];
  }
  return groups;
}

function countPoints(contestants: readonly number[], contest: Contest): ReadonlyMap<number, number> {
  const points = new Map(contestants.map((contestant) => [contestant, 0]));
  const award = (contestant: number, won: number): void => {
    points.set(contestant, (points.get(contestant) ?? 0) + won);
  };
  for (const [place, one] of contestants.entries()) {
    for (const other of contestants.slice(place + 1)) {
      const outcome = Math.sign(contest(one, other));
      award(one, 1 - outcome);
      award(other, 1 + outcome);
    }
  }
  return points;
}
