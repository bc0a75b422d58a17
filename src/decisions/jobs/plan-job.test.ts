import { describe, expect, test } from "vitest";
import { completionIndexOf } from "../../api/job-state.ts";
import { parseTime } from "../../api/time.ts";
import { job, jobPod, type JobTraits } from "../../testing/job.ts";
import type { JobState } from "./job-tally.ts";
import { type JobAction, planJob } from "./plan-job.ts";
import { noBackoff } from "./pod-backoff.ts";
import { trackPods } from "./track-pods.ts";

const now = parseTime("2026-01-01T01:00:00Z") ?? 0;
const startTime = "2026-01-01T00:00:00Z";

function state(traits: JobTraits, rest: Partial<JobState> = {}): JobState {
  const stored = job("pi", { status: { startTime }, ...traits });
  return { job: stored, pods: [], released: new Set(), isExpecting: false, backoff: noBackoff, now, ...rest };
}

/** An action in short: `create 2`, `create 0,1`, `remove a b`. */
function short(action: JobAction): string {
  if (action.kind !== "create-pods")
    return `${action.kind === "end-pods" ? "end" : "remove"} ${action.pods.map(({ metadata }) => metadata.name).join(" ")}`;
  const indexes = action.drafts.map(({ metadata }) =>
    completionIndexOf({ metadata: { ...metadata, name: "", uid: "", resourceVersion: "" } }),
  );
  const isIndexed = indexes.every((index) => index !== undefined);
  return `create ${isIndexed ? indexes.join(",") : indexes.length}`;
}

interface Case {
  readonly name: string;
  readonly given: JobState;
  readonly want: readonly string[];
  readonly because: string;
  readonly verdict?: string;
}

const succeeded = (name: string, index?: number) =>
  jobPod(name, { phase: "Succeeded", ready: false, ...(index !== undefined && { index }) });
const failed = (name: string, exitCode = 1) => jobPod(name, { phase: "Failed", ready: false, exitCode });
const ending = (name: string) => jobPod(name, { deletedAt: "2026-01-01T00:59:59Z" });
const failedAt = (name: string, endedAt: string, tracked = true) =>
  jobPod(name, { phase: "Failed", ready: false, exitCode: 1, endedAt, tracked });

const pods: readonly Case[] = [
  { name: "runs its one Pod", given: state({}), want: ["create 1"], because: "fewer-than-desired" },
  {
    name: "runs as many Pods as it may at once",
    given: state({ completions: 5, parallelism: 3 }, { pods: [jobPod("a")] }),
    want: ["create 2"],
    because: "fewer-than-desired",
  },
  {
    name: "runs no more Pods than are still needed",
    given: state({ completions: 5, parallelism: 3, status: { startTime, succeeded: 4 } }),
    want: ["create 1"],
    because: "fewer-than-desired",
  },
  {
    name: "without completions runs them all until one succeeds",
    given: state({ completions: null, parallelism: 2 }),
    want: ["create 2"],
    because: "fewer-than-desired",
  },
  {
    name: "without completions replaces none after a success",
    given: state(
      { completions: null, parallelism: 3 },
      {
        pods: [succeeded("a"), jobPod("b")],
      },
    ),
    want: [],
    because: "as-many-as-desired",
  },
  {
    name: "removes the Pods that have come least far when it may run fewer",
    given: state(
      { completions: 5, parallelism: 1 },
      { pods: [jobPod("a"), jobPod("b", { phase: "Pending", ready: false })] },
    ),
    want: ["remove b"],
    because: "more-than-desired",
  },
  {
    name: "waits for what it has created",
    given: state({}, { isExpecting: true }),
    want: [],
    because: "expecting",
  },
  {
    name: "that is being deleted creates nothing",
    given: state({ deletedAt: startTime }),
    want: [],
    because: "being-deleted",
  },
  {
    name: "that is suspended has no Pods",
    given: state({ suspend: true }, { pods: [jobPod("a")] }),
    want: ["remove a"],
    because: "suspended",
  },
  {
    name: "replaces a Pod that is being deleted",
    given: state({}, { pods: [ending("a")], backoff: noBackoff }),
    want: [],
    because: "backing-off",
  },
  {
    name: "replaces a Pod only when it has failed, if it says so",
    given: state({ podReplacementPolicy: "Failed" }, { pods: [ending("a")] }),
    want: [],
    because: "waiting-for-terminating-pods",
  },
  {
    name: "waits after a failure",
    given: state({}, { pods: [failedAt("a", "2026-01-01T00:59:55Z")] }),
    want: [],
    because: "backing-off",
  },
  {
    name: "tries again in time",
    given: state({}, { pods: [failedAt("a", "2026-01-01T00:59:50Z")] }),
    want: ["create 1"],
    because: "fewer-than-desired",
  },
  {
    name: "waits longer after each failure",
    given: state(
      {},
      { pods: [failedAt("a", "2026-01-01T00:59:45Z"), failedAt("b", "2026-01-01T00:59:30Z")] },
    ),
    want: [],
    because: "backing-off",
  },
  {
    name: "finds out after a restart that it has to wait",
    given: state(
      {},
      {
        pods: [failedAt("a", "2026-01-01T00:59:55Z", false)],
        backoff: undefined,
      },
    ),
    want: [],
    because: "backing-off",
  },
  {
    name: "does not count twice a Pod whose finalizer it has removed",
    given: state(
      { completions: 2, status: { startTime, succeeded: 1 } },
      { pods: [succeeded("a")], released: new Set(["uid-of-a"]) },
    ),
    want: ["create 1"],
    because: "fewer-than-desired",
  },
];

const indexed = { completionMode: "Indexed", completions: 4, parallelism: 3 } as const;

const indexes: readonly Case[] = [
  {
    name: "starts with the first indexes",
    given: state(indexed),
    want: ["create 0,1,2"],
    because: "fewer-than-desired",
  },
  {
    name: "goes on with the indexes that are missing",
    given: state(
      { ...indexed, status: { startTime, completedIndexes: "1" } },
      { pods: [jobPod("a", { index: 0 })] },
    ),
    want: ["create 2,3"],
    because: "fewer-than-desired",
  },
  {
    name: "removes a Pod whose index another one has, and one without an index",
    given: state(indexed, {
      pods: [jobPod("a", { index: 0 }), jobPod("b", { index: 0, phase: "Pending" }), jobPod("c")],
    }),
    want: ["remove b c"],
    because: "more-than-desired",
  },
  {
    name: "counts an index once",
    given: state(indexed, { pods: [succeeded("a", 0), succeeded("b", 0)] }),
    want: ["create 1,2,3"],
    because: "fewer-than-desired",
  },
];

const failuresBefore = (count: number) => ({ "batch.kubernetes.io/job-index-failure-count": String(count) });
const failedIndex = (name: string, index: number, before = 0, endedAt = startTime) =>
  jobPod(name, {
    phase: "Failed",
    ready: false,
    exitCode: 1,
    endedAt,
    index,
    annotations: failuresBefore(before),
  });
const perIndex = { ...indexed, backoffLimitPerIndex: 1, backoffLimit: 2 ** 31 - 1 };

const limits: readonly Case[] = [
  {
    name: "tries an index again",
    given: state(perIndex, { pods: [failedIndex("a", 1), jobPod("b", { index: 0 })] }),
    want: ["create 1,2"],
    because: "fewer-than-desired",
  },
  {
    name: "does not wait for an index that has to",
    given: state(perIndex, {
      pods: [failedIndex("a", 0, 0, "2026-01-01T00:59:55Z")],
    }),
    want: ["create 1,2"],
    because: "fewer-than-desired",
  },
  {
    name: "gives up an index that has failed too often",
    given: state(perIndex, { pods: [failedIndex("a", 0, 1)] }),
    want: ["create 1,2,3"],
    because: "fewer-than-desired",
  },
  {
    name: "fails when no index is left and some have failed",
    given: state(
      { ...perIndex, status: { startTime, completedIndexes: "1-3" } },
      { pods: [failedIndex("a", 0, 1)] },
    ),
    want: [],
    because: "failing",
    verdict: "FailedIndexes",
  },
  {
    name: "fails when too many indexes have failed",
    given: state(
      { ...perIndex, maxFailedIndexes: 0 },
      { pods: [failedIndex("a", 0, 1), jobPod("b", { index: 1 })] },
    ),
    want: ["end b"],
    because: "failing",
    verdict: "MaxFailedIndexesExceeded",
  },
  {
    name: "gives up an index by an exit code that its policy names",
    given: state(
      {
        ...perIndex,
        podFailurePolicy: { rules: [{ action: "FailIndex", onExitCodes: { operator: "In", values: [1] } }] },
      },
      { pods: [failedIndex("a", 0)] },
    ),
    want: ["create 1,2,3"],
    because: "fewer-than-desired",
  },
];

const ends: readonly Case[] = [
  {
    name: "fails when Pods have failed too often",
    given: state(
      { backoffLimit: 1, completions: 2, parallelism: 2 },
      { pods: [failed("a"), failed("b"), jobPod("c")] },
    ),
    want: ["end c"],
    because: "failing",
    verdict: "BackoffLimitExceeded",
  },
  {
    name: "fails when containers were restarted too often",
    given: state(
      { backoffLimit: 2, template: { spec: { restartPolicy: "OnFailure", containers: [] } } },
      { pods: [jobPod("a", { restarts: 2 })] },
    ),
    want: ["end a"],
    because: "failing",
    verdict: "BackoffLimitExceeded",
  },
  {
    name: "fails when it has been active for too long",
    given: state({ activeDeadlineSeconds: 3600 }, { pods: [jobPod("a")] }),
    want: ["end a"],
    because: "failing",
    verdict: "DeadlineExceeded",
  },
  {
    name: "fails by an exit code that its policy names",
    given: state(
      { podFailurePolicy: { rules: [{ action: "FailJob", onExitCodes: { operator: "In", values: [42] } }] } },
      { pods: [failed("a", 42)] },
    ),
    want: [],
    because: "failing",
    verdict: "PodFailurePolicy",
  },
  {
    name: "succeeds by the indexes that its policy names",
    given: state(
      { ...indexed, successPolicy: { rules: [{ succeededIndexes: "0,2", succeededCount: 1 }] } },
      { pods: [succeeded("a", 2), jobPod("b", { index: 1 })] },
    ),
    want: ["end b"],
    because: "succeeding",
    verdict: "SuccessPolicy",
  },
  {
    name: "keeps to a verdict",
    given: state({
      status: {
        startTime,
        conditions: [{ type: "FailureTarget", status: "True", reason: "DeadlineExceeded" }],
      },
    }),
    want: [],
    because: "failing",
    verdict: "DeadlineExceeded",
  },
  {
    name: "does not fail by a failure that its policy ignores",
    given: state(
      {
        backoffLimit: 0,
        podFailurePolicy: {
          rules: [{ action: "Ignore", onPodConditions: [{ type: "Ready", status: "False" }] }],
        },
      },
      { pods: [failed("a")] },
    ),
    want: ["create 1"],
    because: "fewer-than-desired",
  },
];

describe.for([
  { group: "a Job", cases: pods },
  { group: "an Indexed Job", cases: indexes },
  { group: "an Indexed Job with a limit per index", cases: limits },
  { group: "a Job", cases: ends },
])("$group", ({ cases }) => {
  test.for(cases)("$name", ({ given, want, because, verdict }) => {
    const plan = planJob(given);
    expect({ actions: plan.actions.map(short), because: plan.because }).toEqual({ actions: want, because });
    expect(plan.verdict?.reason).toBe(verdict);
  });
});

test("a Job looks again when it may create a Pod, and at its deadline", () => {
  const backingOff = state(
    { activeDeadlineSeconds: 7200 },
    { pods: [failedAt("a", "2026-01-01T00:59:55Z")] },
  );
  expect(planJob(backingOff).recheckAt).toBe(parseTime("2026-01-01T01:00:05Z"));
  const running = state({ activeDeadlineSeconds: 7200 }, { pods: [jobPod("a")] });
  expect(planJob(running).recheckAt).toBe(parseTime("2026-01-01T02:00:00Z"));
});

test("a Pod carries the failures of its index, and the last one that failed stays until it is there", () => {
  const given = state({ ...perIndex, parallelism: 1 }, { pods: [failedIndex("a", 0)] });
  const plan = planJob(given);
  const [action] = plan.actions;
  const draft = action?.kind === "create-pods" ? action.drafts[0] : undefined;
  expect(draft?.metadata.annotations).toMatchObject(failuresBefore(1));
  const outcome = { created: 1, deleted: [], isCertain: true };
  expect(trackPods(plan, outcome, now).release).toEqual([]);
  const replaced = planJob({ ...given, pods: [...given.pods, jobPod("b", { index: 0 })] });
  expect(trackPods(replaced, { ...outcome, created: 0 }, now).release).toHaveLength(1);
});

test("a Pod of an Indexed Job knows its index", () => {
  const [action] = planJob(state(indexed)).actions;
  const draft = action?.kind === "create-pods" ? action.drafts[1] : undefined;
  expect(draft?.metadata).toMatchObject({
    generateName: "pi-1-",
    labels: { "batch.kubernetes.io/job-completion-index": "1" },
    annotations: { "batch.kubernetes.io/job-completion-index": "1" },
    finalizers: ["batch.kubernetes.io/job-tracking"],
    ownerReferences: [{ kind: "Job", name: "pi", controller: true }],
  });
  expect(draft?.spec).toMatchObject({
    hostname: "pi-1",
    containers: [{ env: [{ name: "JOB_COMPLETION_INDEX" }] }],
  });
});
