import type { Instant } from "../../../api/time.ts";
import type { Clock, Timer } from "../../../machinery/clock/clock.ts";
import type { Collection, StoreRecord } from "../../store/store.ts";

/** How long an event is kept after it was last written. */
const timeToLiveMs = 3_600_000;
/** Events are expired at most this often. */
const sweepIntervalMs = 60_000;

interface Entry {
  readonly key: string;
  readonly revision: number;
  readonly expiresAt: Instant;
}

/**
 * Removes events an hour after their last write, visibly to watches. There is a timer only while there are events.
 * Returns a function that stops it.
 */
export function expireEvents(events: Collection, clock: Clock): () => void {
  // In order of their last write, so the first expires next.
  const entries: Entry[] = [];
  let timer: Timer | undefined;

  // The time of their last write is not stored: events of an earlier server expire an hour from now.
  for (const record of events.records()) track(record);
  arm();

  const unsubscribe = events.subscribe({ of: "all" }, (changes) => {
    for (const { type, record } of changes) {
      if (type !== "DELETED") track(record);
    }
    arm();
  });

  function track({ key, revision }: StoreRecord): void {
    entries.push({ key, revision, expiresAt: clock.now() + timeToLiveMs });
  }

  function arm(): void {
    const [next] = entries;
    if (timer !== undefined || next === undefined) return;
    timer = clock.after(Math.max(sweepIntervalMs, next.expiresAt - clock.now()), () => {
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
      // An event that was written again has a later entry.
      if (events.get(key)?.revision === revision) events.remove(key);
    }
  }

  return () => {
    unsubscribe();
    timer?.cancel();
  };
}
