import type { Clock } from "../../src/machinery/clock/clock.ts";

/** A clock for work over real sockets: waiting takes no time, and time is up when the test says so. */
export interface InstantClock extends Clock {
  /** How long all sleeps were, together. */
  waited(): number;
  /** All that has a time limit meets it now. */
  expire(): void;
}

const start = 1_767_225_600_000;

/** Starts at a fixed instant. */
export function instantClock(): InstantClock {
  let now = start;
  const tasks = new Set<() => void>();
  return {
    now: () => now,
    after(_, task) {
      tasks.add(task);
      return { cancel: () => void tasks.delete(task) };
    },
    whenIdle: (task) => void Promise.resolve().then(task),
    sleep(delayMs) {
      now += delayMs;
      return Promise.resolve();
    },
    waited: () => now - start,
    expire() {
      for (const task of tasks) {
        tasks.delete(task);
        task();
      }
    },
  };
}
