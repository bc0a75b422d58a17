import { expect, test } from "vitest";
import { contextWithout, problemsOf, template } from "../workload/workload-fixture.cases.ts";
import { cronJobStrategy } from "./strategy.ts";

const jobTemplate = {
  spec: { template: { ...template, spec: { ...template.spec, restartPolicy: "OnFailure" } } },
};

test("a CronJob has its defaults, and the Pods of its Jobs theirs", () => {
  expect(cronJobStrategy.defaults?.({ spec: { schedule: "@daily", jobTemplate } }).spec).toMatchObject({
    concurrencyPolicy: "Allow",
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
    jobTemplate: { spec: { template: { spec: { schedulerName: "default-scheduler" } } } },
  });
});

test("a CronJob is warned about its name and the Pods of its Jobs, until neither changes", () => {
  const containers = [{ name: "app", image: "app:1", env: [{ name: "A" }, { name: "A" }] }];
  const spec = { schedule: "@daily", jobTemplate: { spec: { template: { spec: { containers } } } } };
  const given = { metadata: { name: "a.b", generation: 1 }, spec };
  expect(cronJobStrategy.warnings?.(given, contextWithout())).toEqual([
    expect.stringContaining("a DNS label is recommended"),
    expect.stringContaining("spec.jobTemplate.spec.template.spec.containers[0].env[1]: hides previous"),
  ]);
  expect(cronJobStrategy.warnings?.(given, contextWithout(), given)).toEqual([]);
});

test("a CronJob says when", () => {
  expect(problemsOf(cronJobStrategy, { spec: { schedule: "@daily", jobTemplate } })).toEqual([]);
  expect(problemsOf(cronJobStrategy, { spec: { jobTemplate, concurrencyPolicy: "Queue" } })).toEqual([
    "spec.schedule: Required value",
    'spec.concurrencyPolicy: Unsupported value: "Queue": supported values: "Allow", "Forbid", "Replace"',
  ]);
});

test.for([
  {
    given: { schedule: "bogus" },
    want: 'spec.schedule: Invalid value: "bogus": expected exactly 5 fields, found 1: [bogus]',
  },
  {
    given: { schedule: "TZ=UTC 0 0 * * *" },
    want: 'spec.schedule: Invalid value: "TZ=UTC 0 0 * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
  },
  {
    given: { schedule: "@daily", timeZone: "Mars/Olympus" },
    want: 'spec.timeZone: Invalid value: "Mars/Olympus": unknown time zone Mars/Olympus',
  },
  {
    given: { schedule: "@daily", timeZone: "+05:30" },
    want: 'spec.timeZone: Invalid value: "+05:30": unknown time zone +05:30',
  },
  {
    given: { schedule: "@daily", timeZone: "" },
    want: 'spec.timeZone: Invalid value: "": timeZone must be nil or non-empty string',
  },
])("a CronJob does not say when: $given", ({ given, want }) => {
  expect(problemsOf(cronJobStrategy, { spec: { jobTemplate, ...given } })).toContain(want);
});

test("the selector of a CronJob's Jobs is generated", () => {
  const selecting = { spec: { ...jobTemplate.spec, selector: { matchLabels: { a: "b" } } } };
  expect(problemsOf(cronJobStrategy, { spec: { schedule: "@daily", jobTemplate: selecting } })).toEqual([
    'spec.jobTemplate.spec.selector: Invalid value: {"matchLabels":{"a":"b"}}: `selector` will be auto-generated',
  ]);
});

test("a CronJob may be for a time zone", () => {
  expect(
    problemsOf(cronJobStrategy, { spec: { schedule: "0 9 * * 1-5", timeZone: "Europe/Paris", jobTemplate } }),
  ).toEqual([]);
});

test("the name of a CronJob leaves room for those of its Jobs", () => {
  expect(cronJobStrategy.nameProblems?.("a".repeat(52))).toEqual([]);
  expect(cronJobStrategy.nameProblems?.("a".repeat(53))).toEqual(["must be no more than 52 characters"]);
});
