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

/** The same at once, if no pause is due: then nothing else has run in between, and there is nothing to wait for. */
export function runNowOrInSteps(steps: Generator<void, void, void>, clock: Clock): Promise<void> | undefined {
  while (steps.next().done !== true) {
    const turn = clock.yieldToEventLoop?.();
    if (turn !== undefined) return turn.then(() => runInSteps(steps, clock));
  }
  return undefined;
}
