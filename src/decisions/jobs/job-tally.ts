import {
  type CompletionIndexes,
  countIndexes,
  hasIndex,
  parseCompletionIndexes,
  withIndexes,
} from "../../api/completion-indexes.ts";
import type { Job } from "../../api/generated/batch-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { completionIndexOf, isIndexed, isTracked } from "../../api/job-state.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { isActive, isReady, isTerminating } from "../../api/pod-state.ts";
import type { Instant } from "../../api/time.ts";
import { awaitingReplacement, failedIndexesOf } from "./index-failures.ts";
import type { PodBackoff } from "./pod-backoff.ts";
import { judgeFailure } from "./pod-failure-policy.ts";

/** All that a plan for a Job depends on. */
export interface JobState {
  readonly job: Job;
  /** The Pods it controls. */
  readonly pods: readonly Pod[];
  /** The UIDs of Pods that have lost their tracking finalizer already, though `pods` may not show it. */
  readonly released: ReadonlySet<string>;
  /** Whether Pods that were created or deleted are missing in `pods`: then none are created or deleted. */
  readonly isExpecting: boolean;
  /** Absent: not known, as after a restart of the controller. */
  readonly backoff?: PodBackoff | undefined;
  readonly now: Instant;
}

/** What has become of a Job's Pods. */
export interface JobTally {
  readonly active: readonly Pod[];
  readonly ready: number;
  /** Being deleted, and not finished. */
  readonly terminating: number;
  /** The Pods that still have the tracking finalizer. */
  readonly tracked: readonly Pod[];
  /** Those of them that have finished and are in no counter and in no list of the status. */
  readonly newlySucceeded: readonly Pod[];
  readonly newlyFailed: readonly Pod[];
  /** Successes and failures in all, as far as they count. */
  readonly succeeded: number;
  readonly failed: number;
  /** The indexes that have succeeded; empty unless the Job is Indexed. */
  readonly succeededIndexes: CompletionIndexes;
  /** The indexes that have failed for good; empty unless every index has a limit of its own. */
  readonly failedIndexes: CompletionIndexes;
  /** The last failed Pod of every index with a limit of its own that has to be tried again. */
  readonly awaitingReplacement: ReadonlyMap<number, Pod>;
}

/** Counts a Job's Pods, those in its status and those that have finished since. */
export function tallyJob(state: JobState): JobTally {
  const { job, pods, released } = state;
  const { status = {} } = job;
  const active = pods.filter(isActive);
  const tracked = pods.filter((pod) => isTracked(pod) && !released.has(pod.metadata.uid));
  const uncounted = uncountedOf(job);
  const countable = tracked.filter((pod) => hasValidIndex(job, pod));
  const newlySucceeded = countable.filter(
    (pod) => hasSucceededInTime(job, pod) && !uncounted.succeeded.has(pod.metadata.uid),
  );
  const failedPods = countable.filter((pod) => isFailedPod(job, pod));
  const newlyFailed = failedPods.filter(({ metadata }) => !uncounted.failed.has(metadata.uid));
  const counting = newlyFailed.filter((pod) => judgeFailure(job, pod).kind !== "ignore");
  const succeededIndexes = withIndexes(
    completedIndexesOf(job),
    isIndexed(job) ? newlySucceeded.map((pod) => completionIndexOf(pod) ?? 0) : [],
  );
  // Where two copies of the controller have created two Pods of an index, the first that ends decides.
  const undecided = failedPods.filter((pod) => !hasIndex(succeededIndexes, completionIndexOf(pod) ?? -1));
  const failedIndexes = failedIndexesOf(job, undecided);
  const indexes = { succeeded: succeededIndexes, failed: failedIndexes, active };
  return {
    active,
    ready: active.filter(isReady).length,
    terminating: pods.filter(isTerminating).length,
    tracked,
    newlySucceeded,
    newlyFailed,
    succeeded: isIndexed(job)
      ? countIndexes(succeededIndexes)
      : (status.succeeded ?? 0) + newlySucceeded.length + uncounted.succeeded.size,
    failed: (status.failed ?? 0) + counting.length + uncounted.failed.size,
    succeededIndexes,
    failedIndexes,
    awaitingReplacement: awaitingReplacement(job, failedPods, indexes),
  };
}

/** The UIDs in a Job's status that are to be counted once their Pods have lost the tracking finalizer. */
export function uncountedOf({ status }: Job): {
  readonly succeeded: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
} {
  const { succeeded = [], failed = [] } = status?.uncountedTerminatedPods ?? {};
  return { succeeded: new Set(succeeded), failed: new Set(failed) };
}

/** The indexes in a Job's status that have succeeded, as far as the Job has them. */
export function completedIndexesOf(job: Job): CompletionIndexes {
  return isIndexed(job) ? parseCompletionIndexes(job.status?.completedIndexes, completionsOf(job)) : [];
}

function completionsOf({ spec }: Job): number {
  return spec.completions ?? 0;
}

/** Whether a Pod counts at all: in an Indexed Job only one with an index of the Job. */
export function hasValidIndex(job: Job, pod: Pod): boolean {
  if (!isIndexed(job)) return true;
  const index = completionIndexOf(pod);
  return index !== undefined && index < completionsOf(job);
}

/** Whether a Pod counts as a success: not once its index has failed for good, for no index may be failed and completed. */
export function hasSucceededInTime(job: Job, pod: Pod): boolean {
  if (pod.status?.phase !== "Succeeded") return false;
  const known = failedForGood.get(job) ?? failedIndexesOf(job, []);
  failedForGood.set(job, known);
  return !hasIndex(known, completionIndexOf(pod) ?? -1);
}

/** The failed indexes in the status of Jobs. Objects are immutable, so each status is read once. */
const failedForGood = new WeakMap<Job, CompletionIndexes>();

/** Whether a Job replaces a Pod only when it has finished, not while it is being deleted. */
export function replacesFinishedOnly({ spec }: Job): boolean {
  return spec.podReplacementPolicy === "Failed" || spec.podFailurePolicy !== undefined;
}

/** Whether a Pod counts as a failure: one that is being deleted may never report its end. */
// upstream: isPodFailed
export function isFailedPod(job: Job, pod: Pod): boolean {
  const phase = pod.status?.phase;
  if (phase === "Failed") return true;
  return !replacesFinishedOnly(job) && isBeingDeleted(pod) && phase !== "Succeeded";
}
