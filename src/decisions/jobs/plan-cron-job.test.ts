import { expect, test } from "vitest";
import type { CronJob, CronJobSpec, CronJobStatus, Job } from "../../api/generated/batch-v1.ts";
import { parseTime } from "../../api/time.ts";
import { job } from "../../testing/job.ts";
import { withStartedJob } from "./cron-job-status.ts";
import { type CronJobAction, planCronJob } from "./plan-cron-job.ts";

const created = "2026-01-01T00:00:30Z";
const now = parseTime("2026-01-01T00:10:10Z") ?? 0;

function cronJob(spec: Partial<CronJobSpec>, status: CronJobStatus = {}): CronJob {
  return {
    metadata: {
      namespace: "default",
      name: "backup",
      uid: "c1",
      resourceVersion: "1",
      creationTimestamp: created,
    },
    spec: { schedule: "*/5 * * * *", jobTemplate: { spec: { template: {} } }, ...spec },
    status,
  };
}

const isTrue = (type: string) => ({ type, status: "True" });
const running = job("backup-1", { status: { startTime: created } });
const complete = (name: string, completionTime: string) =>
  job(name, { status: { startTime: completionTime, completionTime, conditions: [isTrue("Complete")] } });
const failed = (name: string, startTime: string) =>
  job(name, { status: { startTime, conditions: [isTrue("Failed")] } });
const active = [{ kind: "Job", name: "backup-1", uid: "uid-of-backup-1" }];

function short(action: CronJobAction): string {
  return action.kind === "create-job"
    ? `create ${action.draft.metadata.name}`
    : `delete ${action.job.metadata.name}: ${action.because}`;
}

interface Case {
  readonly name: string;
  readonly given: CronJob;
  readonly jobs?: readonly Job[];
  readonly want: readonly string[];
  readonly because: string;
  readonly notices?: readonly string[];
}

// The minute of 00:10 has the number 29453770.
test.for<Case>([
  {
    name: "starts a Job when it is due",
    given: cronJob({}),
    want: ["create backup-29453770"],
    because: "due",
  },
  {
    name: "starts none twice",
    given: cronJob({}, { lastScheduleTime: "2026-01-01T00:10:00Z" }),
    want: [],
    because: "not-due",
  },
  {
    name: "starts none that is in its list",
    given: cronJob({}, { active: [{ ...active[0], name: "backup-29453770" }] }),
    jobs: [running],
    want: [],
    because: "already-started",
  },
  {
    name: "starts none while it is suspended",
    given: cronJob({ suspend: true }),
    want: [],
    because: "suspended",
  },
  {
    name: "starts none before its time",
    given: cronJob({ schedule: "@hourly" }),
    want: [],
    because: "not-due",
  },
  {
    name: "starts none that is too late",
    given: cronJob({ startingDeadlineSeconds: 5 }),
    want: [],
    because: "too-late",
    notices: ["MissSchedule"],
  },
  {
    name: "starts one within its deadline",
    given: cronJob({ startingDeadlineSeconds: 10 + 1 }),
    want: ["create backup-29453770"],
    because: "due",
  },
  {
    name: "runs Jobs side by side",
    given: cronJob({ concurrencyPolicy: "Allow" }, { active }),
    jobs: [running],
    want: ["create backup-29453770"],
    because: "due",
  },
  {
    name: "waits for the one before, if it says so",
    given: cronJob({ concurrencyPolicy: "Forbid" }, { active }),
    jobs: [running],
    want: [],
    because: "prior-job-active",
    notices: ["JobAlreadyActive"],
  },
  {
    name: "replaces the one before, if it says so",
    given: cronJob({ concurrencyPolicy: "Replace" }, { active }),
    jobs: [running],
    want: ["delete backup-1: replaced", "create backup-29453770"],
    because: "due",
  },
  {
    name: "does not wait for one that is gone",
    given: cronJob({ concurrencyPolicy: "Forbid" }, { active }),
    want: ["create backup-29453770"],
    because: "due",
    notices: ["MissingJob"],
  },
  {
    name: "says that it has missed many times",
    given: cronJob({ schedule: "* * * * *" }, { lastScheduleTime: "2025-12-31T00:00:00Z" }),
    want: ["create backup-29453770"],
    because: "due",
    notices: ["TooManyMissedTimes"],
  },
  {
    name: "says that it cannot use its schedule",
    given: cronJob({ schedule: "bogus" }),
    want: [],
    because: "unusable-schedule",
    notices: ["UnparseableSchedule"],
  },
  {
    name: "notices a Job that it does not know",
    given: cronJob({ suspend: true }),
    jobs: [running],
    want: [],
    because: "suspended",
    notices: ["UnexpectedJob"],
  },
  {
    name: "keeps the last three successes and the last failure",
    given: cronJob({ suspend: true }),
    jobs: [
      ...["4", "1", "3", "2"].map((n) => complete(`ok-${n}`, `2026-01-01T00:0${n}:00Z`)),
      failed("bad-2", "2026-01-01T00:02:00Z"),
      failed("bad-1", "2026-01-01T00:01:00Z"),
    ],
    want: ["delete ok-1: history-limit", "delete bad-1: history-limit"],
    because: "suspended",
  },
])("a CronJob $name", ({ given, jobs = [], want, because, notices = [] }) => {
  const plan = planCronJob({ cronJob: given, jobs, now });
  expect({ actions: plan.actions.map(short), because: plan.because }).toEqual({ actions: want, because });
  expect(plan.notices.map(({ reason }) => reason)).toEqual(notices);
});

test("a CronJob forgets Jobs that have finished and remembers the last success", () => {
  const ended = complete("backup-1", "2026-01-01T00:07:00Z");
  const plan = planCronJob({ cronJob: cronJob({ suspend: true }, { active }), jobs: [ended], now });
  expect(plan.status).toEqual({ lastSuccessfulTime: "2026-01-01T00:07:00Z" });
  expect(plan.notices).toEqual([
    {
      type: "Normal",
      reason: "SawCompletedJob",
      message: "Saw completed job: backup-1, condition: Complete",
    },
  ]);
});

test("a CronJob looks again when it is due next", () => {
  const { recheckAt } = planCronJob({ cronJob: cronJob({}), jobs: [], now });
  expect(recheckAt).toBe(parseTime("2026-01-01T00:15:00Z"));
});

test("a CronJob with an interval looks again when that has passed since the last time, not since now", () => {
  const given = cronJob({ schedule: "@every 1h" }, { lastScheduleTime: "2026-01-01T00:00:30Z" });
  const { recheckAt } = planCronJob({ cronJob: given, jobs: [], now });
  expect(recheckAt).toBe(parseTime("2026-01-01T01:00:30Z"));
});

test("of Jobs that started in the same second, a CronJob deletes those first whose names come first", () => {
  const jobs = ["b", "a", "d", "c"].map((name) => complete(name, "2026-01-01T00:01:00Z"));
  const given = cronJob({ suspend: true, successfulJobsHistoryLimit: 2 });
  const { actions } = planCronJob({ cronJob: given, jobs, now });
  expect(actions.map(short)).toEqual(["delete a: history-limit", "delete b: history-limit"]);
});

test("a Job of a CronJob says for which time it is, and whose it is", () => {
  const labels = { app: "backup" };
  const given = cronJob({
    timeZone: "Europe/Paris",
    jobTemplate: { metadata: { labels }, spec: { template: {} } },
  });
  const [action] = planCronJob({ cronJob: given, jobs: [], now }).actions;
  expect(action?.kind === "create-job" ? action.draft.metadata : undefined).toMatchObject({
    labels,
    annotations: { "batch.kubernetes.io/cronjob-scheduled-timestamp": "2026-01-01T01:10:00+01:00" },
    ownerReferences: [{ kind: "CronJob", name: "backup", uid: "c1", controller: true }],
  });
});

test("a Job that was started is active, once", () => {
  const once = withStartedJob({}, running, now);
  expect(once).toMatchObject({ active, lastScheduleTime: "2026-01-01T00:10:10Z" });
  expect(withStartedJob(once, running, now)).toEqual(once);
});
