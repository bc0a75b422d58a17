import { rankByPoints } from "./rank-as-kubernetes.ts";

/** Which of two comes first: negative for the one, positive for the other, 0 for neither. */
export type PairComparison = (one: number, other: number) => number;

/** Ranks items by comparing every one with every other. */
export function rankByComparison(
  items: readonly number[],
  compare: PairComparison,
): readonly (readonly number[])[] {
  const pointsOf = (one: number) =>
    items.reduce((sum, other) => (one === other ? sum : sum + 1 - Math.sign(compare(one, other))), 0);
  return rankByPoints(items, pointsOf);
}
