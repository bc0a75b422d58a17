import type { Clock } from "../../../../machinery/clock/clock.ts";

/**
 * Resolves when the requests that arrived together have been handled; at once where nothing waits for I/O. Their
 * responses are then written one after another, so that a client that is woken by the first finds the others too, and
 * the server need not stop after each.
 */
export function otherRequestsHandled(clock: Clock): Promise<void> | undefined {
  if (clock.yieldToEventLoop === undefined) return undefined;
  return new Promise((resolve) => clock.whenIdle(resolve));
}
