import type { Job, JobStatus } from "../../api/generated/batch-v1.ts";
import { isFinished, isManagedElsewhere } from "../../api/job-state.ts";
import { isBeingDeleted, keyOf } from "../../api/object.ts";
import { jobs as jobResource } from "../../api/resources.ts";
import { semanticEqual } from "../../api/schema/semantic-equality.ts";
import { planJob } from "../../decisions/jobs/plan-job.ts";
import { settlePods, trackPods } from "../../decisions/jobs/track-pods.ts";
import {
  type ControllerSpec,
  done,
  type ReconcileResult,
  watching,
  type KeyQueue,
} from "../../machinery/controller.ts";
import { ownerIndexOf, type OwnerIndex } from "../../machinery/ownership/owner-index.ts";
import { workloadSelection } from "../../api/labels/workload-selection.ts";
import { applyJobActions } from "./apply-actions.ts";
import { type JobDependencies, type JobSync, jobEventsOf } from "./sync-context.ts";
import { gatherJobState } from "./gather-state.ts";
import { releasePods } from "./release-pods.ts";
import { newJobSyncState, type JobSyncState } from "./sync-state.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { ResourceEventHandler } from "../../machinery/informer/informer.ts";
import { enqueueOwner } from "../../machinery/ownership/enqueue-owner.ts";

/** Runs the Pods of every Job until enough of them have succeeded or too many have failed. */
export function jobController(deps: JobDependencies): ControllerSpec {
  const { client, clock, jobs, pods, log } = deps;
  const index = ownerIndexOf({ owners: jobs, dependents: pods, selectionOf: workloadSelection });
  const syncState = newJobSyncState(deps);
  const { expectations, readYourWrites } = syncState;

  const contextOf = (key: string, job: Job, signal: AbortSignal): JobSync | undefined => {
    const selection = workloadSelection(job);
    if (selection === undefined) return undefined;
    const { uid } = job.metadata;
    const jobEvents = jobEventsOf(job, deps.events);
    const wrote: JobSync["wrote"] = (resource, { metadata }) =>
      readYourWrites.record({ key, uid }, resource, metadata.resourceVersion);
    const isJobAlive = () => {
      const known = jobs.get(key);
      return known?.metadata.uid === uid && !isBeingDeleted(known);
    };
    return { key, job, selection, client, clock, syncState, jobEvents, isJobAlive, wrote, signal };
  };

  return {
    name: "job",
    workers: 5,
    watches: [
      watching(jobs, jobEventHandler(syncState)),
      watching(pods, jobPodEventHandler(index, syncState)),
    ],
    written: readYourWrites,

    async reconcile(key, signal) {
      // Read before the informers: otherwise a Pod observed in between would be missed and created a second time.
      const isExpecting = !expectations.areSatisfied(key);
      const job = jobs.get(key);
      if (job === undefined || isFinished(job) || isManagedElsewhere(job)) {
        syncState.forget(key);
        return done;
      }
      const context = contextOf(key, job, signal);
      if (context === undefined) {
        log.warn("selector cannot be used", { kind: "Job", key });
        return done; // until it changes
      }
      const state = await gatherJobState({ pods, index }, context, isExpecting);
      const recheckAt = await syncJob(state, context);
      const expireInMs = expectations.expireInMs(key) ?? Infinity;
      return requeueAfter(Math.min(recheckAt - clock.now(), expireInMs));
    },
  };
}

/** Plans, applies the plan and counts Pods; resolves to the delay until the next sync. */
async function syncJob(state: Parameters<typeof planJob>[0], context: JobSync): Promise<number> {
  const { key, clock, syncState, jobEvents } = context;
  const plan = planJob(state);
  const { created, deleted, error } = await applyJobActions(plan.actions, context);
  const isCertain = error === undefined && !state.isExpecting;
  const tracking = trackPods(plan, { created, deleted, isCertain }, clock.now());
  const tracked = await writeStatus(state.job, tracking.status, context);
  syncState.backoffs.set(key, plan.backoff);
  jobEvents.suspension(tracking.status);

  const released = await releasePods(tracking.release, context);
  const { status, finished } = settlePods(tracking, released.uids, clock.now());
  await writeStatus(tracked, status, context);
  if (finished !== undefined) jobEvents.finished(finished);
  const failure = error ?? released.error;
  if (failure !== undefined) throw failure;
  return plan.recheckAt ?? Infinity;
}

/**
 * Writes a status unless it is stored already; resolves to the Job as stored. The version has to be the one that was read:
 * a status that another writer has changed meanwhile would count its Pods twice.
 */
async function writeStatus(job: Job, status: JobStatus, { client, wrote, signal }: JobSync): Promise<Job> {
  if (semanticEqual("batch.v1.JobStatus", job.status ?? {}, status)) return job;
  const written = await client.update(jobResource, { ...job, status }, { subresource: "status", signal });
  wrote(jobResource, written);
  return written;
}

function requeueAfter(requeueAfterMs: number): ReconcileResult {
  return requeueAfterMs === Infinity ? done : { requeueAfterMs };
}

/** Enqueues the Job of a Pod, or those that could adopt it, and observes what the Job expects. */
function jobPodEventHandler(index: OwnerIndex<Job, Pod>, { expectations }: JobSyncState) {
  return enqueueOwner(index, (queue) => ({
    enqueue: enqueueBatched(queue),
    created: (job) => expectations.creationObserved(keyOf(job)),
    ended: (job, pod) => expectations.deletionObserved(keyOf(job), keyOf(pod)),
  }));
}

/** Enqueues the Job itself, and forgets the state of one that is gone. */
function jobEventHandler(syncState: JobSyncState) {
  return (queue: KeyQueue): ResourceEventHandler<Job> => {
    const enqueue = (job: Job) => queue.add(keyOf(job));
    return {
      added: enqueue,
      updated: (_old, job) => enqueue(job),
      deleted(job) {
        syncState.forget(keyOf(job), job.metadata.uid);
        enqueue(job);
      },
    };
  };
}

/** Jobs with fewer Pods are synced without a delay, because such a sync is cheap. */
const batchedFrom = 100;

/** Enqueues Jobs with few Pods at once, and Jobs with many after a short delay that collects their events. */
function enqueueBatched(queue: KeyQueue): (job: Job) => void {
  return (job) => {
    const { parallelism = 1 } = job.spec;
    if (parallelism < batchedFrom) queue.add(keyOf(job));
    else queue.addAfter(keyOf(job), 1 + Math.floor(parallelism / 1000));
  };
}
