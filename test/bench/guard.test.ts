import { expect, test } from "vitest";
import { countsOf, guardDifferences, memoryDifferences, readGuardTable } from "../../bench/guard.ts";
import { guardCounts } from "../../bench/guard-counts.ts";

test("a Deployment costs as many writes and bytes as the committed table says (npm run bench -- guard --update)", async () => {
  const known = countsOf(readGuardTable(), /^200 Pods/);
  expect(guardDifferences(await guardCounts(), known)).toEqual([]);
});

test("a count that grew, shrank, came or went is a sentence", () => {
  const known = { same: 1, grown: 2, gone: 3 };
  expect(guardDifferences({ same: 1, grown: 4, new: 5 }, known)).toEqual([
    "grown: 4, in bench/guard.json 2",
    "gone: 0, in bench/guard.json 3",
    "new: 5, in bench/guard.json 0",
  ]);
});

test("a count of memory is a sentence when it differs by more than two hundredths", () => {
  const known = { same: 100, near: 100, more: 100, less: 100 };
  expect(memoryDifferences({ same: 100, near: 101.9, more: 102.1, less: 97.9 }, known)).toEqual([
    "more: 102.1, in bench/guard-memory.json 100",
    "less: 97.9, in bench/guard-memory.json 100",
  ]);
});
