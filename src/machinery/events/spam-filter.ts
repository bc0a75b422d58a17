import type { Instant } from "../../api/time.ts";

// upstream: events_cache.go, defaultSpamBurst and defaultSpamQPS
const burst = 25;
const refillMs = 300_000;

/**
 * A token bucket as the one instant at which it will be full again: each token taken moves that instant five minutes
 * on, and a token can be had while it is no more than a whole bucket away. Whole milliseconds, so nothing is rounded.
 */
export function takeToken(
  fullAt: Instant | undefined,
  now: Instant,
): { readonly allowed: boolean; readonly fullAt: Instant } {
  const from = Math.max(fullAt ?? now, now);
  const allowed = from + refillMs - now <= burst * refillMs;
  return { allowed, fullAt: allowed ? from + refillMs : from };
}
