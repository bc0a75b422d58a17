import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Pair, pairedDifference, distributionOf } from "./distribution.ts";

test.for([
  { numbers: [7], median: 7, p10: 7, p90: 7, min: 7, max: 7 },
  { numbers: [3, 1], median: 2, p10: 1.2, p90: 2.8, min: 1, max: 3 },
  { numbers: [10, 0, 5], median: 5, p10: 1, p90: 9, min: 0, max: 10 },
  { numbers: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], median: 5, p10: 1, p90: 9, min: 0, max: 10 },
  { numbers: [-2, 100, -2, -2], median: -2, p10: -2, p90: 69.4, min: -2, max: 100 },
])("the spread of $numbers has the median $median", ({ numbers, ...expected }) => {
  expect(distributionOf(numbers)).toEqual({ count: numbers.length, ...expected });
});

test("no numbers have no spread", () => {
  expect(distributionOf([])).toBeUndefined();
  expect(pairedDifference([[1, undefined]])).toBeUndefined();
});

const pairedCases: readonly { name: string; pairs: readonly Pair[]; expected: object }[] = [
  {
    name: "seeds that differ more than the scenarios do not hide a difference that all of them have",
    pairs: [
      [10, 9],
      [200, 199],
      [3000, 2999],
    ],
    expected: { count: 3, median: -1, p10: -1, p90: -1, lower: 3, equal: 0, higher: 0 },
  },
  {
    name: "a pair without both numbers is left out",
    pairs: [
      [1, 2],
      [undefined, 100],
      [100, undefined],
      [5, 5],
    ],
    expected: { count: 2, median: 0.5, lower: 0, equal: 1, higher: 1 },
  },
  {
    name: "digits that come from adding fractions are no difference",
    pairs: [[0.3, 0.1 + 0.2]],
    expected: { count: 1, median: 0, equal: 1 },
  },
];

test.for(pairedCases)("$name", ({ pairs, expected }) => {
  expect(pairedDifference(pairs)).toMatchObject(expected);
});

test("the numbers of a spread are in order, and the order of the numbers does not matter", () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 1 }), (numbers) => {
      const spread = distributionOf(numbers);
      expect(distributionOf(numbers.toReversed())).toEqual(spread);
      const { min = 0, p10 = 0, median = 0, p90 = 0, max = 0 } = spread ?? {};
      const inOrder = [min, p10, median, p90, max];
      expect(inOrder.toSorted((a, b) => a - b)).toEqual(inOrder);
    }),
  );
});
