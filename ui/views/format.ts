import type { Instant } from "../../src/api/time.ts";

const timeFormat = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
  timeZone: "UTC",
});

/** The time of day of a moment of the cluster's clock, in UTC as all times of objects and records. */
export function clockTime(moment: Instant): string {
  return timeFormat.format(moment);
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
