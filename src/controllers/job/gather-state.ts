import type { Job } from "../../api/generated/batch-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { isTracked, jobTrackingFinalizer } from "../../api/job-state.ts";
import { jobs as jobResource, pods as podResource } from "../../api/resources.ts";
import { compareResourceVersions } from "../../api/resource-version.ts";
import { isFailedPod, type JobState, uncountedOf } from "../../decisions/jobs/job-tally.ts";
import { attemptAll } from "../../machinery/attempt-all.ts";
import { isNotFound } from "../../machinery/client/api-error.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import { claimObjects } from "../../machinery/ownership/claim-objects.ts";
import type { OwnerIndex } from "../../machinery/ownership/owner-index.ts";
import type { JobSync } from "./sync-context.ts";

/** Where the state of a Job is gathered from. */
export interface JobStateSources {
  readonly pods: Informer<Pod>;
  readonly index: OwnerIndex<Job, Pod>;
}

/** Claims a Job's Pods and gathers all that a plan for it depends on. */
export async function gatherJobState(
  { pods: informer, index }: JobStateSources,
  context: JobSync,
  isExpecting: boolean,
): Promise<JobState> {
  const { key, job, clock, syncState } = context;
  const readUpTo = informer.resourceVersion;
  const finalizers = [jobTrackingFinalizer];
  const claim = { ...context, owner: job, ownerResource: jobResource, resource: podResource, finalizers };
  const pods = await claimObjects(index.claimableBy(job), claim);
  const released = syncState.released.among(key, pods);
  const isOlder = (compareResourceVersions(readUpTo, job.metadata.resourceVersion) ?? 0) < 0;
  const doubtful = isOlder
    ? pods.filter((pod) => isNewlyFinished(job, pod) && !released.has(pod.metadata.uid))
    : [];
  return {
    job,
    pods,
    released: new Set([...released, ...(await countedAlready(doubtful, context))]),
    isExpecting,
    backoff: syncState.backoffs.get(key),
    now: clock.now(),
  };
}

function isNewlyFinished(job: Job, pod: Pod): boolean {
  const { succeeded, failed } = uncountedOf(job);
  const { uid } = pod.metadata;
  const hasFinished = pod.status?.phase === "Succeeded" || isFailedPod(job, pod);
  return isTracked(pod) && hasFinished && !succeeded.has(uid) && !failed.has(uid);
}

/**
 * The UIDs of Pods that have lost their tracking finalizer since the informer read them. A Job that was read later than its
 * Pods may have counted them: another copy of the controller, or this one before a restart, did so.
 */
async function countedAlready(
  pods: readonly Pod[],
  { client, clock, signal }: JobSync,
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
