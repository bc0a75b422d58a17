import { expect, test } from "vitest";
import { difference, type FieldSet, union } from "./field-set.ts";
import { internFieldSet, ofInterned } from "./intern-field-set.ts";

const setOf = (...names: readonly string[]): FieldSet =>
  Object.fromEntries(names.map((name) => [`f:${name}`, {}]));

test("equal sets are kept once, in order", () => {
  const kept = internFieldSet(setOf("b", "a"));
  expect(internFieldSet(setOf("a", "b"))).toBe(kept);
  expect(Object.keys(kept)).toEqual(["f:a", "f:b"]);
});

test("a very large set is put in order and not kept", () => {
  const names = Array.from({ length: 2000 }, (_, index) => `key-${9999 - index}`);
  const large = internFieldSet(setOf(...names));
  expect(Object.keys(large)[0]).toBe("f:key-8000");
  expect(internFieldSet(setOf(...names))).not.toBe(large);
  const without = ofInterned(difference);
  expect(without(large, large)).toEqual({});
});

test("an operation on interned sets has one result", () => {
  const together = ofInterned(union);
  const [left, right] = [internFieldSet(setOf("a")), internFieldSet(setOf("b"))];
  expect(together(left, right)).toEqual(setOf("a", "b"));
  expect(together(left, right)).toBe(together(left, right));
});
