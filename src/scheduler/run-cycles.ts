import type { Clock } from "../machinery/clock/clock.ts";
import type { Bindings } from "./cycle/bindings.ts";
import type { SchedulingCycle } from "./cycle/scheduling-cycle.ts";
import type { SchedulingQueue } from "./queue/scheduling-queue.ts";

export interface CycleRun {
  readonly queue: SchedulingQueue;
  readonly cycle: SchedulingCycle;
  readonly bindings: Bindings;
  readonly clock: Clock;
}

// How long the scheduler keeps the event loop before requests and watches get a turn.
const maxTurnMs = 10;

/** Schedules one Pod after the other until the signal aborts (upstream: scheduleOne). */
export async function runCycles(
  { queue, cycle, bindings, clock }: CycleRun,
  signal: AbortSignal,
): Promise<void> {
  let turnStartedAt = clock.now();
  while (!signal.aborted) {
    const entry = queue.pop();
    if (entry === undefined) {
      await queue.available();
      turnStartedAt = clock.now();
      continue;
    }
    cycle.attempt(entry, signal);
    await bindings.slotAvailable();
    if (clock.now() - turnStartedAt < maxTurnMs) continue;
    await clock.sleep(0);
    turnStartedAt = clock.now();
  }
}
