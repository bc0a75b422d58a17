import { expect, test } from "vitest";
import { parseDeletionCost } from "./deletion-cost.ts";

test.for([
  ["0", 0],
  ["10", 10],
  ["-1", -1],
  ["-0", 0],
  ["-05", -5],
  ["-2147483648", -2147483648],
  ["2147483647", 2147483647],
] as const)("a deletion cost of %s is read as %d", ([text, want]) => {
  expect(parseDeletionCost(text)).toBe(want);
});

test.for([
  "",
  "+10",
  "008",
  "00",
  "1.5",
  "1e3",
  " 5",
  "5 ",
  "1_000",
  "--1",
  "-",
  "abc",
  "2147483648",
  "-2147483649",
])("%j is no deletion cost", (text) => {
  expect(parseDeletionCost(text)).toBeUndefined();
});
