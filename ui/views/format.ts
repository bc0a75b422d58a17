import { formatTime, type Instant } from "../../src/api/time.ts";

const timeFormat = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});

/** The time of day of a moment, where the reader is. */
export function clockTime(moment: Instant): string {
  return timeFormat.format(moment);
}

/** A moment in full, as the API writes it. */
export function fullTime(moment: Instant): string {
  return formatTime(moment);
}

/** A span as kubectl writes ages: `45s`, `3m20s`, `5h`, `2d`. */
export function age(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return seconds % 60 === 0 ? `${minutes}m` : `${minutes}m${seconds % 60}s`;
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
