/**
 * A computation over many Pods that pauses after every few hundred of them: at a `yield` the caller may do other work.
 * It stays a function of its input, whatever happens in the pauses.
 */
export type Steps<T> = Generator<void, T, void>;

/**
 * A computation pauses after this many Pods. They take some ten microseconds, but while V8 marks garbage, every 64 KB of
 * allocation add a marking step of a few milliseconds. A pause has to come before many such steps.
 */
export const podsPerStep = 256;

/** Computes without a pause. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
