import { mapInto } from "./placement-workspace.ts";

/** Division of whole numbers towards zero, exact as long as both are below 2⁵³. */
export function quotient(dividend: number, divisor: number): number {
  // Adding 0 turns -0 into 0.
  return (dividend - (dividend % divisor)) / divisor + 0;
}

/** Scales scores so that the largest becomes 100 (upstream: DefaultNormalizeScore); all stay 0 when it is 0. */
export function scaleToLargest(scores: readonly number[], into: number[] = []): readonly number[] {
  const largest = largestOf(scores);
  // Often no node differs: then nothing has to be computed.
  return mapInto(into, scores, largest === 0 ? () => 0 : scaled(largest));
}

/** Scales scores so that the largest becomes 0 and a score of 0 becomes 100 (upstream: its `reverse`). */
export function scaleToLargestReversed(scores: readonly number[], into: number[] = []): readonly number[] {
  const largest = largestOf(scores);
  if (largest === 0) return mapInto(into, scores, () => 100);
  const scale = scaled(largest);
  return mapInto(into, scores, (score) => 100 - scale(score));
}

const scaled =
  (largest: number) =>
  (score: number): number =>
    quotient(100 * score, largest);

function largestOf(scores: readonly number[]): number {
  let largest = 0;
  for (let index = 0; index < scores.length; index++) largest = Math.max(largest, scores[index] ?? 0);
  return largest;
}
