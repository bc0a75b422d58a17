import { type Clock, elapsedMs } from "../clock/clock.ts";

export interface ReviewCacheOptions {
  readonly clock: Clock;
  /** How long a review is reused. */
  readonly ttlMs: number;
  /** How many reviews are kept; the oldest is evicted first. */
  readonly maxEntries: number;
  /** How many reviews may be under way at a time. */
  readonly maxInFlight: number;
}

interface Entry<T> {
  readonly review: T;
  /** In elapsed time: a clock that is set back must not keep a token valid. */
  readonly expiresAt: number;
}

/** Reviews by key, reused while they are fresh. A review that failed is not kept. */
export class ReviewCache<T> {
  readonly #options: ReviewCacheOptions;
  readonly #entries = new Map<string, Entry<T>>();
  readonly #inFlight = new Map<string, Promise<T>>();

  constructor(options: ReviewCacheOptions) {
    this.#options = options;
  }

  /** The review that is kept or under way, else a new one; throws when too many are under way. */
  async get(key: string, review: () => Promise<T>): Promise<T> {
    const known = this.#entries.get(key);
    if (known !== undefined && known.expiresAt > elapsedMs(this.#options.clock)) return known.review;
    return this.#inFlight.get(key) ?? this.#start(key, review);
  }

  #start(key: string, review: () => Promise<T>): Promise<T> {
    const { maxInFlight } = this.#options;
    if (this.#inFlight.size >= maxInFlight)
      throw new Error(`${maxInFlight} reviews are under way, which is the limit`);
    const started = this.#keep(key, review).finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, started);
    return started;
  }

  async #keep(key: string, review: () => Promise<T>): Promise<T> {
    const { clock, ttlMs, maxEntries } = this.#options;
    const reviewed = await review();
    this.#entries.delete(key); // so that it is the newest
    this.#entries.set(key, { review: reviewed, expiresAt: elapsedMs(clock) + ttlMs });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= maxEntries) break;
      this.#entries.delete(oldest);
    }
    return reviewed;
  }
}
