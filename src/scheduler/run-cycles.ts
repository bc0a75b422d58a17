import type { Clock } from "../machinery/clock/clock.ts";
import { yieldIfDue } from "../machinery/clock/run-in-steps.ts";
import type { Bindings } from "./cycle/bindings.ts";
import type { SchedulingCycle } from "./cycle/scheduling-cycle.ts";
import type { SchedulingQueue } from "./queue/scheduling-queue.ts";

export interface CycleRun {
  readonly queue: SchedulingQueue;
  readonly cycle: SchedulingCycle;
  readonly bindings: Bindings;
  readonly clock: Clock;
  /** Aborts the bindings in progress. */
  readonly abortBindings: AbortSignal;
}

/** Schedules one Pod after the other until the signal aborts (upstream: scheduleOne). */
export async function runCycles(
  { queue, cycle, bindings, clock, abortBindings }: CycleRun,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    // The binding of the last Pod begins before the next one is chosen; the attempt itself awaits nothing.
    await Promise.resolve();
    // The queue of a scheduler that was stopped meanwhile has no Pod to wait for.
    if (signal.aborted) return;
    const entry = queue.pop();
    if (entry === undefined) {
      await queue.available();
      continue;
    }
    const pause = cycle.attempt(entry, abortBindings);
    if (pause !== undefined) await pause;
    await bindings.slotAvailable();
    await yieldIfDue(clock);
  }
}
