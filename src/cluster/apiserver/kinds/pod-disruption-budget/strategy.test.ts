import { expect, test } from "vitest";
import type { PodDisruptionBudgetSpec } from "../../../../api/generated/policy-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import { problemsOf, problemsOfStatus } from "../workload/workload-fixture.cases.ts";
import { podDisruptionBudgetStrategy } from "./strategy.ts";

test.for<{ name: string; spec: Sent<PodDisruptionBudgetSpec>; want: string[] }>([
  { name: "keeps some", spec: { minAvailable: "50%", selector: {} }, want: [] },
  {
    name: "says it one way",
    spec: { minAvailable: 1, maxUnavailable: 1 },
    want: [
      'spec: Invalid value: {"minAvailable":1,"maxUnavailable":1}: minAvailable and maxUnavailable cannot be both set',
    ],
  },
  {
    name: "keeps no more than all",
    spec: { minAvailable: "101%" },
    want: ['spec.minAvailable: Invalid value: "101%": must not be greater than 100%'],
  },
  {
    name: "knows its policy",
    spec: { unhealthyPodEvictionPolicy: "Never" },
    want: [
      'spec.unhealthyPodEvictionPolicy: Unsupported value: "Never": supported values: "AlwaysAllow", "IfHealthyBudget"',
    ],
  },
])("a budget $name", ({ spec, want }) => {
  expect(problemsOf(podDisruptionBudgetStrategy, { spec })).toEqual(want);
});

test("the status of a budget counts nothing negative", () => {
  expect(problemsOfStatus(podDisruptionBudgetStrategy, { status: { disruptionsAllowed: -1 } }, {})).toEqual([
    "status.disruptionsAllowed: Invalid value: -1: must be greater than or equal to 0",
  ]);
});

test("a budget is never overwritten unseen", () => {
  expect(podDisruptionBudgetStrategy.unconditionalUpdate).toBeUndefined();
});
