/** What somebody has, and what it would gain or lose by its proportion alone. */
export interface ScaleCandidate {
  readonly size: number;
  readonly gain: number;
  /** Whether it still waits for an earlier scale. */
  readonly inFlight: boolean;
}

/** Hands out a number of Pods by claim, in order and until none are left; what nobody claims goes to the first. */
export function distribute(claims: readonly ScaleCandidate[], budget: number): readonly number[] {
  let left = budget;
  const sizes = claims.map(({ size, gain }) => {
    const share = left === 0 ? 0 : budget > 0 ? Math.min(gain, left) : Math.max(gain, left);
    left -= share;
    return size + share;
  });
  const [first = 0, ...others] = sizes;
  return left === 0 ? sizes : [Math.max(first + left, 0), ...others];
}

/** The same among those that are not in flight; the rest goes to all in order, nobody getting more than is wanted. */
export function distributeDeferring(
  claims: readonly ScaleCandidate[],
  wanted: readonly number[],
  budget: number,
): readonly number[] {
  let left = budget;
  const take = (most: number) => {
    const share = Math.max(Math.min(most, left), 0);
    left -= share;
    return share;
  };
  const missing = (size: number, index: number) => (wanted[index] ?? size) - size;
  return claims
    .map(
      ({ size, gain, inFlight }, index) => size + (inFlight ? 0 : take(Math.min(gain, missing(size, index)))),
    )
    .map((size, index) => size + take(missing(size, index)));
}
