import { expect, test } from "vitest";
import type { PriorityClass } from "../../../../api/generated/scheduling-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import { problemsOf, problemsOfUpdate } from "../workload/workload-fixture.cases.ts";
import { priorityClassStrategy } from "./strategy.ts";

const reserved =
  "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: ";

test.for<{ name: string; sent: Sent<PriorityClass>; want: string[] }>([
  { name: "is fine", sent: { metadata: { name: "high" }, value: 1_000_000_000 }, want: [] },
  {
    name: "is below the system's",
    sent: { metadata: { name: "high" }, value: 1_000_000_001 },
    want: ["value: Forbidden: maximum allowed value of a user defined priority is 1000000000"],
  },
  {
    name: "of the system is known",
    sent: { metadata: { name: "system-node-critical" }, value: 2_000_001_000 },
    want: [],
  },
  {
    name: "with the system prefix is not built in",
    sent: { metadata: { name: "system-x" }, value: 1 },
    want: [`${reserved}system-x is not a known system priority class`],
  },
  {
    name: "of the system has its value",
    sent: { metadata: { name: "system-cluster-critical" }, value: 1 },
    want: [`${reserved}value of system-cluster-critical PriorityClass must be 2000000000`],
  },
])("a priority class $name", ({ sent, want }) => {
  expect(problemsOf(priorityClassStrategy, sent)).toEqual(want);
});

test("a priority class keeps its rank", () => {
  expect(
    problemsOfUpdate(priorityClassStrategy, { value: 2, preemptionPolicy: "Never" }, { value: 1 }),
  ).toEqual([
    "value: Forbidden: may not be changed in an update.",
    'preemptionPolicy: Invalid value: "Never": field is immutable',
  ]);
});
