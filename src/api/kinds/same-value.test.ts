import { expect, test } from "vitest";
import { sameValue } from "./same-value.ts";

test.for([
  { name: "equal texts", left: "a", right: "a", want: true },
  { name: "absent and null", left: undefined, right: null, want: true },
  { name: "absent and an empty list", left: undefined, right: [], want: true },
  { name: "an absent and an empty map", left: {}, right: { matchLabels: {} }, want: true },
  { name: "an absent and an empty object", left: {}, right: { securityContext: {} }, want: false },
  { name: "absent and zero", left: {}, right: { replicas: 0 }, want: false },
  { name: "lists in another order", left: [1, 2], right: [2, 1], want: false },
  { name: "members in another order", left: { a: 1, b: 2 }, right: { b: 2, a: 1 }, want: true },
  { name: "a member too many", left: { a: 1 }, right: { a: 1, b: 2 }, want: false },
  {
    name: "as much",
    left: { limits: { memory: "1Gi" } },
    right: { limits: { memory: "1073741824" } },
    want: true,
  },
  { name: "more", left: { limits: { memory: "1Gi" } }, right: { limits: { memory: "2Gi" } }, want: false },
  {
    name: "as much of something else",
    left: { limits: { cpu: "1" } },
    right: { limits: { memory: "1" } },
    want: false,
  },
  { name: "a list and an object", left: [], right: {}, want: false },
  { name: "an own and an inherited __proto__", left: JSON.parse('{"__proto__":{}}'), right: {}, want: false },
])("sameValue of $name is $want", ({ left, right, want }) => {
  expect(sameValue(left, right)).toBe(want);
  expect(sameValue(right, left)).toBe(want);
});
