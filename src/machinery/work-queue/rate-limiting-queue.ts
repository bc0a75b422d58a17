import { DelayingQueue } from "./delaying-queue.ts";
import type { WorkQueueOptions } from "./work-queue.ts";
import type { Clock } from "../clock/clock.ts";
import { type Backoff, exponentialBackoffMs } from "../exponential-backoff.ts";

export interface RateLimitingQueueOptions extends WorkQueueOptions {
  /** Absent: the limits of Kubernetes' controllers. */
  readonly limiter?: RateLimiter | undefined;
}

/** A delaying queue whose failing keys come back ever more slowly. */
export class RateLimitingQueue extends DelayingQueue {
  readonly #limiter: RateLimiter;
  /** Delays of keys that were postponed, which counts neither as a failure nor as a retry. */
  readonly #postponed = exponentialLimiter({ initialMs: 5, maxMs: 1_000_000 });

  constructor(options: RateLimitingQueueOptions) {
    super(options);
    this.#limiter = options.limiter ?? controllerRateLimiter(options.clock);
  }

  /** Adds a key that failed, after the delay its limiter decides. */
  addRateLimited(key: string): void {
    this.#postponed.forget(key);
    this.addAfter(key, this.#limiter.nextDelayMs(key));
  }

  /** Adds a key that could not be processed yet, later each time: neither a failure nor a retry. */
  postpone(key: string): void {
    this.addLater(key, this.#postponed.nextDelayMs(key));
  }

  /** How often in a row the key has failed. */
  retries(key: string): number {
    return this.#limiter.retries(key);
  }

  /** Forgets the failures of a key: it succeeded. */
  forget(key: string): void {
    this.#postponed.forget(key);
    this.#limiter.forget(key);
  }
}

/** Decides how long a key that failed waits before it is retried. */
interface RateLimiter {
  /** The delay before the next attempt; every call counts as a failure. */
  nextDelayMs(key: string): number;
  /** How many failures were counted since the key was forgotten. */
  retries(key: string): number;
  /** Forgets the failures of a key: it succeeded. */
  forget(key: string): void;
}

/** Doubles a key's delay with each failure. */
export function exponentialLimiter(backoff: Backoff): RateLimiter {
  const failures = new Map<string, number>();
  const retries = (key: string) => failures.get(key) ?? 0;
  return {
    retries,
    nextDelayMs(key) {
      const count = retries(key);
      failures.set(key, count + 1);
      return exponentialBackoffMs(backoff, count);
    },
    forget: (key) => void failures.delete(key),
  };
}

/** Allows a burst of attempts of any keys, then a fixed rate per second. */
export function tokenBucketLimiter(clock: Clock, perSecond: number, burst: number): RateLimiter {
  let tokens = burst;
  let countedAt = clock.now();
  return {
    retries: () => 0,
    nextDelayMs() {
      const now = clock.now();
      tokens = Math.min(burst, tokens + ((now - countedAt) * perSecond) / 1000) - 1;
      countedAt = now;
      // Below zero the bucket is in debt: the attempt waits until its own token has been added.
      return Math.max(0, (-tokens * 1000) / perSecond);
    },
    forget: () => undefined,
  };
}

/** Applies several limiters: the longest delay counts. */
function maxOfLimiters(limiters: readonly RateLimiter[]): RateLimiter {
  return {
    retries: (key) => Math.max(...limiters.map((limiter) => limiter.retries(key))),
    nextDelayMs: (key) => Math.max(...limiters.map((limiter) => limiter.nextDelayMs(key))),
    forget: (key) => {
      for (const limiter of limiters) limiter.forget(key);
    },
  };
}

const controllerBackoff: Backoff = { initialMs: 5, maxMs: 1_000_000 };

// upstream: DefaultTypedControllerRateLimiter
/** 5 ms doubling to 1000 s per key, and ten attempts a second after a burst of a hundred. */
export function controllerRateLimiter(clock: Clock): RateLimiter {
  return maxOfLimiters([exponentialLimiter(controllerBackoff), tokenBucketLimiter(clock, 10, 100)]);
}
