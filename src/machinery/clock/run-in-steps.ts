import type { Clock } from "./clock.ts";

/** Yields to the event loop if that is due; long work calls this so that it does not block I/O. */
export async function yieldIfDue(clock: Clock): Promise<void> {
  const turn = clock.yieldToEventLoop?.();
  if (turn !== undefined) await turn;
}

/** Runs a computation and yields to the event loop at its pauses if that is due. */
export async function runInSteps<T>(steps: Generator<void, T, void>, clock: Clock): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const turn = clock.yieldToEventLoop?.();
    if (turn !== undefined) await turn;
  }
}

/** Variant that returns the result synchronously if no pause was due. */
export function runNowOrInSteps(steps: Generator<void, void, void>, clock: Clock): Promise<void> | undefined {
  while (steps.next().done !== true) {
    const turn = clock.yieldToEventLoop?.();
    if (turn !== undefined) return turn.then(() => runInSteps(steps, clock));
  }
  return undefined;
}
