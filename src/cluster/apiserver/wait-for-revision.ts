import { revisionTooLarge } from "./failures.ts";
import type { ServerContext } from "./server-context.ts";

const patienceMs = 3000;
const lookEveryMs = 100;

/** Waits until the store has come to a revision; throws 504 when it does not in time. */
export async function waitForRevision(
  { clock, store }: ServerContext,
  revision: number,
  signal?: AbortSignal,
): Promise<void> {
  const deadline = clock.now() + patienceMs;
  while (store.revision() < revision) {
    if (clock.now() >= deadline) throw revisionTooLarge(revision, store.revision());
    await clock.sleep(lookEveryMs, signal);
  }
}
