import { expectManyListeners } from "../abort/many-listeners.ts";
import type { Instant } from "../../api/time.ts";

/** The source of time: the wall clock in a real cluster, a heap of timers in a simulated one. */
export interface Clock {
  now(): Instant;
  /** Runs `task` once after `delayMs` (at once, but never synchronously, for 0 or less). */
  after(delayMs: number, task: () => void): Timer;
  /**
   * Runs `task` once all other work of this instant, however many promises it consists of, has been done. Timers that are
   * due at the same instant may come after it.
   */
  whenIdle(task: () => void): void;
  /** Resolves after `delayMs`; rejects with the signal's reason when that aborts first. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** Monotonic milliseconds, finer than `now`. Absent where work takes no time and `now` never goes back. */
  elapsed?(): number;
  /**
   * Yields to the event loop if work has blocked I/O for some milliseconds; returns `undefined` if it has not. Long work
   * that consists of promises alone has to call this regularly, or the process serves no requests. Absent where nothing
   * waits for I/O.
   */
  yieldToEventLoop?(): Promise<void> | undefined;
  /**
   * The clock that measures time outside the process, such as the timeouts of network calls. Absent if it is this clock
   * itself.
   */
  readonly network?: Clock | undefined;
}

/** The clock that limits network calls: another process waits in wall time, however fast this clock runs. */
export function networkClock(clock: Clock): Clock {
  return clock.network ?? clock;
}

/** Monotonic milliseconds, for durations: setting the wall clock must neither stretch nor shorten them. */
export function elapsedMs(clock: Pick<Clock, "now" | "elapsed">): number {
  return clock.elapsed?.() ?? clock.now();
}

/** A task that has not run yet. */
export interface Timer {
  /** Does nothing when the task has run. */
  cancel(): void;
}

/** Implements `sleep` with `after`, for every clock. */
export function sleepWith(clock: Pick<Clock, "after">, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(reasonOf(signal));
      return;
    }
    const onAbort = () => {
      timer.cancel();
      if (signal !== undefined) reject(reasonOf(signal));
    };
    const timer = clock.after(delayMs, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    if (signal === undefined) return;
    expectManyListeners(signal); // many sleeps share one signal
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error("aborted", { cause: signal.reason });
}
