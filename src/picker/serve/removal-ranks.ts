import type { PodScore } from "./evaluate-rule.ts";

/** Orders Pods as they go: protected Pods behind all others, each group by its scores. */
export function compareScores(one: PodScore, other: PodScore): number {
  if (one.isProtected !== other.isProtected) return one.isProtected ? 1 : -1;
  if (one.score === other.score) return 0; // the difference of two infinities is no number
  return one.score < other.score ? -1 : 1;
}

/**
 * Numbers Pods in the order in which they go; equal ones have the same number. Protected Pods come last, so that the
 * lowest numbers are of Pods that may go, and keep their order for callers that do not wait for them.
 */
export function removalRanks(scores: readonly PodScore[]): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  let rank = 0;
  let before: PodScore | undefined;
  for (const score of scores.toSorted(compareScores)) {
    if (before !== undefined && compareScores(before, score) !== 0) rank += 1;
    ranks.set(score.pod, rank);
    before = score;
  }
  return ranks;
}
