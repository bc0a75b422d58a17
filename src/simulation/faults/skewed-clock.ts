import type { Instant } from "../../api/time.ts";
import type { Clock, Timer } from "../../machinery/clock/clock.ts";

/** A clock that runs as fast as another one, and is wrong. */
export class SkewedClock implements Clock {
  readonly #right: Clock;
  /** How far it is ahead; less than zero: behind. */
  skewMs: number;

  constructor(right: Clock, skewMs = 0) {
    this.#right = right;
    this.skewMs = skewMs;
  }

  now(): Instant {
    return this.#right.now() + this.skewMs;
  }

  after(delayMs: number, task: () => void): Timer {
    return this.#right.after(delayMs, task);
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return this.#right.sleep(delayMs, signal);
  }
}
