import { expect, test } from "vitest";
import type { FieldSet } from "./field-set.ts";
import { internFieldSet } from "./intern-field-set.ts";

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
});

test("sets that differ share all nodes but those on the way to the difference", () => {
  const statusOf = (address: string) =>
    internFieldSet({ "f:status": { "f:podIPs": setOf(address), "f:conditions": setOf("a", "b") } });
  const [one, other] = [statusOf("10.0.0.1"), statusOf("10.0.0.2")];
  expect(one).not.toBe(other);
  expect(one["f:status"]?.["f:conditions"]).toBe(other["f:status"]?.["f:conditions"]);
  expect(statusOf("10.0.0.1")).toBe(one);
});

test("elements whose texts look like several are told apart", () => {
  expect(internFieldSet({ "f:a0,3,f:b": {} })).not.toBe(internFieldSet(setOf("a", "b")));
});
