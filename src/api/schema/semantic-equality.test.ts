import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deepEqual } from "../deep-equal.ts";
import { changedPaths } from "./changed-paths.ts";
import { equalField, normalForm, semanticEqual } from "./semantic-equality.ts";

const container = "core.v1.Container";
const podSpec = "core.v1.PodSpec";

test.for([
  { name: "absent and null", type: container, left: undefined, right: null, want: true },
  { name: "absent and an empty list", type: container, left: {}, right: { args: [] }, want: true },
  { name: "an empty list and null", type: container, left: { args: null }, right: { args: [] }, want: true },
  { name: "absent and an empty argument", type: container, left: {}, right: { args: [""] }, want: false },
  {
    name: "absent and an empty map",
    type: "meta.v1.LabelSelector",
    left: {},
    right: { matchLabels: {} },
    want: true,
  },
  {
    name: "a label without a value and none",
    type: "meta.v1.LabelSelector",
    left: { matchLabels: { a: "" } },
    right: { matchLabels: {} },
    want: false,
  },
  { name: "absent and an empty struct", type: container, left: {}, right: { resources: {} }, want: true },
  {
    name: "absent and an empty pointer",
    type: container,
    left: {},
    right: { securityContext: {} },
    want: false,
  },
  { name: "absent and false", type: podSpec, left: {}, right: { hostNetwork: false }, want: true },
  {
    name: "absent and a pointer to zero",
    type: "apps.v1.ReplicaSetSpec",
    left: {},
    right: { replicas: 0 },
    want: false,
  },
  {
    name: "lists in another order",
    type: container,
    left: { args: ["a", "b"] },
    right: { args: ["b", "a"] },
    want: false,
  },
  {
    name: "members in another order",
    type: container,
    left: { name: "a", image: "b" },
    right: { image: "b", name: "a" },
    want: true,
  },
  {
    name: "a quantity written in two ways",
    type: container,
    left: { resources: { limits: { memory: "1Gi", cpu: "1000m" } } },
    right: { resources: { limits: { memory: "1073741824", cpu: 1 } } },
    want: true,
  },
  {
    name: "two quantities",
    type: container,
    left: { resources: { limits: { memory: "1Gi" } } },
    right: { resources: { limits: { memory: "2Gi" } } },
    want: false,
  },
  {
    name: "the same quantity of another resource",
    type: container,
    left: { resources: { limits: { cpu: "1" } } },
    right: { resources: { limits: { memory: "1" } } },
    want: false,
  },
  {
    name: "an instant written in two ways",
    type: "meta.v1.ObjectMeta",
    left: { creationTimestamp: "2026-01-01T00:00:00Z" },
    right: { creationTimestamp: "2026-01-01T01:00:00+01:00" },
    want: true,
  },
  { name: "an unknown field", type: podSpec, left: {}, right: { tomorrow: 1 }, want: false },
  {
    name: "an own and an inherited __proto__",
    type: podSpec,
    left: JSON.parse('{"__proto__":{}}') as unknown,
    right: {},
    want: false,
  },
])("semanticEqual of $name is $want", ({ type, left, right, want }) => {
  expect(semanticEqual(type, left, right)).toBe(want);
  expect(semanticEqual(type, right, left)).toBe(want);
});

test("equalField compares one field by its type", () => {
  const left = { args: [], image: "a" };
  const right = { image: "b" } as { image: string; args?: readonly string[] };
  expect(equalField<typeof right>(container, [left, right], "args")).toBe(true);
  expect(equalField(container, [left, right], "image")).toBe(false);
});

const containers = fc.array(
  fc.record(
    {
      args: fc.constantFrom(null, [], [""], ["a"]),
      tty: fc.boolean(),
      env: fc.constantFrom([], [{ name: "A" }], [{ name: "A", value: "" }]),
      securityContext: fc.constantFrom(null, {}, { privileged: false }),
      resources: fc.constantFrom({}, { limits: {} }, { limits: { cpu: "1" } }, { limits: { cpu: "1000m" } }),
    },
    { requiredKeys: [] },
  ),
  { maxLength: 2 },
);

describe("for any two specs", () => {
  const specs = fc.record({ containers, tomorrow: fc.constantFrom(null, [], 1) }, { requiredKeys: [] });

  test("semanticEqual says what the normal forms say, and so do the changed paths", () => {
    fc.assert(
      fc.property(specs, specs, (left, right) => {
        const isEqual = semanticEqual(podSpec, left, right);
        expect(isEqual).toBe(deepEqual(normalForm(podSpec, left), normalForm(podSpec, right)));
        expect(changedPaths(podSpec, [left, right], "spec").length === 0).toBe(isEqual);
      }),
    );
  });
});

test("changedPaths goes as deep as both values have something to compare", () => {
  const before = { containers: [{ name: "a", args: ["x"] }], nodeSelector: { disk: "ssd" } };
  const after = { containers: [{ name: "a", args: ["y"] }], nodeSelector: {}, tolerations: [{ key: "k" }] };
  expect(changedPaths(podSpec, [before, after], "spec")).toEqual([
    "spec.containers[0].args[0]",
    "spec.nodeSelector.disk",
    "spec.tolerations",
  ]);
});
