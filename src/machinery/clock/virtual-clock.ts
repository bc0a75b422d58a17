import type { Instant } from "../../api/time.ts";
import { type Clock, sleepWith, type Timer } from "./clock.ts";
import { Fifo } from "../work-queue/fifo.ts";
import { inNextTurn } from "./next-turn.ts";
import { TimerHeap } from "./timer-heap.ts";

/** Where virtual time starts by default; any fixed instant would do. */
const defaultStart: Instant = 1_767_225_600_000; // 2026-01-01T00:00:00Z

/**
 * Time that stands still while anything can run and jumps to the next timer when nothing can.
 * "Nothing can run" means: the microtask queue is empty (all in-process work is microtasks) and no held promise
 * is pending (work that leaves the process, such as a disk flush, is held).
 */
export class VirtualClock implements Clock {
  #now: Instant;
  readonly #timers = new TimerHeap();
  readonly #idleTasks = new Fifo<() => void>();
  #held = 0;
  #released: (() => void) | undefined;
  readonly network: Clock | undefined;

  /** With a `network` clock, time may jump while requests of other processes are under way. */
  constructor(start: Instant = defaultStart, network?: Clock) {
    this.#now = start;
    this.network = network;
  }

  now(): Instant {
    return this.#now;
  }

  after(delayMs: number, task: () => void): Timer {
    return this.#timers.add(this.#now + Math.max(0, delayMs), task);
  }

  whenIdle(task: () => void): void {
    this.#idleTasks.push(task);
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return sleepWith(this, delayMs, signal);
  }

  /** Keeps time still until the promise settles: for work that leaves the process. */
  async hold<T>(work: Promise<T>): Promise<T> {
    this.#held++;
    try {
      return await work;
    } finally {
      this.#held--;
      if (this.#held === 0) this.#released?.();
    }
  }

  /** Runs all timers up to and including an instant, where time then stands. */
  async runUntil(instant: Instant): Promise<void> {
    await this.settle();
    for (
      let next = this.#timers.nextAt();
      next !== undefined && next <= instant;
      next = this.#timers.nextAt()
    ) {
      await this.#runNext(next);
    }
    this.#now = Math.max(this.#now, instant);
  }

  /** `runUntil`, relative to now. */
  advance(durationMs: number): Promise<void> {
    return this.runUntil(this.#now + durationMs);
  }

  /** Runs timers one by one while something is pending; `false` when it still is at the deadline. */
  async runWhile(pending: () => boolean, deadline: Instant): Promise<boolean> {
    await this.settle();
    while (pending()) {
      const next = this.#timers.nextAt();
      if (next === undefined || next > deadline) return false;
      await this.#runNext(next);
    }
    return true;
  }

  /** Advances time until a promise has settled: a task that sleeps in virtual time ends only after it has woken up. */
  async runUntilSettled<T>(work: Promise<T>): Promise<T> {
    let isPending = true;
    const ended = work.finally(() => (isPending = false));
    await Promise.race([this.runWhile(() => isPending, Number.POSITIVE_INFINITY), ended]);
    return ended;
  }

  async #runNext(at: Instant): Promise<void> {
    this.#now = Math.max(this.#now, at);
    this.#timers.takeNext()?.();
    await this.settle();
  }

  /** Runs everything that can run without time passing. */
  async settle(): Promise<void> {
    await this.#rest();
    for (let task = this.#idleTasks.take(); task !== undefined; task = this.#idleTasks.take()) {
      task();
      await this.#rest();
    }
  }

  /** Waits until neither microtasks nor held promises are left. */
  async #rest(): Promise<void> {
    await drainMicrotasks();
    while (this.#held > 0) {
      await new Promise<void>((resolve) => (this.#released = resolve));
      this.#released = undefined;
      await drainMicrotasks();
    }
  }
}

/** Resolves in the next turn of the event loop, which comes only when every microtask, however deep, has run. */
export function drainMicrotasks(): Promise<void> {
  return new Promise((resolve) => inNextTurn(resolve));
}
