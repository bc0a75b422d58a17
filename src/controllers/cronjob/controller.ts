import type { CronJob, CronJobStatus, Job } from "../../api/generated/batch-v1.ts";
import { messageOf } from "../../api/message-of.ts";
import { isControlledBy } from "../../api/owner-references.ts";
import { cronJobs as cronJobResource, jobs as jobResource } from "../../api/resources.ts";
import { semanticEqual } from "../../api/schema/semantic-equality.ts";
import { withoutDeletedJob, withStartedJob } from "../../decisions/jobs/cron-job-status.ts";
import { type CronJobAction, type CronJobPlan, planCronJob } from "../../decisions/jobs/plan-cron-job.ts";
import {
  hasCause,
  isAlreadyExists,
  isConflict,
  isNotFound,
  ifFound,
} from "../../machinery/client/api-error.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import { type ControllerSpec, done, watching } from "../../machinery/controller.ts";
import { type EventDraft, type EventRecorder, referenceTo } from "../../machinery/events/event-draft.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import { enqueueObject, enqueueOwner } from "../../machinery/ownership/enqueue-owner.ts";
import { ownerIndexOf } from "../../machinery/ownership/owner-index.ts";
import { ReadYourWrites } from "../../machinery/read-your-writes.ts";

/** What the CronJob controller depends on. */
export interface CronJobDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly cronJobs: Informer<CronJob>;
  readonly jobs: Informer<Job>;
  /** Its source is `cronjob-controller`. */
  readonly events: EventRecorder;
}

/** One sync of one CronJob. */
interface SyncContext {
  readonly cronJob: CronJob;
  readonly client: Client;
  readonly record: (type: EventDraft["type"], reason: string, message: string) => void;
  readonly wrote: (resource: typeof jobResource | typeof cronJobResource, written: Job | CronJob) => void;
  readonly signal: AbortSignal;
}

/** Creates the Jobs of CronJobs when they are due. */
export function cronJobController(deps: CronJobDependencies): ControllerSpec {
  const { client, clock, cronJobs, jobs, events } = deps;
  // A CronJob owns the Jobs it has created; it selects none.
  const index = ownerIndexOf({ owners: cronJobs, dependents: jobs, selectionOf: () => undefined });
  const readYourWrites = new ReadYourWrites([cronJobs, jobs]);

  const contextOf = (key: string, cronJob: CronJob, signal: AbortSignal): SyncContext => {
    const regarding = referenceTo(cronJobResource, cronJob);
    const { uid } = cronJob.metadata;
    return {
      cronJob,
      client,
      record: (type, reason, message) => events.record({ regarding, type, reason, message }),
      wrote: (resource, { metadata }) =>
        readYourWrites.record({ key, uid }, resource, metadata.resourceVersion),
      signal,
    };
  };

  return {
    name: "cronjob",
    workers: 5,
    watches: [watching<CronJob>(cronJobs, enqueueObject), watching(jobs, enqueueOwner(index))],
    written: readYourWrites,

    async reconcile(key, signal) {
      const cronJob = cronJobs.get(key);
      if (cronJob === undefined) {
        readYourWrites.forget(key);
        return done; // the garbage collector deletes its Jobs
      }
      const context = contextOf(key, cronJob, signal);
      const owned = index.controlledBy(cronJob);
      const state = { cronJob, jobs: [...owned, ...(await unlistedJobs(owned, context))], now: clock.now() };
      const plan = planCronJob(state);
      for (const { type, reason, message } of plan.notices) context.record(type, reason, message);
      const { status, error } = await applyActions(plan, context);
      await writeStatus(status, context);
      if (error !== undefined) throw error;
      return plan.recheckAt === undefined ? done : { requeueAt: plan.recheckAt };
    },
  };
}

/** Returns the active Jobs that exist but that the informer, which may lag behind, does not have. */
async function unlistedJobs(
  owned: readonly Job[],
  { cronJob, client, signal }: SyncContext,
): Promise<readonly Job[]> {
  const listed = new Set(owned.map(({ metadata }) => metadata.uid));
  const found: Job[] = [];
  for (const { uid = "", name = "" } of cronJob.status?.active ?? []) {
    if (listed.has(uid)) continue;
    const place = { namespace: cronJob.metadata.namespace, name };
    const job = await ifFound(client.get(jobResource, place, signal));
    if (job?.metadata.uid === uid) found.push(job);
  }
  return found;
}

/** The result of the actions; the caller throws the first error once the status is written. */
interface Applied {
  readonly status: CronJobStatus;
  readonly error?: unknown;
}

/**
 * Applies the actions of a plan in order. After an error it creates no more Jobs, but still deletes those beyond the
 * history limits: they may use up the quota that the creation needs.
 */
async function applyActions(plan: CronJobPlan, context: SyncContext): Promise<Applied> {
  let { status } = plan;
  const errors: unknown[] = [];
  for (const action of plan.actions) {
    const isOld = action.kind === "delete-job" && action.because === "history-limit";
    if (errors.length > 0 && !isOld) continue;
    try {
      status = await apply(action, status, context);
    } catch (error) {
      errors.push(error);
    }
  }
  return { status, error: errors[0] };
}

/** Applies an action; resolves to the status that follows. */
async function apply(
  action: CronJobAction,
  status: CronJobStatus,
  context: SyncContext,
): Promise<CronJobStatus> {
  if (action.kind === "delete-job") {
    await deleteJob(action.job, context);
    return withoutDeletedJob(status, action.job);
  }
  const job = await createJob(action, context);
  return job === undefined ? status : withStartedJob(status, job, action.scheduledAt);
}

/** Creates a Job; resolves to the existing one if it was created before, and to `undefined` if another owner controls that. */
async function createJob(
  { draft }: Extract<CronJobAction, { kind: "create-job" }>,
  { cronJob, client, record, wrote, signal }: SyncContext,
): Promise<Job | undefined> {
  try {
    const job = await client.create(jobResource, draft, { signal });
    wrote(jobResource, job);
    record("Normal", "SuccessfulCreate", `Created job ${job.metadata.name}`);
    return job;
  } catch (error) {
    if (isAlreadyExists(error)) {
      const { namespace, name = "" } = draft.metadata;
      const existing = await client.get(jobResource, { namespace, name }, signal);
      return isControlledBy(existing, cronJob.metadata.uid) ? existing : undefined;
    }
    if (!hasCause(error, "NamespaceTerminating"))
      record("Warning", "FailedCreate", `Error creating job: ${messageOf(error)}`);
    throw error;
  }
}

async function deleteJob(job: Job, { client, record, signal }: SyncContext): Promise<void> {
  const { name, uid } = job.metadata;
  try {
    const options = { propagationPolicy: "Background", preconditions: { uid }, signal } as const;
    await client.delete(jobResource, job.metadata, options);
    record("Normal", "SuccessfulDelete", `Deleted job ${name}`);
  } catch (error) {
    if (isNotFound(error) || isConflict(error)) return; // deleted already, even if another Job has its name
    record("Warning", "FailedDelete", `Deleted job: ${messageOf(error)}`);
    throw error;
  }
}

async function writeStatus(status: CronJobStatus, context: SyncContext): Promise<void> {
  const { cronJob, client, wrote, signal } = context;
  if (semanticEqual("batch.v1.CronJobStatus", cronJob.status ?? {}, status)) return;
  const updated = { ...cronJob, status };
  wrote(cronJobResource, await client.update(cronJobResource, updated, { subresource: "status", signal }));
}
