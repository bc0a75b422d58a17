import type { Job } from "../../api/generated/batch-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { isTracked, jobTrackingFinalizer } from "../../api/job-state.ts";
import { jobs as jobResource, pods as podResource } from "../../api/resources.ts";
import { compareResourceVersions } from "../../api/resource-version.ts";
import { isFailedPod, type JobState, uncountedOf } from "../../decisions/jobs/job-tally.ts";
import { planJob } from "../../decisions/jobs/plan-job.ts";
import { attemptAll } from "../../machinery/attempt-all.ts";
import { isNotFound } from "../../machinery/client/api-error.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import { claimObjects } from "../../machinery/ownership/claim-objects.ts";
import type { OwnerIndex } from "../../machinery/ownership/owner-index.ts";
import type { JobSync } from "./sync-context.ts";
import type { JobSyncState } from "./sync-state.ts";

/** Where the state of a Job is gathered from. */
interface JobStateSources {
  readonly pods: Pick<Informer<Pod>, "resourceVersion">;
  readonly index: Pick<OwnerIndex<Job, Pod>, "claimableBy">;
}

/** The part of a sync that gathering needs. */
interface JobGathering extends Pick<
  JobSync,
  "key" | "job" | "selection" | "client" | "clock" | "wrote" | "signal"
> {
  readonly syncState: Pick<JobSyncState, "released" | "backoffs">;
}

/** Claims a Job's Pods and gathers all that a plan for it depends on. */
export async function gatherJobState(
  { pods: informer, index }: JobStateSources,
  context: JobGathering,
  isExpecting: boolean,
): Promise<JobState> {
  const { key, job, clock, syncState } = context;
  const readUpTo = informer.resourceVersion;
  const finalizers = [jobTrackingFinalizer];
  const claim = { ...context, owner: job, ownerResource: jobResource, resource: podResource, finalizers };
  const pods = await claimObjects(index.claimableBy(job), claim);
  const released = syncState.released.among(key, pods);
  const backoff = syncState.backoffs.get(key);
  const state = { job, pods, released, isExpecting, backoff, now: clock.now() };
  const isOlder = (compareResourceVersions(readUpTo, job.metadata.resourceVersion) ?? 0) < 0;
  return isOlder ? withoutCounted(state, context) : state;
}

/**
 * Marks the Pods that the Job has counted already as released. A Job that was read later than its Pods may have counted
 * them: another copy of the controller, or this one before a restart, did so. Only the Pods that would be counted now are
 * read again.
 */
async function withoutCounted(state: JobState, context: JobGathering): Promise<JobState> {
  const uncounted = uncountedPods(state);
  const finished = uncounted.filter((pod) => hasFinished(state.job, pod));
  const settled = withReleased(state, await releasedSince(finished, context));
  const running = uncounted.filter((pod) => !hasFinished(state.job, pod));
  // A Job that fails counts its running Pods as failures.
  if (running.length === 0 || planJob(settled).verdict?.type !== "FailureTarget") return settled;
  return withReleased(settled, await releasedSince(running, context));
}

/** Returns the Pods that seem to be tracked and are not yet listed for counting. */
function uncountedPods({ job, pods, released }: JobState): readonly Pod[] {
  const { succeeded, failed } = uncountedOf(job);
  const isKnown = (uid: string) => succeeded.has(uid) || failed.has(uid) || released.has(uid);
  return pods.filter((pod) => isTracked(pod) && !isKnown(pod.metadata.uid));
}

function hasFinished(job: Job, pod: Pod): boolean {
  return pod.status?.phase === "Succeeded" || isFailedPod(job, pod);
}

function withReleased(state: JobState, uids: ReadonlySet<string>): JobState {
  return { ...state, released: new Set([...state.released, ...uids]) };
}

/** Reads Pods again; returns the UIDs of those that have lost their tracking finalizer since the informer read them. */
async function releasedSince(
  pods: readonly Pod[],
  { client, clock, signal }: JobGathering,
): Promise<ReadonlySet<string>> {
  const uids = new Set<string>();
  const check = async ({ metadata }: Pod) => {
    try {
      const live = await client.get(podResource, metadata, signal);
      if (live.metadata.uid !== metadata.uid || !isTracked(live)) uids.add(metadata.uid);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      uids.add(metadata.uid);
    }
  };
  const [error] = await attemptAll(pods, check, clock);
  if (error !== undefined) throw error;
  return uids;
}
