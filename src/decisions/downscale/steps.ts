/**
 * A computation over many Pods that pauses after every few thousand of them: at a `yield` the caller may do other work.
 * It stays a function of its input, whatever happens in the pauses.
 */
export type Steps<T> = Generator<void, T, void>;

/** After so many Pods a computation pauses: about a millisecond. */
export const podsPerStep = 2000;

/** Computes without a pause. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
