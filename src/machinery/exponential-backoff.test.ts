import { expect, test } from "vitest";
import { exponentialBackoffMs } from "./exponential-backoff.ts";

test.for([
  { failures: 0, want: 100 },
  { failures: 1, want: 200 },
  { failures: 3, want: 800 },
  { failures: 4, want: 1000 },
  { failures: 5000, want: 1000 },
])("after $failures earlier failures the delay is $want ms", ({ failures, want }) => {
  expect(exponentialBackoffMs({ initialMs: 100, maxMs: 1000 }, failures)).toBe(want);
});

test("a maximum of zero means no delay", () => {
  expect(exponentialBackoffMs({ initialMs: 100, maxMs: 0 }, 3)).toBe(0);
});
