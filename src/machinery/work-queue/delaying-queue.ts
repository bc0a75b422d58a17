import type { Instant } from "../../api/time.ts";
import type { Clock, Timer } from "../clock/clock.ts";
import { noQueueMetrics, type QueueMetrics } from "./queue-metrics.ts";
import { WorkQueue, type WorkQueueOptions } from "./work-queue.ts";

/** A work queue to which keys can be added after a delay. */
export class DelayingQueue extends WorkQueue {
  readonly #clock: Clock;
  readonly #metrics: QueueMetrics;
  readonly #delayed = new Map<string, { readonly at: Instant; readonly timer: Timer }>();
  readonly #soon = new Set<string>();

  constructor(options: WorkQueueOptions) {
    super(options);
    this.#clock = options.clock;
    this.#metrics = options.metrics ?? noQueueMetrics;
  }

  /** Adds a key after a delay, or at once if the delay is not positive. If a key has several delays, the earliest wins. */
  addAfter(key: string, delayMs: number): void {
    if (this.isShutDown) return;
    this.#metrics.retried();
    this.addLater(key, delayMs);
  }

  /**
   * Adds a key once all other work of this instant has been done: events that come together, such as those of Pods that are
   * created together, cause one reconcile and not one each.
   */
  addSoon(key: string): void {
    if (this.isShutDown || this.#soon.has(key)) return;
    this.#soon.add(key);
    this.#clock.whenIdle(() => {
      if (this.#soon.delete(key)) this.add(key);
    });
  }

  /** Variant of `addAfter` that does not count a retry, for a key that has not been processed yet. */
  protected addLater(key: string, delayMs: number): void {
    if (this.isShutDown) return;
    if (!(delayMs > 0)) {
      this.add(key);
      return;
    }
    const at = this.#clock.now() + delayMs;
    const earlier = this.#delayed.get(key);
    if (earlier !== undefined && earlier.at <= at) return;
    earlier?.timer.cancel();
    const timer = this.#clock.after(delayMs, () => {
      this.#delayed.delete(key);
      this.add(key);
    });
    this.#delayed.set(key, { at, timer });
  }

  override shutDown(): void {
    for (const { timer } of this.#delayed.values()) timer.cancel();
    this.#delayed.clear();
    this.#soon.clear();
    super.shutDown();
  }
}
