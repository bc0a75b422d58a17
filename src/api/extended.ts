const nothing = {};

/**
 * Returns `{ ...known, ...more }`, for members that `known` lacks. V8 gives every object that is created by a spread and
 * then extended a hidden class of its own, which takes a microsecond and slows down all readers. If the first spread is
 * empty, objects with the same members share one hidden class. See docs/measurements/performance.md.
 */
export function extended<Known extends object, More extends object>(
  known: Known | undefined,
  more: More,
): Omit<Known, keyof More> & More {
  return { ...nothing, ...known, ...more } as Omit<Known, keyof More> & More;
}
