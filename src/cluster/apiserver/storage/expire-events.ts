import type { Event as CoreEvent } from "../../../api/generated/core-v1.ts";
import { type Instant, parseTime } from "../../../api/time.ts";
import type { Timer } from "../../../machinery/clock/clock.ts";
import type { StoredJson, StoreRecord } from "../../store/store.ts";
import { collectionOf, type ServerContext } from "../server-context.ts";
import { commitRemove } from "./commit.ts";

/** How long an event is kept after it was last written. */
const timeToLiveMs = 3_600_000;
/** How often expired events are removed at most. */
const sweepIntervalMs = 60_000;

/** The events of how many writes are kept, and how many writes are forgotten at once when there are more. */
export interface EventLimits {
  readonly mostWrites: number;
  readonly step: number;
}

/** 100,000 Pods that start are 400,000 events of a kilobyte each; those of the last 12,500 Pods are enough to read. */
const defaultLimits: EventLimits = { mostWrites: 50_000, step: 500 };

const eventResource = { collection: "events" };

interface Entry {
  readonly key: string;
  readonly revision: number;
  readonly expiresAt: Instant;
}

/**
 * Removes events an hour after their last write, and before if many others were written since, visibly to
 * watches. There is a timer only while there are events. Returns a function that stops it.
 */
export function expireEvents(
  { store, clock }: Pick<ServerContext, "store" | "clock">,
  limits: EventLimits = defaultLimits,
): () => void {
  const events = collectionOf({ store }, eventResource);
  // In order of their last write, so the first expires next.
  const entries: Entry[] = [];
  let timer: Timer | undefined;

  // Events of an earlier server are dated by the times in them, which another program may have written.
  for (const record of events.records()) track(record, Math.min(lastTimeIn(record.object), clock.now()));
  entries.sort((a, b) => a.expiresAt - b.expiresAt);
  arm();

  const unsubscribe = events.subscribe({ of: "all" }, (changes) => {
    for (const { type, record } of changes) {
      if (type !== "DELETED") track(record);
    }
    if (entries.length > limits.mostWrites) removeFirst(limits.step);
    arm();
  });

  function track({ key, revision }: StoreRecord, writtenAt = clock.now()): void {
    entries.push({ key, revision, expiresAt: writtenAt + timeToLiveMs });
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
    removeFirst(kept === -1 ? entries.length : kept);
  }

  function removeFirst(count: number): void {
    // A store that cannot persist writes keeps its events until it can.
    if (store.writeFailure() !== undefined) return;
    for (const { key, revision } of entries.splice(0, count)) {
      // An event that was written again has a later entry.
      const record = events.get(key);
      if (record?.revision === revision)
        commitRemove({ store }, { resource: eventResource, object: record.object, dryRun: false });
    }
  }

  return () => {
    unsubscribe();
    timer?.cancel();
  };
}

/** Returns the last time that an event names, which is about when it was written. */
function lastTimeIn(object: StoredJson): Instant {
  const { metadata, eventTime, lastTimestamp, series } = object as unknown as CoreEvent;
  const times = [metadata.creationTimestamp, eventTime, lastTimestamp, series?.lastObservedTime];
  return Math.max(0, ...times.map((text) => parseTime(text ?? undefined) ?? 0));
}
