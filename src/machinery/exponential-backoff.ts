/** A delay that doubles with every failure, up to a maximum. */
export interface Backoff {
  readonly initialMs: number;
  readonly maxMs: number;
}

/** Limits the doublings: every maximum is reached by then, and `2 ** n` would overflow to infinity. */
const mostDoublings = 50;

/** Returns the delay after a failure that `failures` others preceded. */
export function exponentialBackoffMs({ initialMs, maxMs }: Backoff, failures: number): number {
  return Math.min(initialMs * 2 ** Math.min(failures, mostDoublings), maxMs);
}
