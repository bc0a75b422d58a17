import { DelayingQueue } from "./delaying-queue.ts";
import { controllerRateLimiter, exponentialLimiter, type RateLimiter } from "./rate-limiter.ts";
import type { WorkQueueOptions } from "./work-queue.ts";

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
