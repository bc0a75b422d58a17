import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../src/api/json.ts";
import { differenceOf, withDifference } from "./object-difference.ts";

const json = fc.jsonValue({ maxDepth: 4 }).map((value) => value as Json);

test("what differs makes the second value out of the first, in the order of its keys", () => {
  fc.assert(
    fc.property(json, json, (before, after) => {
      const sent = structuredClone(differenceOf(before, after));
      expect(JSON.stringify(withDifference(before, sent))).toBe(JSON.stringify(after));
    }),
  );
});

test.for<{ before: Json; after: Json; want: unknown }>([
  { before: { a: [1, { b: 2 }] }, after: { a: [1, { b: 2 }] }, want: undefined },
  {
    before: { a: 1, b: { c: 2 } },
    after: { a: 1, b: { c: 3 } },
    want: { members: [["b", { members: [["c", { to: 3 }]] }]] },
  },
  { before: [1, 2, 3], after: [1, 2], want: { length: 2, elements: [] } },
  { before: { a: 1, b: 2 }, after: { b: 2 }, want: { keys: ["b"], members: [] } },
  { before: { a: 1 }, after: null, want: { to: null } },
])("$before to $after is sent as $want", ({ before, after, want }) => {
  expect(differenceOf(before, after)).toEqual(want);
});

test("a member with the name of a prototype is a member like others", () => {
  const [before, after] = ['{"a":1}', '{"a":1,"__proto__":{"b":2}}'].map((text) => JSON.parse(text) as Json);
  const made = withDifference(before, differenceOf(before, after ?? null));
  expect(JSON.stringify(made)).toBe('{"a":1,"__proto__":{"b":2}}');
});

test("what did not change is the same object in both versions", () => {
  const before = { spec: { containers: [{ image: "a" }] }, status: { phase: "Pending" } };
  const after = { spec: { containers: [{ image: "a" }] }, status: { phase: "Running" } };
  const made = withDifference(before, differenceOf(before, after)) as typeof before;
  expect(made.spec).toBe(before.spec);
});
