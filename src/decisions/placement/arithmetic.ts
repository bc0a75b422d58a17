/** Division of whole numbers towards zero, exact as long as both are below 2⁵³. */
export function quotient(dividend: number, divisor: number): number {
  // Adding 0 turns -0 into 0.
  return (dividend - (dividend % divisor)) / divisor + 0;
}

/** Scales scores so that the largest becomes 100 (upstream: DefaultNormalizeScore); all stay 0 when it is 0. */
export function scaleToLargest(scores: readonly number[]): readonly number[] {
  let largest = 0;
  for (const score of scores) largest = Math.max(largest, score);
  return largest === 0 ? scores.map(() => 0) : scores.map((score) => quotient(100 * score, largest));
}
