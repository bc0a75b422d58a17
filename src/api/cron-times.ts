import { Cron } from "croner";
import { messageOf } from "./message-of.ts";
import { type CronSchedule, parseCronSchedule } from "./cron-schedule.ts";
import { formatTime, type Instant } from "./time.ts";

/** The times of a schedule. */
export interface CronTimes {
  /** The first time after an instant; `undefined` when there is none, as on the 31st of February. */
  nextAfter(instant: Instant): Instant | undefined;
  /** The last time up to `now` that is after `since`. */
  latest(since: Instant, now: Instant): Instant | undefined;
}

/** Reads the times of a schedule in a time zone, by default UTC; a text says why there are none. */
export function cronTimes(schedule: string, timeZone = "UTC"): CronTimes | string {
  const parsed = parseCronSchedule(schedule);
  if (typeof parsed === "string") return parsed;
  return parsed.kind === "interval" ? intervalTimes(parsed.intervalMs) : calendarTimes(parsed, timeZone);
}

function intervalTimes(intervalMs: number): CronTimes {
  return {
    nextAfter: (instant) => wholeSecond(instant) + intervalMs,
    latest(since, now) {
      const count = Math.floor((now - wholeSecond(since)) / intervalMs);
      return count < 1 ? undefined : wholeSecond(since) + count * intervalMs;
    },
  };
}

function wholeSecond(instant: Instant): Instant {
  return Math.floor(instant / 1000) * 1000;
}

/**
 * Croner computes calendar times; it has no function to run and starts no timer. It gets lists of values instead of the
 * text: its own syntax differs from that of Kubernetes.
 */
function calendarTimes(
  { fields }: Extract<CronSchedule, { kind: "calendar" }>,
  timeZone: string,
): CronTimes | string {
  if (fields.some((values) => values.length === 0)) return never;
  const pattern = fields.map((values) => (values === "*" ? values : values.join(","))).join(" ");
  try {
    const cron = new Cron(pattern, { timezone: timeZone, mode: "5-part", paused: true });
    cron.nextRun(formatTime(0)); // throws when there is no such time zone
    return {
      nextAfter: (instant) => cron.nextRun(formatTime(instant))?.getTime(),
      latest(since, now) {
        // Runs before the whole second of what it is given.
        const [run] = cron.previousRuns(1, formatTime(now + 1000));
        const latest = run?.getTime();
        return latest === undefined || latest <= since ? undefined : latest;
      },
    };
  } catch (error) {
    return messageOf(error); // how Croner refuses a pattern or a time zone
  }
}

/** A list without a value, such as `,`. */
const never: CronTimes = { nextAfter: () => undefined, latest: () => undefined };

/** Writes an instant in a time zone, as `2026-01-01T09:00:00+01:00`; without one in UTC. */
export function zonedTime(instant: Instant, timeZone: string | undefined): string {
  if (timeZone === undefined) return formatTime(instant);
  const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" }).formatToParts(
    instant,
  );
  const offset = /([+-])(\d\d):(\d\d)/.exec(parts.find(({ type }) => type === "timeZoneName")?.value ?? "");
  if (offset === null) return formatTime(instant);
  const [text, sign, hours, minutes] = offset;
  const shiftMs = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === "-" ? -1 : 1);
  return formatTime(instant + shiftMs).replace("Z", shiftMs === 0 ? "Z" : text);
}
