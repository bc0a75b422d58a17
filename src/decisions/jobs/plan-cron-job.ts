import { type CronTimes, cronTimes } from "../../api/cron-times.ts";
import type { CronJob, CronJobStatus, Job } from "../../api/generated/batch-v1.ts";
import { finishedCondition } from "../../api/job-state.ts";
import { type Draft, isBeingDeleted } from "../../api/object.ts";
import { formatRfc1123, type Instant, parseTime } from "../../api/time.ts";
import { type CronJobNotice, observeJobs } from "./cron-job-status.ts";
import { draftJob } from "./draft-job-pod.ts";

/** All that a plan for a CronJob depends on. */
export interface CronJobState {
  readonly cronJob: CronJob;
  /** The Jobs it controls; those in its list of active Jobs are there unless they are gone. */
  readonly jobs: readonly Job[];
  readonly now: Instant;
}

/** One thing to do for a CronJob. */
export type CronJobAction =
  | { readonly kind: "delete-job"; readonly job: Job; readonly because: "replaced" | "history-limit" }
  | { readonly kind: "create-job"; readonly draft: Draft<Job>; readonly scheduledAt: Instant };

/** Why a plan starts a Job, or does not. */
export type CronJobReason =
  | "being-deleted"
  | "suspended"
  | "unusable-schedule"
  | "not-due"
  | "too-late"
  | "already-started"
  | "prior-job-active"
  | "due";

/** What to do for a CronJob, and why. */
export interface CronJobPlan {
  /** In order. */
  readonly actions: readonly CronJobAction[];
  readonly because: CronJobReason;
  /** The status before the actions; `withStartedJob` and `withoutDeletedJob` follow them. */
  readonly status: CronJobStatus;
  readonly notices: readonly CronJobNotice[];
  readonly recheckAt?: Instant;
}

/** Plans one sync of a CronJob: which Jobs it forgets, which it deletes, and whether one is due. */
// upstream: syncCronJob
export function planCronJob(state: CronJobState): CronJobPlan {
  const { status, notices } = observeJobs(state.cronJob, state.jobs);
  const start = planStart({ ...state, cronJob: { ...state.cronJob, status } });
  return {
    ...start,
    status,
    notices: [...notices, ...start.notices],
    actions: [...start.actions, ...surplusJobs(state)],
  };
}

type Start = Omit<CronJobPlan, "status">;

function planStart(state: CronJobState): Start {
  const { cronJob } = state;
  const nothing = { actions: [], notices: [] };
  if (isBeingDeleted(cronJob)) return { ...nothing, because: "being-deleted" };
  if (cronJob.spec.suspend === true) return { ...nothing, because: "suspended" };
  const { schedule, timeZone } = cronJob.spec;
  const times = cronTimes(schedule, timeZone);
  if (typeof times !== "string") return startAt(times, state);
  const message = `unparseable schedule: ${JSON.stringify(schedule)} : ${times}`;
  const notice = { type: "Warning", reason: "UnparseableSchedule", message } as const;
  return { ...nothing, because: "unusable-schedule", notices: [notice] };
}

function startAt(times: CronTimes, state: CronJobState): Start {
  const { cronJob, now } = state;
  const since = unmetSince(cronJob, now);
  const due = times.latest(since, now);
  const nextAt = times.nextAfter(due ?? since);
  const recheck = nextAt === undefined ? {} : { recheckAt: nextAt };
  if (due === undefined) return { ...recheck, actions: [], notices: [], because: "not-due" };

  const draft = draftJob(cronJob, due);
  const because = judgeStart(state, due, draft);
  return {
    ...recheck,
    because,
    notices: [...(missedCount(times, state) > mostMissed ? [tooManyMissed] : []), ...noticeOf(because, due)],
    actions:
      because === "due" ? [...replacedJobs(state), { kind: "create-job", draft, scheduledAt: due }] : [],
  };
}

/** Whether the Job for a time that has come may start. */
function judgeStart({ cronJob, now }: CronJobState, due: Instant, draft: Draft<Job>): CronJobReason {
  const { spec, status } = cronJob;
  if (due + (spec.startingDeadlineSeconds ?? Infinity) * 1000 < now) return "too-late";
  const active = status?.active ?? [];
  if (active.some(({ name }) => name === draft.metadata.name)) return "already-started";
  return spec.concurrencyPolicy === "Forbid" && active.length > 0 ? "prior-job-active" : "due";
}

function noticeOf(because: CronJobReason, due: Instant): readonly CronJobNotice[] {
  if (because === "too-late") return [missNotice(due)];
  return because === "prior-job-active" ? [alreadyActive] : [];
}

/** The active Jobs that are replaced by the next one. */
function replacedJobs({ cronJob, jobs }: CronJobState): readonly CronJobAction[] {
  if (cronJob.spec.concurrencyPolicy !== "Replace") return [];
  const uids = new Set((cronJob.status?.active ?? []).map(({ uid }) => uid));
  return jobs
    .filter(({ metadata }) => uids.has(metadata.uid))
    .map((job) => ({ kind: "delete-job", job, because: "replaced" }));
}

/** With more missed times than this, one warning reports a possible clock skew. */
const mostMissed = 100;

const tooManyMissed: CronJobNotice = {
  type: "Warning",
  reason: "TooManyMissedTimes",
  message: "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew",
};

const alreadyActive: CronJobNotice = {
  type: "Normal",
  reason: "JobAlreadyActive",
  message: "Not starting job because prior execution is running and concurrency policy is Forbid",
};

function missNotice(due: Instant): CronJobNotice {
  const message = `Missed scheduled time to start a job: ${formatRfc1123(due)}`;
  return { type: "Warning", reason: "MissSchedule", message };
}

/** The time since which scheduled times were missed. */
function unmetSince({ metadata, status }: CronJob, now: Instant): Instant {
  return parseTime(status?.lastScheduleTime) ?? parseTime(metadata.creationTimestamp) ?? now;
}

/** The approximate number of missed times that are still within the starting deadline. */
// upstream: mostRecentScheduleTime
function missedCount(times: CronTimes, { cronJob, now }: CronJobState): number {
  const { startingDeadlineSeconds: deadline = Infinity } = cronJob.spec;
  const first = times.nextAfter(Math.max(unmetSince(cronJob, now), now - deadline * 1000)) ?? Infinity;
  const second = times.nextAfter(first) ?? Infinity;
  return second <= now ? Math.floor((now - first) / (second - first)) + 1 : 0;
}

/** The finished Jobs beyond those that are kept, the oldest first. */
function surplusJobs({ cronJob, jobs }: CronJobState): readonly CronJobAction[] {
  const { successfulJobsHistoryLimit: successes = 3, failedJobsHistoryLimit: failures = 1 } = cronJob.spec;
  const limits = { Complete: successes, Failed: failures };
  return (["Complete", "Failed"] as const).flatMap((type) => {
    const ended = jobs
      .filter((job) => finishedCondition(job)?.type === type && !isBeingDeleted(job))
      .toSorted(byStart);
    const surplus = ended.slice(0, Math.max(0, ended.length - limits[type]));
    return surplus.map((job) => ({ kind: "delete-job", job, because: "history-limit" }) as const);
  });
}

/** Jobs that started in the same second are in the order of their names. */
function byStart(a: Job, b: Job): number {
  return startOf(a) - startOf(b) || (a.metadata.name < b.metadata.name ? -1 : 1);
}

function startOf({ metadata, status }: Job): Instant {
  return parseTime(status?.startTime) ?? parseTime(metadata.creationTimestamp) ?? 0;
}
