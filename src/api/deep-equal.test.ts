import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deepEqual } from "./deep-equal.ts";

describe("deepEqual", () => {
  test.for<{ left: unknown; right: unknown; exact: boolean; loose: boolean }>([
    { left: 1, right: 1, exact: true, loose: true },
    { left: 1, right: "1", exact: false, loose: false },
    { left: "", right: undefined, exact: false, loose: false },
    { left: 0, right: null, exact: false, loose: false },
    { left: false, right: undefined, exact: false, loose: false },
    { left: null, right: undefined, exact: false, loose: true },
    { left: {}, right: null, exact: false, loose: true },
    { left: {}, right: [], exact: false, loose: true },
    { left: { a: 1, b: 2 }, right: { b: 2, a: 1 }, exact: true, loose: true },
    { left: { a: 1, b: undefined }, right: { a: 1 }, exact: true, loose: true },
    { left: { a: 1 }, right: { a: 1, b: 2 }, exact: false, loose: false },
    { left: { a: 1, b: 2 }, right: { a: 1 }, exact: false, loose: false },
    { left: { a: 1, b: [] }, right: { a: 1 }, exact: false, loose: true },
    { left: { a: 1 }, right: { a: 1, b: { c: [], d: null } }, exact: false, loose: true },
    { left: [1, 2], right: [1, 2], exact: true, loose: true },
    { left: [1, 2], right: [2, 1], exact: false, loose: false },
    { left: [1], right: [1, undefined], exact: false, loose: false },
    { left: [{}], right: [null], exact: false, loose: true },
    { left: [{}], right: [], exact: false, loose: false },
    { left: [0], right: { 0: 0 }, exact: false, loose: false },
    { left: {}, right: { constructor: 1 }, exact: false, loose: false },
    { left: { toString: {} }, right: {}, exact: false, loose: true },
  ])("$left and $right", ({ left, right, exact, loose }) => {
    for (const [a, b] of [
      [left, right],
      [right, left],
    ]) {
      expect(deepEqual(a, b)).toBe(exact);
      expect(deepEqual(a, b, { emptyIsAbsent: true })).toBe(loose);
    }
  });

  test("says of JSON what its canonical text says", () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(value, value, (left, right) => {
        expect(deepEqual(left, structuredClone(left))).toBe(true);
        expect(deepEqual(left, right)).toBe(canonical(left) === canonical(right));
      }),
    );
  });
});

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
