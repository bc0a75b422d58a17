import { expect, test } from "vitest";
import type { JobSpec } from "../../generated/batch-v1.ts";
import type { Sent } from "../sent.ts";
import { problemsOf, problemsOfUpdate, template } from "../workload/workload-fixture.cases.ts";
import { jobStrategy } from "./strategy.ts";

const once = { ...template, spec: { ...template.spec, restartPolicy: "Never" } };

test.for<{ name: string; spec: Sent<JobSpec>; want: Sent<JobSpec> }>([
  {
    name: "runs one Pod to its end",
    spec: {},
    want: { completions: 1, parallelism: 1, backoffLimit: 6, completionMode: "NonIndexed", suspend: false },
  },
  { name: "with a parallelism has no count of its own", spec: { parallelism: 3 }, want: { parallelism: 3 } },
  {
    name: "that counts by index has no common limit",
    spec: { backoffLimitPerIndex: 1 },
    want: { backoffLimit: 2147483647 },
  },
])("a Job $name", ({ spec, want }) => {
  expect(jobStrategy.defaults?.({ spec: { template: once, ...spec } }).spec).toMatchObject(want);
});

test("a Job has the labels of its template for want of its own", () => {
  expect(jobStrategy.defaults?.({ spec: { template: once } }).metadata?.labels).toEqual({ app: "web" });
});

test("a Job's Pods come to an end", () => {
  expect(problemsOf(jobStrategy, { spec: { template: once } })).toEqual([]);
  expect(problemsOf(jobStrategy, { spec: { template, completions: -1 } })).toEqual([
    "spec.completions: Invalid value: -1: must be greater than or equal to 0",
    'spec.template.spec.restartPolicy: Unsupported value: "Always": supported values: "OnFailure", "Never"',
  ]);
});

test("a Job keeps the way it counts", () => {
  expect(
    problemsOfUpdate(
      jobStrategy,
      { spec: { completionMode: "Indexed" } },
      { spec: { completionMode: "NonIndexed" } },
    ),
  ).toEqual(['spec.completionMode: Invalid value: "Indexed": field is immutable']);
  expect(jobStrategy.selectableFields?.({ status: { succeeded: 2 } })).toEqual({ "status.successful": "2" });
});
