import type { Instant } from "../../api/time.ts";
import type { Clock } from "../clock/clock.ts";
import { Fifo } from "./fifo.ts";
import { noQueueMetrics, type QueueMetrics } from "./queue-metrics.ts";

export interface WorkQueueOptions {
  readonly clock: Clock;
  readonly metrics?: QueueMetrics | undefined;
}

/**
 * Keys that need work. Fair: first come, first served. Stingy: a key that waits is not queued twice. Exclusive: a key
 * that comes while it is being worked on waits until that is done.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #metrics: QueueMetrics;
  /** The order of keys to hand out. Each is in `#dirty` and none in `#processing`. */
  readonly #line = new Fifo<string>();
  /** Keys that need work, and since when. */
  readonly #dirty = new Map<string, Instant>();
  /** Keys being worked on, and since when. */
  readonly #processing = new Map<string, Instant>();
  /** Workers without work. There are none while there is a line. */
  readonly #idle = new Fifo<(key: string | undefined) => void>();
  #isShutDown = false;

  constructor({ clock, metrics = noQueueMetrics }: WorkQueueOptions) {
    this.#clock = clock;
    this.#metrics = metrics;
    metrics.observe({
      depth: () => this.length,
      unfinishedMs: () => this.#running().reduce((sum, durationMs) => sum + durationMs, 0),
      longestRunningMs: () =>
        this.#running().reduce((longest, durationMs) => Math.max(longest, durationMs), 0),
    });
  }

  /** How many keys wait for a worker. */
  get length(): number {
    return this.#line.length;
  }

  get isShutDown(): boolean {
    return this.#isShutDown;
  }

  add(key: string): void {
    if (this.#isShutDown || this.#dirty.has(key)) return;
    this.#dirty.set(key, this.#clock.now());
    this.#metrics.added();
    if (!this.#processing.has(key)) this.#offer(key);
  }

  /** The next key, when there is one; whoever takes it says `done`. `undefined` when the queue is shut down. */
  take(): Promise<string | undefined> {
    if (this.#isShutDown) return Promise.resolve(undefined);
    const key = this.#line.take();
    if (key === undefined) return new Promise((resolve) => this.#idle.push(resolve));
    this.#begin(key);
    return Promise.resolve(key);
  }

  /** Says that the work on a key is over; it comes again if it was added meanwhile. */
  done(key: string): void {
    const since = this.#processing.get(key);
    if (since === undefined) return;
    this.#processing.delete(key);
    this.#metrics.worked(this.#clock.now() - since);
    if (this.#dirty.has(key)) this.#offer(key);
  }

  /** Hands out nothing more, takes nothing more, and sends the workers home. */
  shutDown(): void {
    this.#isShutDown = true;
    this.#line.clear();
    this.#dirty.clear();
    for (let idle = this.#idle.take(); idle !== undefined; idle = this.#idle.take()) idle(undefined);
  }

  #offer(key: string): void {
    const worker = this.#idle.take();
    if (worker === undefined) {
      this.#line.push(key);
      return;
    }
    this.#begin(key);
    worker(key);
  }

  #begin(key: string): void {
    const now = this.#clock.now();
    this.#metrics.waited(now - (this.#dirty.get(key) ?? now));
    this.#dirty.delete(key);
    this.#processing.set(key, now);
  }

  #running(): number[] {
    const now = this.#clock.now();
    return [...this.#processing.values()].map((since) => now - since);
  }
}
