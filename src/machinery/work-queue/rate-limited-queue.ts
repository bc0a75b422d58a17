import { DelayingQueue } from "./delaying-queue.ts";
import { controllerRateLimiter, type RateLimiter } from "./rate-limiter.ts";
import type { WorkQueueOptions } from "./work-queue.ts";

export interface RateLimitedQueueOptions extends WorkQueueOptions {
  /** Absent: the limits of Kubernetes' controllers. */
  readonly limiter?: RateLimiter | undefined;
}

/** A delaying queue that makes keys which keep failing come back more and more slowly. */
export class RateLimitedQueue extends DelayingQueue {
  readonly #limiter: RateLimiter;

  constructor(options: RateLimitedQueueOptions) {
    super(options);
    this.#limiter = options.limiter ?? controllerRateLimiter(options.clock);
  }

  /** Adds a key that failed, when its time has come. */
  addRateLimited(key: string): void {
    this.addAfter(key, this.#limiter.nextDelayMs(key));
  }

  /** How often in a row the key has failed. */
  retries(key: string): number {
    return this.#limiter.retries(key);
  }

  /** The key did well: its failures no longer count. */
  forget(key: string): void {
    this.#limiter.forget(key);
  }
}
