import type { Instant } from "../../api/time.ts";

/** The bucket of a time that is absent or unreadable: such a Pod counts as the newest of all. */
export const unknownAge = -2;
/** The bucket of a time that has not come yet, or is now. */
export const futureAge = -1;

/**
 * The first whole millisecond of each bucket. Bucket k holds the ages from 2^k nanoseconds up to twice that; a power
 * of two is never a whole number of milliseconds, so the edges are rounded up, and exactly: hence BigInt, once.
 */
const edgesMs: readonly number[] = Array.from({ length: 73 }, (_, k) =>
  Number((2n ** BigInt(k) + 999_999n) / 1_000_000n),
);

/** The age as floor(log2(nanoseconds)), to whole milliseconds; `unknownAge` and `futureAge` below all real buckets. */
export function logBucket(time: Instant | undefined, now: Instant): number {
  const ageMs = exactAge(time, now);
  if (ageMs === -Infinity) return unknownAge;
  if (ageMs < 1) return futureAge;
  // The logarithm is a guess that is at most one off near an edge; the edges decide.
  const guess = Math.min(Math.floor(Math.log2(ageMs * 1e6)), edgesMs.length - 1);
  if (ageMs < edgeMs(guess)) return guess - 1;
  return ageMs >= edgeMs(guess + 1) && ageMs < Infinity ? guess + 1 : guess;
}

/** The age in milliseconds, negative for the future and minus infinity for a time that is absent. */
export function exactAge(time: Instant | undefined, now: Instant): number {
  if (time === undefined) return -Infinity;
  const ageMs = now - time;
  return Number.isNaN(ageMs) ? -Infinity : ageMs;
}

/** The age in milliseconds at which a bucket begins. */
export function bucketStartMs(bucket: number): number {
  return 2 ** bucket / 1e6;
}

function edgeMs(bucket: number): number {
  return edgesMs[bucket] ?? Infinity;
}
