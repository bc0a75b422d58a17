import type { Instant } from "../../../api/time.ts";
import type { Clock, Timer } from "../../../machinery/clock/clock.ts";
import type { Collection, StoreRecord } from "../../store/store.ts";

/** How long an event is kept after it was last written. */
const lifeMs = 3_600_000;
/** Expiry is looked at this often at most: a minute more or less does not matter to anyone. */
const sweepMs = 60_000;

interface Entry {
  readonly key: string;
  readonly revision: number;
  readonly expiresAt: Instant;
}

/**
 * Removes events an hour after their last write; watchers see them go. The clock has a timer only while there are
 * any. The answer ends it.
 */
export function expireEvents(events: Collection, clock: Clock): () => void {
  // Written in order of time, so the first is always the next to go.
  const entries: Entry[] = [];
  let timer: Timer | undefined;

  // How old they are nobody wrote down: what an earlier server left has its hour from now.
  for (const record of events.records()) note(record);
  arm();

  const unsubscribe = events.subscribe({ of: "all" }, (changes) => {
    for (const { type, record } of changes) {
      if (type !== "DELETED") note(record);
    }
    arm();
  });

  function note({ key, revision }: StoreRecord): void {
    entries.push({ key, revision, expiresAt: clock.now() + lifeMs });
  }

  function arm(): void {
    const [next] = entries;
    if (timer !== undefined || next === undefined) return;
    timer = clock.after(Math.max(sweepMs, next.expiresAt - clock.now()), () => {
      timer = undefined;
      sweep();
      arm();
    });
  }

  function sweep(): void {
    const now = clock.now();
    const kept = entries.findIndex(({ expiresAt }) => expiresAt > now);
    const expired = entries.splice(0, kept === -1 ? entries.length : kept);
    for (const { key, revision } of expired) {
      // One that was written again has a younger entry.
      if (events.get(key)?.revision === revision) events.remove(key);
    }
  }

  return () => {
    unsubscribe();
    timer?.cancel();
  };
}
