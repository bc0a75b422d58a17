import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compareResourceVersions, isResourceVersion } from "./resource-version.ts";

test.for([
  { name: "the same twice", left: "7", right: "7", want: 0 },
  { name: "a shorter and a longer one", left: "9", right: "10", want: -1 },
  { name: "two of one length by their digits", left: "19", right: "20", want: -1 },
  {
    name: "two that no double can tell apart",
    left: "9007199254740993",
    right: "9007199254740992",
    want: 1,
  },
  { name: "an empty one: not at all", left: "", right: "1", want: undefined },
  { name: "zero, which means any version: not at all", left: "1", right: "0", want: undefined },
  { name: "a leading zero: not at all", left: "01", right: "1", want: undefined },
  { name: "something opaque: not at all", left: "abc", right: "1", want: undefined },
])("compares $name", ({ left, right, want }) => {
  const compared = compareResourceVersions(left, right);
  expect(compared === undefined ? undefined : Math.sign(compared)).toBe(want);
});

test("agrees with whole numbers of any size", () => {
  const version = fc.bigInt({ min: 1n, max: 2n ** 80n });
  fc.assert(
    fc.property(version, version, (left, right) => {
      const compared = compareResourceVersions(String(left), String(right));
      expect(Math.sign(compared ?? Number.NaN)).toBe(left < right ? -1 : Number(left > right));
    }),
  );
});

test("a version with a line break is none", () => {
  expect(isResourceVersion("12\n")).toBe(false);
});
