import type { Instant } from "../../api/time.ts";
import { type Clock, sleepWith, type Timer } from "./clock.ts";

/** The host's time and timers; a parameter so that tests need not wait. */
export interface Host {
  now(): number;
  elapsed?(): number;
  setTimeout(task: () => void, delayMs: number): unknown;
  clearTimeout(handle: unknown): void;
}

const realHost: Host = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimeout: (task, delayMs) => setTimeout(task, delayMs),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
};

// A host timer holds a signed 32-bit delay; anything longer would fire at once, so it is armed in stages.
const longestDelayMs = 2 ** 31 - 1;

/** The clock of a real cluster. */
export class WallClock implements Clock {
  readonly #host: Host;

  constructor(host: Host = realHost) {
    this.#host = host;
  }

  now(): Instant {
    return this.#host.now();
  }

  elapsed(): number {
    return this.#host.elapsed?.() ?? this.now();
  }

  after(delayMs: number, task: () => void): Timer {
    let handle: unknown;
    const arm = (leftMs: number): void => {
      const stageMs = Math.min(Math.max(leftMs, 0), longestDelayMs);
      handle = this.#host.setTimeout(() => (leftMs > stageMs ? arm(leftMs - stageMs) : task()), stageMs);
    };
    arm(delayMs);
    return { cancel: () => this.#host.clearTimeout(handle) };
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return sleepWith(this, delayMs, signal);
  }
}
