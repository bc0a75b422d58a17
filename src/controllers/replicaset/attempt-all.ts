/** So many requests are under way at a time: enough to keep a server busy, too few to drown it. */
const inFlight = 50;

/** Tries something with every item, a number of them at a time, and returns the errors in the order they came. */
export async function attemptAll<T>(
  items: readonly T[],
  attempt: (item: T) => Promise<void>,
): Promise<readonly unknown[]> {
  const errors: unknown[] = [];
  const rest = items.values();
  const work = async () => {
    for (const item of rest) {
      try {
        await attempt(item);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(inFlight, items.length) }, work));
  return errors;
}
