import { expect, test } from "vitest";
import type { JobStatus } from "../../api/generated/batch-v1.ts";
import { parseTime } from "../../api/time.ts";
import { job, jobPod, type JobPodTraits, type JobTraits } from "../../testing/job.ts";
import { planJob } from "./plan-job.ts";
import { noBackoff } from "./pod-backoff.ts";
import { type JobOutcome, settlePods, trackPods } from "./track-pods.ts";

const startTime = "2026-01-01T00:00:00Z";
const now = parseTime("2026-01-01T01:00:00Z") ?? 0;
const uid = (name: string) => `uid-of-${name}`;

/** Tracks and settles the Pods of a Job as if nothing were created or deleted and these Pods were released. */
function count(
  traits: JobTraits,
  named: Readonly<Record<string, JobPodTraits>>,
  { released = "all", ...outcome }: Partial<JobOutcome> & { released?: "all" | readonly string[] } = {},
) {
  const pods = Object.entries(named).map(([name, of]) => jobPod(name, { ready: false, ...of }));
  const stored = job("pi", { status: { startTime }, ...traits });
  const plan = planJob({
    job: stored,
    pods,
    released: new Set(),
    isExpecting: false,
    backoff: noBackoff,
    now,
  });
  const tracking = trackPods(plan, { created: 0, deleted: [], isCertain: true, ...outcome }, now);
  const release = tracking.release.map(({ metadata }) => metadata.uid);
  const gone = released === "all" ? release : released.map(uid);
  return { release, listed: tracking.status, settled: settlePods(tracking, new Set(gone), now) };
}

const succeeded = { phase: "Succeeded" };
const failed = { phase: "Failed" };
const types = ({ conditions = [] }: JobStatus) => conditions.map(({ type }) => type);

test("a Pod is listed, loses its finalizer, and is counted then", () => {
  const { release, listed, settled } = count({ completions: 3 }, { a: succeeded, b: failed, c: {} });
  expect(release).toEqual([uid("a"), uid("b")]);
  expect(listed).toMatchObject({
    active: 1,
    uncountedTerminatedPods: { succeeded: [uid("a")], failed: [uid("b")] },
  });
  expect(listed.succeeded).toBeUndefined();
  expect(settled.status).toMatchObject({ succeeded: 1, failed: 1, uncountedTerminatedPods: {} });
});

test("a Pod that keeps its finalizer stays listed", () => {
  const { settled } = count({ completions: 3 }, { a: succeeded, b: failed }, { released: ["a"] });
  expect(settled.status).toMatchObject({ succeeded: 1, uncountedTerminatedPods: { failed: [uid("b")] } });
});

test("a Pod that was listed before and is released or gone now is counted without being listed again", () => {
  const status = { startTime, uncountedTerminatedPods: { failed: [uid("a"), uid("gone")] } };
  const { listed, release } = count({ completions: 3, status }, { a: { ...failed, tracked: false } });
  expect(listed).toMatchObject({ failed: 2, uncountedTerminatedPods: {} });
  expect(release).toEqual([]);
});

test("Pods that are listed are released even if there is no room to list more", () => {
  const names = Array.from({ length: 501 }, (_, number) => `p${number}`);
  const status = { startTime, uncountedTerminatedPods: { failed: names.slice(1).map(uid) } };
  const traits = { completions: 3, backoffLimit: 1000, status };
  const { release } = count(traits, Object.fromEntries(names.map((name) => [name, failed])));
  expect(release).toEqual(names.slice(1).map(uid));
});

test("a Pod that was listed as a failure stays one", () => {
  const status = { startTime, uncountedTerminatedPods: { failed: [uid("a")] } };
  const { settled } = count({ completions: 3, status }, { a: succeeded });
  expect(settled.status).toMatchObject({ failed: 1, uncountedTerminatedPods: {} });
  expect(settled.status.succeeded).toBeUndefined();
});

test("a Pod that was listed as a success stays one, whatever its phase is now", () => {
  const status = { startTime, uncountedTerminatedPods: { succeeded: [uid("a")] } };
  const { listed, settled } = count({ completions: 3, status }, { a: failed });
  expect(listed.uncountedTerminatedPods).toEqual({ succeeded: [uid("a")] });
  expect(settled.status).toMatchObject({ succeeded: 1, uncountedTerminatedPods: {} });
});

test("a Job completes when its last Pod is counted, not before", () => {
  const { listed, settled } = count({}, { a: succeeded });
  expect(types(listed)).toEqual(["SuccessCriteriaMet"]);
  expect(settled.status).toMatchObject({ succeeded: 1, completionTime: "2026-01-01T01:00:00Z" });
  expect(types(settled.status)).toEqual(["SuccessCriteriaMet", "Complete"]);
  expect(settled.finished).toMatchObject({ type: "Complete", reason: "CompletionsReached" });
  expect(types(count({}, { a: succeeded }, { released: [] }).settled.status)).toEqual(["SuccessCriteriaMet"]);
});

test("a Job that ends while it is suspended has a start time, as every Job that has finished", () => {
  const suspended = { type: "Suspended", status: "True" };
  const traits = { suspend: true, backoffLimit: 1, status: { failed: 2, conditions: [suspended] } };
  const { status } = count(traits, {}).settled;
  expect(types(status)).toEqual(["Suspended", "FailureTarget", "Failed"]);
  expect(status.startTime).toBe("2026-01-01T01:00:00Z");
});

test("a Job fails when its Pods have ended; those that were running count as failures", () => {
  const traits = { activeDeadlineSeconds: 60, completions: 3, parallelism: 3 };
  const running = jobPod("b");
  const first = count(traits, { a: succeeded, b: { ready: true } }, { deleted: [running] });
  expect(first.settled.status).toMatchObject({ succeeded: 1, failed: 1, terminating: 1 });
  expect(types(first.settled.status)).toEqual(["FailureTarget"]);
  const then = count({ ...traits, status: { ...first.settled.status } }, {});
  expect(then.settled.finished).toMatchObject({ type: "Failed", reason: "DeadlineExceeded" });
});

test("a Job whose Pods could not all be deleted has no verdict yet", () => {
  const { listed } = count({ activeDeadlineSeconds: 60 }, { a: {} }, { isCertain: false });
  expect(types(listed)).toEqual([]);
});

test("an index is counted once, whichever of its Pods succeeded", () => {
  const indexed = { completionMode: "Indexed", completions: 3, parallelism: 3 };
  const { settled } = count(indexed, { a: { ...succeeded, index: 1 }, b: { ...succeeded, index: 1 } });
  expect(settled.status).toMatchObject({ succeeded: 1, completedIndexes: "1" });
});

test("a Job that is being deleted lets all of its Pods go", () => {
  expect(count({ deletedAt: startTime }, { a: {} }).release).toEqual([uid("a")]);
});

test("more Pods than fit into one status are counted in turns", () => {
  const many = Object.fromEntries(Array.from({ length: 510 }, (_, n) => [`p${n}`, succeeded]));
  const { release, settled } = count({ completions: 510 }, many);
  expect(release).toHaveLength(500);
  expect(settled.status.succeeded).toBe(500);
  expect(settled.finished).toBeUndefined();
});

test.for<{ name: string; status: JobStatus; pods: Record<string, JobPodTraits>; want: JobStatus }>([
  {
    name: "succeeds after its index has failed for good",
    status: { failedIndexes: "0" },
    pods: { a: { ...succeeded, index: 0 } },
    want: { failedIndexes: "0" },
  },
  {
    name: "fails after its index has succeeded",
    status: { succeeded: 1, completedIndexes: "0" },
    pods: { a: { ...failed, index: 0 } },
    want: { failedIndexes: "", succeeded: 1, completedIndexes: "0", failed: 1 },
  },
  {
    name: "fails when another one of its index succeeds",
    status: {},
    pods: { a: { ...succeeded, index: 0 }, b: { ...failed, index: 0 } },
    want: { failedIndexes: "", succeeded: 1, completedIndexes: "0", failed: 1 },
  },
])("no index is both failed and completed: a Pod $name", ({ status, pods, want }) => {
  const traits: JobTraits = {
    completions: 3,
    completionMode: "Indexed",
    backoffLimitPerIndex: 0,
    status: { startTime, ...status },
  };
  const { settled } = count(traits, pods);
  const { failedIndexes, succeeded: successes, completedIndexes, failed: failures } = settled.status;
  expect({ failedIndexes, succeeded: successes, completedIndexes, failed: failures }).toEqual({
    failedIndexes: undefined,
    succeeded: undefined,
    completedIndexes: undefined,
    failed: undefined,
    ...want,
  });
});
