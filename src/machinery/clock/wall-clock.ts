import type { Instant } from "../../api/time.ts";
import { inNextTurn } from "./next-turn.ts";
import { type Clock, sleepWith, type Timer } from "./clock.ts";

/** The host's time and timers; a parameter so that tests need not wait. */
export interface Host {
  now(): number;
  elapsed?(): number;
  setTimeout(task: () => void, delayMs: number): unknown;
  clearTimeout(handle: unknown): void;
  /** Runs a task after the event loop has polled for I/O. */
  setImmediate?(task: () => void): void;
}

const realHost: Host = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimeout: (task, delayMs) => setTimeout(task, Math.ceil(delayMs)), // rounds up: the host truncates fractions and would fire early
  clearTimeout: (handle) => clearTimeout(handle as number),
  setImmediate: inNextTurn,
};

// A host timer holds a signed 32-bit delay; anything longer would fire at once, so it is armed in stages.
const longestDelayMs = 2 ** 31 - 1;

/** Work yields to the event loop after this long: short compared with a request, long compared with a turn of the loop. */
const longestWorkMs = 4;

/** The clock of a real cluster. */
export class WallClock implements Clock {
  readonly #host: Host;
  /** Since when there has been work in the current turn of the event loop. */
  #workingSince: number | undefined;

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

  /** Microtasks come before the next turn of the event loop, and with them all work that does not wait for I/O. */
  whenIdle(task: () => void): void {
    if (this.#host.setImmediate === undefined) this.after(0, task);
    else this.#host.setImmediate(task);
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return sleepWith(this, delayMs, signal);
  }

  yieldToEventLoop(): Promise<void> | undefined {
    return this.#isTurnDue() ? new Promise((resume) => this.#afterTurn(resume)) : undefined;
  }

  /** Resumes a task that yielded, or lets it wait for another turn if the tasks before it used up the time of this one. */
  #afterTurn(resume: () => void): void {
    this.#host.setImmediate?.(() => (this.#isTurnDue() ? this.#afterTurn(resume) : resume()));
  }

  #isTurnDue(): boolean {
    if (this.#host.setImmediate === undefined) return false;
    const now = this.elapsed();
    if (this.#workingSince === undefined) this.#host.setImmediate(() => (this.#workingSince = undefined));
    this.#workingSince ??= now;
    return now - this.#workingSince >= longestWorkMs;
  }
}
