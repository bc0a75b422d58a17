import { expect, test } from "vitest";
import { growthPatch } from "./capped.ts";

const path = "/metadata/annotations/trimtab.dev~1capped";
const capped = { "trimtab.dev/capped": "true" };

test.for([
  { name: "as asked: nothing is changed", growth: { asked: 4, size: 4, annotations: {} }, patch: [] },
  {
    name: "as asked, after it was capped: it is capped no more",
    growth: { asked: 5, size: 5, annotations: capped },
    patch: [{ op: "remove", path }],
  },
  {
    name: "less than asked: the ReplicaSet says so",
    growth: { asked: 6, size: 4, annotations: capped },
    patch: [
      { op: "replace", path: "/spec/replicas", value: 4 },
      { op: "add", path, value: "true" },
    ],
  },
  {
    name: "less than asked of a Scale, which has no annotations",
    growth: { asked: 6, size: 4, annotations: undefined },
    patch: [{ op: "replace", path: "/spec/replicas", value: 4 }],
  },
])("$name", ({ growth, patch }) => {
  expect(growthPatch(growth)).toEqual(patch);
});
