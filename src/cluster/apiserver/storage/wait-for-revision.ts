import { networkClock } from "../../../machinery/clock/clock.ts";
import type { ServerContext } from "../server-context.ts";
import { tooLargeResourceVersion } from "../status-errors.ts";

const waitTimeoutMs = 3000;
const pollIntervalMs = 100;

/** Waits until the store has reached a revision; throws 504 after the timeout. */
export async function waitForRevision(
  context: ServerContext,
  revision: number,
  signal?: AbortSignal,
): Promise<void> {
  const { store } = context;
  const clock = networkClock(context.clock); // the client waits
  const deadline = clock.now() + waitTimeoutMs;
  while (store.revision() < revision) {
    if (clock.now() >= deadline) throw tooLargeResourceVersion(revision, store.revision());
    await clock.sleep(pollIntervalMs, signal);
  }
}
