/**
 * A computation over many Pods that pauses after every few hundred of them: at a `yield` the caller may do other work.
 * It stays a function of its input, whatever happens in the pauses.
 */
export type Steps<T> = Generator<void, T, void>;

/**
 * After so many Pods a computation pauses. That is some ten microseconds of work, but while V8 collects garbage it adds a
 * step of that, of a few milliseconds, to every 64 KB that are allocated: a pause has to come before there are many.
 */
export const podsPerStep = 256;

/** Computes without a pause. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
