/** At most so many requests at a time: enough to keep an API server busy, too few to overload it. */
const maxInFlight = 50;

/** Calls `attempt` with every item, some at a time, and returns the errors in the order they occurred. */
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
  await Promise.all(Array.from({ length: Math.min(maxInFlight, items.length) }, work));
  return errors;
}
