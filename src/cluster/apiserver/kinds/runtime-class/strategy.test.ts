import { expect, test } from "vitest";
import { formatFieldError } from "../../../../api/field-error.ts";
import { defaultFeatureGates } from "../../../../api/feature-gates.ts";
import { runtimeClassStrategy } from "./strategy.ts";

const context = { gates: defaultFeatureGates, now: 0 };

test.for([
  { name: "has a handler", sent: { handler: "kata", overhead: { podFixed: { cpu: "250m" } } }, want: [] },
  { name: "has none", sent: {}, want: ["handler: Required value"] },
  {
    name: "takes less than nothing",
    sent: { handler: "kata", overhead: { podFixed: { cpu: "-1" } } },
    want: [expect.stringContaining("overhead.podFixed.limits[cpu]: Invalid value")],
  },
  {
    name: "has a strange one",
    sent: { handler: "Kata/1" },
    want: [expect.stringContaining('handler: Invalid value: "Kata/1"')],
  },
])("a RuntimeClass that $name", ({ sent, want }) => {
  expect((runtimeClassStrategy.validate?.(sent, context) ?? []).map(formatFieldError)).toEqual(want);
});

test("its handler stays", () => {
  const change = { next: { handler: "b" }, previous: { handler: "a" } };
  expect(runtimeClassStrategy.validateUpdate?.(change, context)).toHaveLength(1);
});
