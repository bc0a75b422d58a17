import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  backstepProblems,
  byteLength,
  dataKeyProblems,
  descendingPathProblems,
  envNameProblems,
  volumeFileProblems,
} from "./value-syntax.ts";

test.for([
  {
    name: "a key",
    check: dataKeyProblems,
    good: ["a", ".a", "A_b-c.d"],
    bad: ["", "a/b", ".", "..", "..a", "a".repeat(254)],
  },
  {
    name: "the name of a variable",
    check: envNameProblems,
    good: ["A", "a b", "1", "-"],
    bad: ["a=b", "ä", "a\n"],
  },
  {
    name: "a path that never steps up",
    check: backstepProblems,
    good: ["/a/b", "a..b"],
    bad: ["..", "a/../b"],
  },
  { name: "a path inside", check: descendingPathProblems, good: ["a/b"], bad: ["/a", "a/.."] },
  { name: "a file of a volume", check: volumeFileProblems, good: ["a/..b", "a"], bad: ["..a", "../a", "/a"] },
])("$name is told from what is none", ({ check, good, bad }) => {
  for (const text of good) expect([text, check(text)]).toEqual([text, []]);
  for (const text of bad) expect(check(text)).not.toEqual([]);
});

test("byteLength counts what UTF-8 takes", () => {
  const encoder = new TextEncoder();
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(byteLength(text)).toBe(encoder.encode(text).length);
    }),
  );
});
