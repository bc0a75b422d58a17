import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  completionIndexesProblem,
  countCommonIndexes,
  countIndexes,
  firstCommonIndex,
  firstMissingIndexes,
  formatCompletionIndexes,
  hasIndex,
  parseCompletionIndexes,
  withIndexes,
} from "./completion-indexes.ts";

test.for([
  { text: "", want: "" },
  { text: "3", want: "3" },
  { text: "1,2", want: "1,2" },
  { text: "1-3,4", want: "1-4" },
  { text: "5,1,oops,2-1", want: "1,5" },
  { text: "0-2000000000", want: "" },
  { text: "8-20", want: "8,9" },
])("reads $text below ten as $want", ({ text, want }) => {
  expect(formatCompletionIndexes(parseCompletionIndexes(text, 10))).toBe(want);
});

test.for([
  { text: "", want: undefined },
  { text: "0,2-4,9", want: undefined },
  {
    text: "1-2-3",
    want: "the fragment \"1-2-3\" violates the requirement that an index interval can have at most two parts separated by '-'",
  },
  { text: "x", want: 'cannot convert string to integer for index: "x"' },
  { text: "10", want: 'too large index: "10"' },
  { text: "3-2", want: "non-increasing order, previous: 3, current: 2" },
  { text: "3,3", want: "non-increasing order, previous: 3, current: 3" },
])("says what is wrong with $text", ({ text, want }) => {
  expect(completionIndexesProblem(text, 10)).toBe(want);
});

const indexes = fc.uniqueArray(fc.nat(30), { maxLength: 20 });

test("a set of indexes survives being written, and counts what it has", () => {
  fc.assert(
    fc.property(indexes, indexes, (some, others) => {
      const set = withIndexes([], some);
      const text = formatCompletionIndexes(set);
      expect(parseCompletionIndexes(text, 31)).toEqual(set);
      expect(completionIndexesProblem(text, 31)).toBeUndefined();
      expect(countIndexes(set)).toBe(some.length);
      expect(some.every((index) => hasIndex(set, index))).toBe(true);
      const common = some.filter((index) => others.includes(index));
      expect(countCommonIndexes(set, withIndexes([], others))).toBe(common.length);
      expect(firstCommonIndex(set, withIndexes([], others))).toBe(common.toSorted((a, b) => a - b)[0]);
    }),
  );
});

test("no index beyond the completions is missing, even if some of those are taken", () => {
  expect(firstMissingIndexes(withIndexes([], [0, 1, 9]), 3, 4)).toEqual([2, 3]);
});

test("missing indexes are the lowest that are not there", () => {
  fc.assert(
    fc.property(indexes, fc.nat(10), (some, count) => {
      const all = Array.from({ length: 25 }, (_, index) => index).filter((index) => !some.includes(index));
      expect(firstMissingIndexes(withIndexes([], some), count, 25)).toEqual(all.slice(0, count));
    }),
  );
});
