import type { Clock } from "../clock/clock.ts";
import { Fifo } from "./fifo.ts";
import { noQueueMetrics, type QueueMetrics } from "./queue-metrics.ts";

export interface WorkQueueOptions {
  readonly clock: Clock;
  readonly metrics?: QueueMetrics | undefined;
}

/**
 * Keys to be processed. Fair: first in, first out. Deduplicating: a key that waits is not queued twice. Exclusive: a key
 * that is added while it is being processed waits until that is done.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #metrics: QueueMetrics;
  /** The order in which keys are taken. Each is in `#dirty` and none in `#processing`. */
  readonly #waiting = new Fifo<string>();
  /** Keys that need processing, and since when, by the stopwatch. */
  readonly #dirty = new Map<string, number>();
  /** Keys being processed, and since when, by the stopwatch. */
  readonly #processing = new Map<string, number>();
  /** Workers that wait for a key. There are none while keys wait. */
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
    return this.#waiting.length;
  }

  get isShutDown(): boolean {
    return this.#isShutDown;
  }

  add(key: string): void {
    if (this.#isShutDown || this.#dirty.has(key)) return;
    this.#dirty.set(key, this.#stopwatch());
    this.#metrics.added();
    if (!this.#processing.has(key)) this.#offer(key);
  }

  /** Resolves to the next key, which the caller passes to `done`; to `undefined` when the queue is shut down. */
  take(): Promise<string | undefined> {
    if (this.#isShutDown) return Promise.resolve(undefined);
    const key = this.#waiting.take();
    if (key === undefined) return new Promise((resolve) => this.#idle.push(resolve));
    this.#begin(key);
    return Promise.resolve(key);
  }

  /** Marks a key as processed; it is queued again if it was added meanwhile. */
  done(key: string): void {
    const since = this.#processing.get(key);
    if (since === undefined) return;
    this.#processing.delete(key);
    this.#metrics.worked(this.#stopwatch() - since);
    if (this.#dirty.has(key)) this.#offer(key);
  }

  /** Accepts and returns no more keys; waiting workers get `undefined`. */
  shutDown(): void {
    this.#isShutDown = true;
    this.#waiting.clear();
    this.#dirty.clear();
    for (let idle = this.#idle.take(); idle !== undefined; idle = this.#idle.take()) idle(undefined);
  }

  #offer(key: string): void {
    const worker = this.#idle.take();
    if (worker === undefined) {
      this.#waiting.push(key);
      return;
    }
    this.#begin(key);
    worker(key);
  }

  #begin(key: string): void {
    const now = this.#stopwatch();
    this.#metrics.waited(now - (this.#dirty.get(key) ?? now));
    this.#dirty.delete(key);
    this.#processing.set(key, now);
  }

  /** Monotonic, and finer than the wall clock. */
  #stopwatch(): number {
    return this.#clock.elapsed?.() ?? this.#clock.now();
  }

  #running(): number[] {
    const now = this.#stopwatch();
    return [...this.#processing.values()].map((since) => now - since);
  }
}
