import { expect, test } from "vitest";
import { cronScheduleProblem } from "./cron-schedule.ts";

test.for([
  "* * * * *",
  "*/5 * * * *",
  "0 9-17/2 1,15 jan-MAR mon-fri",
  "3/10 ? * * ?",
  "@daily",
  "@every 1h30m",
  " 0  0 * * 0 ",
])("%s is a schedule", (schedule) => {
  expect(cronScheduleProblem(schedule)).toBeUndefined();
});

test.for([
  { schedule: "bogus", want: "expected exactly 5 fields, found 1: [bogus]" },
  { schedule: "* * * * * *", want: "expected exactly 5 fields, found 6: [* * * * * *]" },
  { schedule: "60 * * * *", want: "end of range (60) above maximum (59): 60" },
  { schedule: "* * 0 * *", want: "beginning of range (0) below minimum (1): 0" },
  { schedule: "* * * * 7", want: "end of range (7) above maximum (6): 7" },
  { schedule: "30-10 * * * *", want: "beginning of range (30) beyond end of range (10): 30-10" },
  { schedule: "*/0 * * * *", want: "step of range should be a positive number: */0" },
  { schedule: "1-2-3 * * * *", want: "too many hyphens: 1-2-3" },
  { schedule: "1/2/3 * * * *", want: "too many slashes: 1/2/3" },
  {
    schedule: "x * * * *",
    want: 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax',
  },
  { schedule: "@noon", want: "unrecognized descriptor: @noon" },
  {
    schedule: "@every day",
    want: 'failed to parse duration @every day: time: invalid duration "day"',
  },
])("$schedule is none", ({ schedule, want }) => {
  expect(cronScheduleProblem(schedule)).toBe(want);
});
