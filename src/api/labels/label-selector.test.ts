import { describe, expect, test } from "vitest";
import { everything, formatLabelSelection, matchesLabels, nothing, selectionOf } from "./label-selector.ts";
import { parseLabelSelector } from "./parse-label-selector.ts";

function matches(selector: string, labels: Readonly<Record<string, string>> | null | undefined): boolean {
  const parsed = parseLabelSelector(selector);
  if (!parsed.ok) throw new Error(parsed.error);
  return matchesLabels(parsed.selection, labels);
}

describe("a selector", () => {
  test.for([
    { selector: "", labels: undefined, want: true },
    { selector: "a=b", labels: { a: "b", c: "d" }, want: true },
    { selector: "a=b", labels: { a: "c" }, want: false },
    { selector: "a=b", labels: undefined, want: false },
    { selector: "a=b", labels: null, want: false },
    { selector: "a==b", labels: { a: "b" }, want: true },
    { selector: "a=", labels: {}, want: false },
    { selector: "a=", labels: { a: "" }, want: true },
    { selector: "a!=b", labels: { a: "c" }, want: true },
    { selector: "a!=b", labels: { a: "b" }, want: false },
    { selector: "a!=b", labels: {}, want: true },
    { selector: "a in (b,c)", labels: { a: "c" }, want: true },
    { selector: "a in (b,c)", labels: { a: "d" }, want: false },
    { selector: "a in (b,c)", labels: {}, want: false },
    { selector: "a in (,c)", labels: {}, want: false },
    { selector: "a notin (b,c)", labels: { a: "c" }, want: false },
    { selector: "a notin (b,c)", labels: { a: "d" }, want: true },
    { selector: "a notin (b,c)", labels: {}, want: true },
    { selector: "a", labels: { a: "" }, want: true },
    { selector: "a", labels: {}, want: false },
    { selector: "!a", labels: { a: "" }, want: false },
    { selector: "!a", labels: {}, want: true },
    { selector: "constructor", labels: {}, want: false },
    { selector: "!constructor", labels: {}, want: true },
    { selector: "a>1", labels: { a: "2" }, want: true },
    { selector: "a>1", labels: { a: "1" }, want: false },
    { selector: "a>1", labels: { a: "x" }, want: false },
    { selector: "a>1", labels: {}, want: false },
    { selector: "a<10", labels: { a: "9" }, want: true },
    { selector: "a<10", labels: { a: "-9" }, want: true },
    { selector: "a<10", labels: { a: "10" }, want: false },
    { selector: "a>9007199254740992", labels: { a: "9007199254740993" }, want: true },
    { selector: "a,b=1", labels: { a: "", b: "2" }, want: false },
  ])("$selector on $labels: $want", ({ selector, labels, want }) => {
    expect(matches(selector, labels)).toBe(want);
  });

  test("of a hundred thousand values is as quick as one of a few", () => {
    const values = Array.from({ length: 100_000 }, (_, index) => `v${index}`);
    for (const operator of ["in", "notin"] as const) {
      const selection = selectionOf([{ operator, key: "a", values }]);
      let found = 0;
      // A search through all values each time would take minutes.
      for (let index = 0; index < 1_000_000; index++)
        if (matchesLabels(selection, { a: `v${index}` })) found++;
      expect(found).toBe(operator === "in" ? 100_000 : 900_000);
    }
  });

  test("of nothing selects nothing, of everything everything; both are written as blank", () => {
    expect(matchesLabels(nothing, { a: "b" })).toBe(false);
    expect(matchesLabels(everything, {})).toBe(true);
    expect([nothing, everything].map(formatLabelSelection)).toEqual(["", ""]);
  });
});
