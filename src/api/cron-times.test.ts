import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cronTimes, zonedTime } from "./cron-times.ts";
import { formatTime, parseTime } from "./time.ts";

const instant = (text: string) => parseTime(text) ?? 0;

function timesOf(schedule: string, timeZone?: string) {
  const times = cronTimes(schedule, timeZone);
  if (typeof times === "string") throw new Error(times);
  return times;
}

const nextOf = (schedule: string, after: string, timeZone?: string) => {
  const next = timesOf(schedule, timeZone).nextAfter(instant(after));
  return next === undefined ? undefined : formatTime(next);
};

test.for([
  { schedule: "*/5 * * * *", after: "2026-01-01T00:00:00Z", want: "2026-01-01T00:05:00Z" },
  { schedule: "*/5 * * * *", after: "2026-01-01T00:04:59.999Z", want: "2026-01-01T00:05:00Z" },
  { schedule: "3/20 ? * * ?", after: "2026-01-01T00:03:00Z", want: "2026-01-01T00:23:00Z" },
  { schedule: "@hourly", after: "2026-01-01T00:30:00Z", want: "2026-01-01T01:00:00Z" },
  { schedule: "@midnight", after: "2026-01-01T00:30:00Z", want: "2026-01-02T00:00:00Z" },
  { schedule: "@weekly", after: "2026-01-01T00:30:00Z", want: "2026-01-04T00:00:00Z" },
  { schedule: "@yearly", after: "2026-01-01T00:30:00Z", want: "2027-01-01T00:00:00Z" },
  { schedule: "@every 90s", after: "2026-01-01T00:00:30Z", want: "2026-01-01T00:02:00Z" },
  { schedule: "0 0 29 feb *", after: "2026-01-01T00:00:00Z", want: "2028-02-29T00:00:00Z" },
  { schedule: "0 0 31 2 *", after: "2026-01-01T00:00:00Z", want: undefined },
  { schedule: "0 0 , * *", after: "2026-01-01T00:00:00Z", want: undefined },
  // A day is due if one of two restricted fields has it, and if the restricted one has it where the other is `*`.
  { schedule: "0 0 13 * fri", after: "2026-01-01T00:00:00Z", want: "2026-01-02T00:00:00Z" },
  { schedule: "0 0 * * mon", after: "2026-01-01T00:00:00Z", want: "2026-01-05T00:00:00Z" },
  { schedule: "0 0 13 * *", after: "2026-01-01T00:00:00Z", want: "2026-01-13T00:00:00Z" },
])("$schedule is next due after $after at $want", ({ schedule, after, want }) => {
  expect(nextOf(schedule, after)).toBe(want);
});

test("a schedule is that of its time zone, in summer and in winter", () => {
  expect(nextOf("0 9 * * *", "2026-01-01T12:00:00Z", "Europe/Paris")).toBe("2026-01-02T08:00:00Z");
  expect(nextOf("0 9 * * *", "2026-07-01T12:00:00Z", "Europe/Paris")).toBe("2026-07-02T07:00:00Z");
});

test("what is no schedule and what is no time zone have no times", () => {
  expect(cronTimes("bogus")).toBe("expected exactly 5 fields, found 1: [bogus]");
  expect(typeof cronTimes("@daily", "Mars/Olympus")).toBe("string");
});

const schedule = fc.constantFrom(
  "* * * * *",
  "*/7 * * * *",
  "0 */3 * * *",
  "15 4 1 * 3",
  "@daily",
  "30 2 * * *",
);
const zone = fc.constantFrom(
  "UTC",
  "Europe/Paris",
  "America/New_York",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
);
const anyTime = fc.integer({ min: instant("2025-01-01T00:00:00Z"), max: instant("2027-01-01T00:00:00Z") });

test("the latest time is a time of the schedule, and none is between it and now", () => {
  fc.assert(
    fc.property(schedule, zone, anyTime, (text, timeZone, now) => {
      const times = timesOf(text, timeZone);
      const latest = times.latest(0, now);
      if (latest === undefined) throw new Error("there is one every month");
      expect(latest).toBeLessThanOrEqual(now);
      expect(times.nextAfter(latest) ?? 0).toBeGreaterThan(now);
      expect(times.latest(latest, now)).toBeUndefined();
    }),
    { numRuns: 60 },
  );
});

test("the latest time of an interval counts from where it began", () => {
  const times = timesOf("@every 1h");
  const since = instant("2026-01-01T00:10:00Z");
  expect(times.latest(since, instant("2026-01-01T01:09:59Z"))).toBeUndefined();
  expect(times.latest(since, instant("2026-01-01T05:00:00Z"))).toBe(instant("2026-01-01T04:10:00Z"));
});

test("a time is written with the offset of its zone", () => {
  const at = instant("2026-01-01T08:00:00Z");
  expect(zonedTime(at, undefined)).toBe("2026-01-01T08:00:00Z");
  expect(zonedTime(at, "UTC")).toBe("2026-01-01T08:00:00Z");
  expect(zonedTime(at, "Europe/Paris")).toBe("2026-01-01T09:00:00+01:00");
  expect(zonedTime(at, "America/St_Johns")).toBe("2026-01-01T04:30:00-03:30");
});
