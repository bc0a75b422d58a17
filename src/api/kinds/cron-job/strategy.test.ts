import { expect, test } from "vitest";
import { problemsOf, template } from "../workload/workload-fixture.cases.ts";
import { cronJobStrategy } from "./strategy.ts";

const jobTemplate = {
  spec: { template: { ...template, spec: { ...template.spec, restartPolicy: "OnFailure" } } },
};

test("a CronJob has its defaults, and its Jobs theirs", () => {
  expect(cronJobStrategy.defaults?.({ spec: { schedule: "@daily", jobTemplate } }).spec).toMatchObject({
    concurrencyPolicy: "Allow",
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
    jobTemplate: { spec: { backoffLimit: 6 } },
  });
});

test("a CronJob says when", () => {
  expect(problemsOf(cronJobStrategy, { spec: { schedule: "@daily", jobTemplate } })).toEqual([]);
  expect(problemsOf(cronJobStrategy, { spec: { jobTemplate, concurrencyPolicy: "Queue" } })).toEqual([
    "spec.schedule: Required value",
    'spec.concurrencyPolicy: Unsupported value: "Queue": supported values: "Allow", "Forbid", "Replace"',
  ]);
});

test("the name of a CronJob leaves room for those of its Jobs", () => {
  expect(cronJobStrategy.nameProblems?.("a".repeat(52))).toEqual([]);
  expect(cronJobStrategy.nameProblems?.("a".repeat(53))).toEqual(["must be no more than 52 characters"]);
});
