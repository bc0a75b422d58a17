import type { Event } from "../../src/api/generated/core-v1.ts";
import { parseTime } from "../../src/api/time.ts";

/** An Event as one line. */
export interface EventLine {
  readonly uid: string;
  /** When it last happened; empty where it does not say. */
  readonly time: string;
  readonly reason: string;
  readonly message: string;
  readonly isWarning: boolean;
  /** How often it happened. */
  readonly count: number;
}

/** When an Event last happened, in whichever member it says so. */
export function eventTime({ series, eventTime: at, lastTimestamp, firstTimestamp, metadata }: Event): string {
  const times = [series?.lastObservedTime, lastTimestamp, at, firstTimestamp, metadata.creationTimestamp];
  return times.find((each) => (each ?? "") !== "") ?? "";
}

/** Events as lines, the newest first. */
export function eventLines(events: readonly Event[]): readonly EventLine[] {
  return events
    .map((event) => ({
      uid: event.metadata.uid,
      time: eventTime(event),
      reason: event.reason ?? "",
      message: event.message ?? "",
      isWarning: event.type === "Warning",
      count: event.series?.count ?? event.count ?? 1,
    }))
    .toSorted((a, b) => (parseTime(b.time) ?? 0) - (parseTime(a.time) ?? 0));
}
