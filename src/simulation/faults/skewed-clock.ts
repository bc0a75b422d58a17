import type { Instant } from "../../api/time.ts";
import type { Clock, Timer } from "../../machinery/clock/clock.ts";

/** A clock that runs as fast as another one, and shows another time. */
export class SkewedClock implements Clock {
  readonly #accurate: Clock;
  /** How far it is ahead; less than zero: behind. */
  skewMs: number;

  constructor(accurate: Clock, skewMs = 0) {
    this.#accurate = accurate;
    this.skewMs = skewMs;
  }

  now(): Instant {
    return this.#accurate.now() + this.skewMs;
  }

  after(delayMs: number, task: () => void): Timer {
    return this.#accurate.after(delayMs, task);
  }

  whenIdle(task: () => void): void {
    this.#accurate.whenIdle(task);
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return this.#accurate.sleep(delayMs, signal);
  }
}
