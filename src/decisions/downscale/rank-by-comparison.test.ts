import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Comparison, rankByComparison } from "./rank-by-comparison.ts";

const rising = (a: number, b: number): number => a - b;

/** A contest by a list of pairs, in each of which the first goes before the second; all other pairs tie. */
function contestOf(...pairs: readonly string[]): Comparison {
  const name = (index: number): string => "abcdef"[index] ?? "";
  return (one, other) => {
    if (pairs.includes(name(one) + name(other))) return -1;
    return pairs.includes(name(other) + name(one)) ? 1 : 0;
  };
}

describe("rankByContest", () => {
  test.for([
    { name: "follows an order", contest: contestOf("ba", "bc", "ac"), want: [[1], [0], [2]] },
    { name: "keeps a cycle together", contest: contestOf("ab", "bc", "ca"), want: [[0, 1, 2]] },
    { name: "keeps those who tie together", contest: contestOf("ab", "ac"), want: [[0], [1, 2]] },
    { name: "closes a cycle through a tie", contest: contestOf("ab", "bc"), want: [[0, 1, 2]] },
  ])("$name", ({ contest, want }) => {
    expect(rankByComparison([0, 1, 2], contest).map((group) => group.toSorted(rising))).toEqual(want);
  });

  test("has no groups without contestants", () => {
    expect(rankByComparison([], () => 0)).toEqual([]);
  });

  const anyContest = fc.integer({ min: 1, max: 6 }).chain((size) =>
    fc.array(fc.constantFrom(-1, 0, 1), { minLength: size * size, maxLength: size * size }).map((table) => ({
      contestants: Array.from({ length: size }, (_, index) => index),
      contest: (one: number, other: number): number =>
        one < other ? (table[one * size + other] ?? 0) : -(table[other * size + one] ?? 0),
    })),
  );

  test("puts everyone in a group before everyone in later groups", () => {
    fc.assert(
      fc.property(anyContest, ({ contestants, contest }) => {
        const groups = rankByComparison(contestants, contest);
        expect(groups.flat().toSorted(rising)).toEqual(contestants);
        for (const [place, group] of groups.entries()) {
          for (const later of groups.slice(place + 1).flat()) {
            for (const member of group) expect(contest(member, later)).toBe(-1);
          }
        }
      }),
    );
  });

  test("groups only those who can be reached from each other by not losing", () => {
    fc.assert(
      fc.property(anyContest, ({ contestants, contest }) => {
        const reaches = (from: number, to: number, seen = new Set([from])): boolean =>
          from === to ||
          contestants.some((next) => {
            if (seen.has(next) || contest(from, next) > 0) return false;
            return reaches(next, to, seen.add(next));
          });
        for (const group of rankByComparison(contestants, contest)) {
          for (const one of group) for (const other of group) expect(reaches(one, other)).toBe(true);
        }
      }),
    );
  });
});
