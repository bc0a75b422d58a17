import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type PairComparison, rankByComparison } from "./rank-by-comparison.cases.ts";

const rising = (a: number, b: number): number => a - b;

/** A comparison by a list of pairs, in each of which the first goes before the second; all other pairs tie. */
function comparisonOf(...pairs: readonly string[]): PairComparison {
  const name = (index: number): string => "abcdef"[index] ?? "";
  return (one, other) => {
    if (pairs.includes(name(one) + name(other))) return -1;
    return pairs.includes(name(other) + name(one)) ? 1 : 0;
  };
}

describe("rankByPoints", () => {
  test.for([
    { name: "follows an order", compare: comparisonOf("ba", "bc", "ac"), want: [[1], [0], [2]] },
    { name: "keeps a cycle together", compare: comparisonOf("ab", "bc", "ca"), want: [[0, 1, 2]] },
    { name: "keeps those who tie together", compare: comparisonOf("ab", "ac"), want: [[0], [1, 2]] },
    { name: "closes a cycle through a tie", compare: comparisonOf("ab", "bc"), want: [[0, 1, 2]] },
  ])("$name", ({ compare, want }) => {
    expect(rankByComparison([0, 1, 2], compare).map((group) => group.toSorted(rising))).toEqual(want);
  });

  test("has no groups without items", () => {
    expect(rankByComparison([], () => 0)).toEqual([]);
  });

  const anyComparison = fc.integer({ min: 1, max: 6 }).chain((size) =>
    fc.array(fc.constantFrom(-1, 0, 1), { minLength: size * size, maxLength: size * size }).map((table) => ({
      items: Array.from({ length: size }, (_, index) => index),
      compare: (one: number, other: number): number =>
        one < other ? (table[one * size + other] ?? 0) : -(table[other * size + one] ?? 0),
    })),
  );

  test("puts everyone in a group before everyone in later groups", () => {
    fc.assert(
      fc.property(anyComparison, ({ items, compare }) => {
        const groups = rankByComparison(items, compare);
        expect(groups.flat().toSorted(rising)).toEqual(items);
        for (const [place, group] of groups.entries()) {
          for (const later of groups.slice(place + 1).flat()) {
            for (const member of group) expect(compare(member, later)).toBe(-1);
          }
        }
      }),
    );
  });

  test("groups only those who can be reached from each other by not losing", () => {
    fc.assert(
      fc.property(anyComparison, ({ items, compare }) => {
        const reaches = (from: number, to: number, seen = new Set([from])): boolean =>
          from === to ||
          items.some((next) => {
            if (seen.has(next) || compare(from, next) > 0) return false;
            return reaches(next, to, seen.add(next));
          });
        for (const group of rankByComparison(items, compare)) {
          for (const one of group) for (const other of group) expect(reaches(one, other)).toBe(true);
        }
      }),
    );
  });
});
