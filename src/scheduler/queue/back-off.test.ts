import { expect, test } from "vitest";
import { backOffEnd, backOffExpiry, backOffMs, isBackingOff } from "./back-off.ts";

const rules = { initialMs: 1000, maxMs: 10_000 };
const failures = (unschedulableCount: number, consecutiveErrors = 0, enqueuedAt = 0) => ({
  unschedulableCount,
  consecutiveErrors,
  enqueuedAt,
});

test("time off doubles with every refusal, up to the longest", () => {
  const durations = [0, 1, 2, 3, 4, 5, 6, 1000].map((count) => backOffMs(failures(count), rules));
  expect(durations).toEqual([0, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000]);
});

test("errors in a row count alone while there are any", () => {
  expect(backOffMs(failures(5, 1), rules)).toBe(1000);
});

test("a longest time of 0 means no time off", () => {
  expect(isBackingOff(failures(3), { initialMs: 1000, maxMs: 0 }, 0)).toBe(false);
});

test.for([
  { name: "in the middle of a second", since: 500, expiry: 1000, last: 1999 },
  { name: "at the beginning of one", since: 1000, expiry: 2000, last: 2999 },
])("time off that begins $name ends with the second in which it expires", ({ since, expiry, last }) => {
  const failed = failures(1, 0, since);
  expect(backOffExpiry(failed, rules)).toBe(expiry);
  expect(isBackingOff(failed, rules, last)).toBe(true);
  expect(isBackingOff(failed, rules, last + 1)).toBe(false);
  expect(backOffEnd(expiry)).toBe(last + 1);
});
