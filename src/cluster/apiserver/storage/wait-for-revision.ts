import type { ServerContext } from "../server-context.ts";
import { tooLargeResourceVersion } from "../status-errors.ts";

const waitTimeoutMs = 3000;
const pollIntervalMs = 100;

/** Waits until the store has come to a revision; throws 504 when it does not in time. */
export async function waitForRevision(
  { clock, store }: ServerContext,
  revision: number,
  signal?: AbortSignal,
): Promise<void> {
  const deadline = clock.now() + waitTimeoutMs;
  while (store.revision() < revision) {
    if (clock.now() >= deadline) throw tooLargeResourceVersion(revision, store.revision());
    await clock.sleep(pollIntervalMs, signal);
  }
}
