import { expect, test } from "vitest";
import { backoffMs } from "./call-picker.ts";

const random = (value: number) => ({ next: () => value, fork: () => random(value) });

test.for([
  { failures: 1, least: 25, most: 75 },
  { failures: 2, least: 50, most: 150 },
  { failures: 3, least: 100, most: 300 },
  { failures: 4, least: 200, most: 500 },
  { failures: 5, least: 250, most: 500 },
  { failures: 10, least: 250, most: 500 },
])("after $failures failures the next attempt waits $least to $most ms", ({ failures, least, most }) => {
  expect(backoffMs(failures, random(0))).toBe(least);
  expect(backoffMs(failures, random(0.999_999_999))).toBeCloseTo(most, 3);
});
