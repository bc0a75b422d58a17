import type { CronJob, CronJobStatus, Job } from "../../api/generated/batch-v1.ts";
import { finishedCondition, isFinished } from "../../api/job-state.ts";
import { apiVersionOf } from "../../api/resource.ts";
import { jobs as jobResource } from "../../api/resources.ts";
import { formatTime, type Instant } from "../../api/time.ts";

/** An Event about a CronJob. */
export interface CronJobNotice {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** The status once a Job was started for a time of the schedule. */
export function withStartedJob(status: CronJobStatus, job: Job, scheduledAt: Instant): CronJobStatus {
  const { namespace, name, uid, resourceVersion } = job.metadata;
  const reference = {
    kind: jobResource.kind,
    ...(namespace !== undefined && { namespace }),
    name,
    uid,
    apiVersion: apiVersionOf(jobResource),
    resourceVersion,
  };
  const others = (status.active ?? []).filter((active) => active.uid !== uid);
  return { ...status, active: [...others, reference], lastScheduleTime: formatTime(scheduledAt) };
}

/** The status once a Job was deleted. */
export function withoutDeletedJob(status: CronJobStatus, { metadata }: Job): CronJobStatus {
  const { active = [], ...rest } = status;
  const left = active.filter(({ uid }) => uid !== metadata.uid);
  return left.length === 0 ? rest : { ...rest, active: left };
}

/** The status without active Jobs that have finished or are gone, and with the last success. */
export function observeJobs(
  { status: known = {} }: CronJob,
  jobs: readonly Job[],
): { readonly status: CronJobStatus; readonly notices: readonly CronJobNotice[] } {
  const { active = [], ...rest } = known;
  const byUid = new Map(jobs.map((job) => [job.metadata.uid, job]));
  const isRunning = (uid = "") => {
    const job = byUid.get(uid);
    return job !== undefined && !isFinished(job);
  };
  const left = active.filter(({ uid }) => isRunning(uid));
  const forgotten = active.filter(({ uid }) => !isRunning(uid));
  const listed = new Set(active.map(({ uid }) => uid));
  const lastSuccessfulTime = lastSuccessOf(jobs, rest.lastSuccessfulTime);
  return {
    status: {
      ...rest,
      ...(left.length > 0 && { active: left }),
      ...(lastSuccessfulTime !== undefined && { lastSuccessfulTime }),
    },
    notices: [
      ...forgotten.map(({ uid = "", name = "" }) => endNotice(byUid.get(uid), name)),
      ...jobs
        .filter((job) => !isFinished(job) && !listed.has(job.metadata.uid))
        .map(({ metadata }) => unexpectedNotice(metadata.name)),
    ],
  };
}

function endNotice(job: Job | undefined, name: string): CronJobNotice {
  if (job === undefined)
    return { type: "Normal", reason: "MissingJob", message: `Active job went missing: ${name}` };
  const condition = finishedCondition(job)?.type ?? "";
  const message = `Saw completed job: ${name}, condition: ${condition}`;
  return { type: "Normal", reason: "SawCompletedJob", message };
}

function unexpectedNotice(name: string): CronJobNotice {
  const message = `Saw a job that the controller did not create or forgot: ${name}`;
  return { type: "Warning", reason: "UnexpectedJob", message };
}

function lastSuccessOf(jobs: readonly Job[], last: string | undefined): string | undefined {
  const times = jobs.map(({ status }) => status?.completionTime).filter((time) => time !== undefined);
  return [...times, ...(last === undefined ? [] : [last])].toSorted().at(-1);
}
