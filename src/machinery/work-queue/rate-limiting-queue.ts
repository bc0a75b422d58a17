import { DelayingQueue } from "./delaying-queue.ts";
import { controllerRateLimiter, exponentialLimiter, type RateLimiter } from "./rate-limiter.ts";
import type { WorkQueueOptions } from "./work-queue.ts";

export interface RateLimitingQueueOptions extends WorkQueueOptions {
  /** Absent: the limits of Kubernetes' controllers. */
  readonly limiter?: RateLimiter | undefined;
}

/** A delaying queue that makes keys which keep failing come back more and more slowly. */
export class RateLimitingQueue extends DelayingQueue {
  readonly #limiter: RateLimiter;
  /** Of keys whose turn was put off; like those that fail, but nothing of theirs has failed. */
  readonly #patience = exponentialLimiter(5, 1_000_000);

  constructor(options: RateLimitingQueueOptions) {
    super(options);
    this.#limiter = options.limiter ?? controllerRateLimiter(options.clock);
  }

  /** Adds a key that failed, when its time has come. */
  addRateLimited(key: string): void {
    this.#patience.forget(key);
    this.addAfter(key, this.#limiter.nextDelayMs(key));
  }

  /** Puts a key's turn off, for longer each time until it has one: neither a failure nor a retry. */
  postpone(key: string): void {
    this.addLater(key, this.#patience.nextDelayMs(key));
  }

  /** How often in a row the key has failed. */
  retries(key: string): number {
    return this.#limiter.retries(key);
  }

  /** The key did well: its failures no longer count. */
  forget(key: string): void {
    this.#patience.forget(key);
    this.#limiter.forget(key);
  }
}
