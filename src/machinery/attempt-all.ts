import type { Clock } from "./clock/clock.ts";
import { yieldIfDue } from "./clock/run-in-steps.ts";

/** Calls `attempt` for all items concurrently, as upstream does, and returns the errors in the order they occurred. */
export async function attemptAll<T>(
  items: readonly T[],
  attempt: (item: T) => Promise<void>,
  clock: Clock,
): Promise<readonly unknown[]> {
  const errors: unknown[] = [];
  const attempts: Promise<void>[] = [];
  for (const item of items) {
    await yieldIfDue(clock); // starting hundreds of requests takes time
    attempts.push(attempt(item).catch((error: unknown) => void errors.push(error)));
  }
  await Promise.all(attempts);
  return errors;
}
