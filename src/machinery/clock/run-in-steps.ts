import type { Clock } from "./clock.ts";

/** Lets the event loop do I/O if that is due: for work that would keep it busy otherwise. */
export async function yieldIfDue(clock: Clock): Promise<void> {
  const turn = clock.yieldToEventLoop?.();
  if (turn !== undefined) await turn;
}

/** Runs a computation; in its pauses the event loop does I/O if that is due. */
export async function runInSteps<T>(steps: Generator<void, T, void>, clock: Clock): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const turn = clock.yieldToEventLoop?.();
    if (turn !== undefined) await turn;
  }
}
