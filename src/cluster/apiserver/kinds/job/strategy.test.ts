import { expect, test } from "vitest";
import type { Job, JobSpec } from "../../../../api/generated/batch-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import {
  contextWithout,
  problemsOf,
  problemsOfStatus,
  problemsOfUpdate,
  template,
} from "../workload/workload-fixture.cases.ts";
import { jobStrategy } from "./strategy.ts";

const once = { ...template, spec: { ...template.spec, restartPolicy: "Never" } };

/** A Job as the server completes it at creation. */
function created(spec: Sent<JobSpec>): Sent<Job> {
  const job = { metadata: { name: "pi", uid: "u1" }, spec: { template: once, ...spec } };
  const filled = jobStrategy.defaults?.(job) ?? job;
  return jobStrategy.prepareForCreate?.(filled, contextWithout()) ?? filled;
}

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
  {
    name: "with a policy for failures replaces Pods that have failed",
    spec: { podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions: [{ type: "Lost" }] }] } },
    want: {
      podReplacementPolicy: "Failed",
      podFailurePolicy: {
        rules: [{ action: "Ignore", onPodConditions: [{ type: "Lost", status: "True" }] }],
      },
    },
  },
])("a Job $name", ({ spec, want }) => {
  expect(jobStrategy.defaults?.({ spec: { template: once, ...spec } }).spec).toMatchObject(want);
});

test("a Job has the labels of its template for want of its own", () => {
  expect(jobStrategy.defaults?.({ spec: { template: once } }).metadata?.labels).toEqual({ app: "web" });
});

test("a Job selects its Pods by its UID", () => {
  const { spec } = created({});
  expect(spec?.selector).toEqual({ matchLabels: { "batch.kubernetes.io/controller-uid": "u1" } });
  expect(spec?.template?.metadata?.labels).toEqual({
    app: "web",
    "job-name": "pi",
    "batch.kubernetes.io/job-name": "pi",
    "controller-uid": "u1",
    "batch.kubernetes.io/controller-uid": "u1",
  });
  expect(problemsOf(jobStrategy, created({}))).toEqual([]);
});

test("a manual selector stays as it is", () => {
  const manual = { manualSelector: true, selector: { matchLabels: { app: "web" } } };
  expect(created(manual).spec?.selector).toEqual(manual.selector);
  expect(problemsOf(jobStrategy, created(manual))).toEqual([]);
  expect(problemsOf(jobStrategy, created({ manualSelector: true }))).toContain(
    "spec.selector: Required value",
  );
});

const indexed = { completionMode: "Indexed", completions: 3, parallelism: 1, backoffLimitPerIndex: 1 };
const labelled = { ...once, metadata: { labels: { "job-name": "other" } } };
const rule = { action: "FailJob", onExitCodes: { operator: "In", values: [3] } };

test.for<{ name: string; spec: Sent<JobSpec>; want: string }>([
  {
    name: "is not for a name that is not its own",
    spec: { template: labelled },
    want: `spec.template.metadata.labels[job-name]: Invalid value: {"job-name":"other","batch.kubernetes.io/job-name":"pi","controller-uid":"u1","batch.kubernetes.io/controller-uid":"u1"}: must be 'pi'`,
  },
  {
    name: "has no selector of its own",
    spec: { selector: { matchLabels: { app: "web" } } },
    want: 'spec.selector: Invalid value: {"matchLabels":{"batch.kubernetes.io/controller-uid":"u1","app":"web"}}: `selector` not auto-generated',
  },
  {
    name: "runs Pods that end",
    spec: { template },
    want: 'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
  },
  {
    name: "has no negative completions",
    spec: { completions: -1 },
    want: "spec.completions: Invalid value: -1: must be greater than or equal to 0",
  },
  {
    name: "that counts by index says how many there are",
    spec: { completionMode: "Indexed", parallelism: 1 },
    want: "spec.completions: Required value: when completion mode is Indexed",
  },
  {
    name: "that does not count by index has no limit per index",
    spec: { backoffLimitPerIndex: 1 },
    want: "spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode",
  },
  {
    name: "has a limit of failed indexes that it can list",
    spec: { ...indexed, completions: 200_000, maxFailedIndexes: 150_000 },
    want: "spec.maxFailedIndexes: Invalid value: 150000: must be less than or equal to 100000",
  },
  {
    name: "fails no more indexes than it has",
    spec: { ...indexed, maxFailedIndexes: 4 },
    want: "spec.maxFailedIndexes: Invalid value: 4: must be less than or equal to completions",
  },
  {
    name: "with many indexes says how many may fail",
    spec: { ...indexed, completions: 100_001 },
    want: "spec.maxFailedIndexes: Required value: must be specified when completions is above 100000",
  },
  {
    name: "with many indexes runs few of them at a time",
    spec: { ...indexed, completions: 100_001, parallelism: 10_001, maxFailedIndexes: 1 },
    want: "spec.parallelism: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index",
  },
  {
    name: "with many indexes fails few of them",
    spec: { ...indexed, completions: 100_001, maxFailedIndexes: 10_001 },
    want: "spec.maxFailedIndexes: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index",
  },
  {
    name: "with many indexes and a limit for each is fine",
    spec: { ...indexed, completions: 100_001, parallelism: 10_000, maxFailedIndexes: 10_000 },
    want: "",
  },
  {
    name: "with a policy for failures does not restart containers",
    spec: {
      podFailurePolicy: { rules: [rule] },
      template: { ...template, spec: { ...template.spec, restartPolicy: "OnFailure" } },
    },
    want: 'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified',
  },
  {
    name: "knows the actions of a policy for failures",
    spec: { podFailurePolicy: { rules: [{ ...rule, action: "Weep" }] } },
    want: 'spec.podFailurePolicy.rules[0].action: Unsupported value: "Weep": supported values: "Count", "FailIndex", "FailJob", "Ignore"',
  },
  {
    name: "matches no success as a failure",
    spec: { podFailurePolicy: { rules: [{ ...rule, onExitCodes: { operator: "In", values: [0] } }] } },
    want: "spec.podFailurePolicy.rules[0].onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator",
  },
  {
    name: "lists an exit code once",
    spec: { podFailurePolicy: { rules: [{ ...rule, onExitCodes: { operator: "In", values: [3, 3] } }] } },
    want: "spec.podFailurePolicy.rules[0].onExitCodes.values[1]: Duplicate value: 3",
  },
  {
    name: "has one requirement in a rule",
    spec: { podFailurePolicy: { rules: [{ action: "Ignore" }] } },
    want: "spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required",
  },
  {
    name: "succeeds by indexes that it has",
    spec: {
      completionMode: "Indexed",
      completions: 3,
      successPolicy: { rules: [{ succeededIndexes: "0,7" }] },
    },
    want: 'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "0,7": error parsing succeededIndexes: too large index: "7"',
  },
  {
    name: "is managed by a controller with a domain",
    spec: { managedBy: "me" },
    want: 'spec.managedBy: Invalid value: "me": must be a domain-prefixed path (such as "acme.io/foo")',
  },
  {
    name: "has a name that leaves room for indexes",
    spec: { completionMode: "Indexed", completions: 10 ** 9 },
    want: "",
  },
])("a Job $name", ({ spec, want }) => {
  const problems = problemsOf(jobStrategy, created(spec));
  if (want === "") expect(problems).toEqual([]);
  else expect(problems).toContain(want);
});

test.for<{ name: string; previous: Sent<Job>; next: Sent<Job>; want: readonly string[] }>([
  {
    name: "keeps the way it counts",
    previous: { spec: { completionMode: "NonIndexed" } },
    next: { spec: { completionMode: "Indexed" } },
    want: ['spec.completionMode: Invalid value: "Indexed": field is immutable'],
  },
  {
    name: "keeps its completions",
    previous: { spec: { completions: 1 } },
    next: { spec: { completions: 2 } },
    want: ["spec.completions: Invalid value: 2: field is immutable"],
  },
  {
    name: "that counts by index grows with its parallelism",
    previous: { spec: { completionMode: "Indexed", completions: 1, parallelism: 1 } },
    next: { spec: { completionMode: "Indexed", completions: 2, parallelism: 1 } },
    want: ["spec.completions: Invalid value: 2: can only be modified in tandem with spec.parallelism"],
  },
  {
    name: "keeps its template",
    previous: { spec: { template: { spec: { nodeName: "a" } } } },
    next: { spec: { template: { spec: { nodeName: "b" } } } },
    want: ['spec.template: Invalid value: {"spec":{"nodeName":"b"}}: field is immutable'],
  },
  {
    name: "may move to other nodes before it starts",
    previous: { spec: { suspend: true, template: { spec: { nodeSelector: { zone: "a" } } } } },
    next: { spec: { suspend: false, template: { spec: { nodeSelector: { zone: "b" } } } } },
    want: [],
  },
  {
    name: "changes parallelism, deadline and suspension",
    previous: { spec: { parallelism: 1 } },
    next: { spec: { parallelism: 2, activeDeadlineSeconds: 3, suspend: true } },
    want: [],
  },
])("a Job $name", ({ previous, next, want }) => {
  expect(problemsOfUpdate(jobStrategy, next, previous)).toEqual(want);
});

const isTrue = (type: string) => ({ type, status: "True" });
const startTime = "2026-01-01T00:00:00Z";
const complete = {
  startTime,
  completionTime: startTime,
  conditions: [isTrue("SuccessCriteriaMet"), isTrue("Complete")],
};

interface StatusCase {
  readonly name: string;
  readonly spec?: Sent<JobSpec>;
  readonly previous: Job["status"];
  readonly next: Job["status"];
  readonly want: readonly string[];
}

test.for<StatusCase>([
  { name: "completes", previous: { startTime }, next: complete, want: [] },
  {
    name: "announces that it fails",
    previous: { startTime },
    next: { startTime, conditions: [isTrue("Failed")] },
    want: [
      "status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition",
    ],
  },
  {
    name: "stays complete",
    previous: complete,
    next: { startTime },
    want: [
      "status.conditions: Invalid value: cannot disable the terminal Complete=True condition",
      "status.conditions: Invalid value: cannot disable the SuccessCriteriaMet=True condition",
    ],
  },
  {
    name: "ends without Pods",
    previous: { startTime },
    next: { ...complete, active: 1, terminating: 2 },
    want: [
      "status.active: Invalid value: 1: active>0 is invalid for finished job",
      "status.terminating: Invalid value: 2: terminating>0 is invalid for finished job",
    ],
  },
  {
    name: "loses no count",
    previous: { failed: 2, succeeded: 1 },
    next: { failed: 1 },
    want: [
      "status.failed: Invalid value: 1: cannot decrease the failed counter",
      "status.succeeded: Invalid value: 0: cannot decrease the succeeded counter",
    ],
  },
  {
    name: "counts a Pod once",
    previous: {},
    next: { uncountedTerminatedPods: { succeeded: ["a"], failed: ["a"] } },
    want: ['status.uncountedTerminatedPods.failed[0]: Duplicate value: "a"'],
  },
  {
    name: "lists indexes that have failed",
    spec: indexed,
    previous: { startTime },
    next: { startTime, completedIndexes: "0", failedIndexes: "1,2" },
    want: [],
  },
  {
    name: "lists no index that it does not have",
    spec: indexed,
    previous: { startTime },
    next: { startTime, completedIndexes: "0,3", failedIndexes: "4" },
    want: [
      'status.completedIndexes: Invalid value: "0,3": error parsing completedIndexes: too large index: "3"',
      'status.failedIndexes: Invalid value: "4": error parsing failedIndexes: too large index: "4"',
    ],
  },
  {
    name: "that was made smaller keeps the indexes it has listed",
    spec: { ...indexed, completions: 1 },
    previous: { startTime, completedIndexes: "0-2" },
    next: { startTime, completedIndexes: "0-2", active: 1 },
    want: [],
  },
  {
    name: "fails no index that has completed",
    spec: indexed,
    previous: { startTime, completedIndexes: "0,2" },
    next: { startTime, completedIndexes: "0,2", failedIndexes: "1,2" },
    want: [
      'status.failedIndexes: Invalid value: "1,2": failedIndexes and completedIndexes overlap at index: 2',
    ],
  },
  {
    name: "without a limit per index fails as a whole",
    spec: { completionMode: "Indexed", completions: 3 },
    previous: { startTime },
    next: { startTime, failedIndexes: "" },
    want: [
      'status.failedIndexes: Invalid value: "": cannot set non-null failedIndexes when backoffLimitPerIndex is null',
    ],
  },
  {
    name: "that does not count by index lists none",
    spec: { completionMode: "NonIndexed", completions: 1 },
    previous: { startTime },
    next: { startTime, completedIndexes: "0" },
    want: [
      'status.completedIndexes: Invalid value: "0": cannot set non-empty completedIndexes when non-indexed completion mode',
    ],
  },
  {
    name: "completes by its policy only when that is met",
    spec: { ...indexed, successPolicy: { rules: [{ succeededCount: 1 }] } },
    previous: { startTime },
    next: { ...complete, conditions: [isTrue("Complete")] },
    want: [
      "status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition",
      "status.conditions: Invalid value: cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True",
    ],
  },
  {
    name: "that is over keeps its start",
    previous: complete,
    next: { completionTime: complete.completionTime, conditions: complete.conditions },
    want: [
      "status.startTime: Required value: startTime is required for finished job",
      "status.startTime: Invalid value: null: field is immutable for unsuspended job once set",
    ],
  },
  {
    name: "that goes on after a suspension starts anew",
    previous: { startTime, conditions: [isTrue("Suspended")] },
    next: { startTime: "2026-01-02T00:00:00Z", conditions: [{ type: "Suspended", status: "False" }] },
    want: [],
  },
])("a Job $name", ({ previous, next, spec = {}, want }) => {
  const of = (status: Job["status"]): Sent<Job> => ({ spec, status: status ?? {} });
  expect(problemsOfStatus(jobStrategy, of(next), of(previous))).toEqual(want);
});

test("a Job with more indexes than its status can list gets a warning, until it changes", () => {
  const job = {
    metadata: { name: "pi", generation: 1 },
    spec: { ...indexed, completions: 100_001, parallelism: 10_001 },
  };
  expect(jobStrategy.warnings?.(job, contextWithout())).toEqual([
    expect.stringContaining("spec: In Indexed Jobs with a number of completions higher than 10^5"),
  ]);
  expect(jobStrategy.warnings?.(job, contextWithout(), job)).toEqual([]);
});

test("Jobs are selected by how many of their Pods succeeded", () => {
  expect(jobStrategy.selectableFields?.({ status: { succeeded: 2 } })).toEqual({ "status.successful": "2" });
});
