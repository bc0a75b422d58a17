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

// Long enough to get something done, short enough for requests and watches not to notice.
const longestTurnMs = 10;

/** Tries one Pod after the other until the signal aborts. */
export async function runCycles(
  { queue, cycle, bindings, clock }: CycleRun,
  signal: AbortSignal,
): Promise<void> {
  let turnBegan = clock.now();
  while (!signal.aborted) {
    const entry = queue.pop();
    if (entry === undefined) {
      await queue.available();
      turnBegan = clock.now();
      continue;
    }
    cycle.attempt(entry, signal);
    await bindings.slotAvailable();
    if (clock.now() - turnBegan < longestTurnMs) continue;
    await clock.sleep(0);
    turnBegan = clock.now();
  }
}
