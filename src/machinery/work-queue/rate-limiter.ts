import type { Clock } from "../clock/clock.ts";

/** Says how long a key that failed has to wait. */
export interface RateLimiter {
  /** The delay of the next attempt; asking counts as one. */
  nextDelayMs(key: string): number;
  /** How often the key has been asked about since it was forgotten. */
  retries(key: string): number;
  /** The key did well: its failures no longer count. */
  forget(key: string): void;
}

/** Doubles a key's delay with each failure. */
export function exponentialLimiter(baseMs: number, capMs: number): RateLimiter {
  const failures = new Map<string, number>();
  const retries = (key: string) => failures.get(key) ?? 0;
  return {
    retries,
    nextDelayMs(key) {
      const count = retries(key);
      failures.set(key, count + 1);
      return Math.min(baseMs * 2 ** count, capMs);
    },
    forget: (key) => void failures.delete(key),
  };
}

/** Lets `burst` attempts of any keys through at once, and so many a second after that. */
export function tokenBucketLimiter(clock: Clock, perSecond: number, burst: number): RateLimiter {
  let tokens = burst;
  let countedAt = clock.now();
  return {
    retries: () => 0,
    nextDelayMs() {
      const now = clock.now();
      tokens = Math.min(burst, tokens + ((now - countedAt) * perSecond) / 1000) - 1;
      countedAt = now;
      // Below zero the bucket is in debt: this attempt waits until its own token has come in.
      return Math.max(0, (-tokens * 1000) / perSecond);
    },
    forget: () => undefined,
  };
}

/** Obeys all of them: the longest delay counts. */
export function maxOfLimiters(limiters: readonly RateLimiter[]): RateLimiter {
  return {
    retries: (key) => Math.max(...limiters.map((limiter) => limiter.retries(key))),
    nextDelayMs: (key) => Math.max(...limiters.map((limiter) => limiter.nextDelayMs(key))),
    forget: (key) => {
      for (const limiter of limiters) limiter.forget(key);
    },
  };
}

/** What Kubernetes' controllers use: 5 ms doubling to 1000 s per key, and ten a second after a burst of a hundred. */
export function controllerRateLimiter(clock: Clock): RateLimiter {
  return maxOfLimiters([exponentialLimiter(5, 1_000_000), tokenBucketLimiter(clock, 10, 100)]);
}
