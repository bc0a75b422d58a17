import {
  type CompletionIndexes,
  countIndexes,
  formatCompletionIndexes,
  withIndexes,
} from "../../api/completion-indexes.ts";
import type { Job, JobCondition, JobStatus } from "../../api/generated/batch-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { completionIndexOf, isIndexed } from "../../api/job-state.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { isReady } from "../../api/pod-state.ts";
import { formatTime, type Instant } from "../../api/time.ts";
import { conditionOf, jobConditionsOf, startTimeOf } from "./job-conditions.ts";
import { hasLimitPerIndex } from "./index-failures.ts";
import {
  completedIndexesOf,
  hasSucceededInTime,
  hasValidIndex,
  isFailedPod,
  uncountedOf,
} from "./job-tally.ts";
import { completionsReached, type JobVerdict } from "./job-verdict.ts";
import type { JobPlan } from "./plan-job.ts";
import { judgeFailure } from "./pod-failure-policy.ts";
import { encodedStatus, withReleasedCounted } from "./uncounted-pods.ts";

// A Pod is counted in three writes, each of which can be repeated: its UID is listed as uncounted in the status, it loses
// its tracking finalizer, and then the UID is replaced by one more in a counter. A controller that stops in between finds
// either the finalizer, or the UID without a finalizer, and goes on from there.

/** The outcome of a plan's actions. */
export interface JobOutcome {
  /** How many Pods were created. */
  readonly created: number;
  /** The Pods that were deleted. */
  readonly deleted: readonly Pod[];
  /** Whether every action succeeded, and the plan was made on Pods that are up to date. */
  readonly isCertain: boolean;
}

/** What to write before Pods lose their finalizers, and which ones do. */
export interface Tracking {
  /** The status to write first. */
  readonly status: JobStatus;
  /** The Pods to take the tracking finalizer from, then. */
  readonly release: readonly Pod[];
  /** The UIDs of all Pods that have the finalizer. */
  readonly tracked: ReadonlySet<string>;
  /** How the Job ends when all of its Pods are counted. */
  readonly verdict?: JobVerdict;
}

/** More UIDs would make the status too large; the next sync goes on. */
const mostUncounted = 500;

/** Lists the Pods that have finished, and how the Job goes on. */
// upstream: trackJobStatusAndRemoveFinalizers
export function trackPods(plan: JobPlan, outcome: JobOutcome, now: Instant): Tracking {
  const { job, tally } = plan;
  const verdict = verdictOf(plan, outcome);
  const tracked = new Set(tally.tracked.map(({ metadata }) => metadata.uid));
  const counted = withReleasedCounted({ ...job.status }, tracked);
  const finished = listFinished(plan, verdict, counted);
  const conditions = jobConditionsOf(plan, verdict, now);
  const { active, deletedReady } = activeAfter(plan, outcome);
  // The API server refuses a Job that has finished and never started, as one that ends while it is suspended.
  const endTime = verdict === undefined ? undefined : formatTime(now);
  return {
    status: encodedStatus({
      ...finished.status,
      conditions,
      startTime: startTimeOf(plan, conditions, now) ?? endTime,
      active,
      ready: tally.ready - deletedReady,
      terminating: tally.terminating + outcome.deleted.length,
    }),
    release: finished.release,
    tracked,
    ...(verdict !== undefined && !finished.isCut && { verdict }),
  };
}

/** The status when these Pods have lost their finalizers too: they are counted, and the Job may have finished. */
export interface Settlement {
  readonly status: JobStatus;
  /** The condition that the Job has finished with just now. */
  readonly finished?: JobCondition;
}

/** Counts the Pods that were released, and finishes the Job when nothing is left to count or to wait for. */
// upstream: flushUncountedAndRemoveFinalizers, enactJobFinished
export function settlePods(tracking: Tracking, released: ReadonlySet<string>, now: Instant): Settlement {
  const { tracked, verdict } = tracking;
  const stillTracked = new Set([...tracked].filter((uid) => !released.has(uid)));
  const status = withReleasedCounted(tracking.status, stillTracked);
  if (verdict === undefined || isWaiting(status)) return { status };
  const type = verdict.type === "FailureTarget" ? "Failed" : "Complete";
  const finished = conditionOf({ ...verdict, type, status: "True" }, now);
  return {
    finished,
    status: {
      ...status,
      conditions: [...(status.conditions ?? []), finished],
      ...(type === "Complete" && { completionTime: formatTime(now) }),
    },
  };
}

/** Whether there are Pods that run, end or are not counted. */
function isWaiting({
  active = 0,
  terminating = 0,
  uncountedTerminatedPods: uncounted = {},
}: JobStatus): boolean {
  const { succeeded = [], failed = [] } = uncounted;
  return active + terminating + succeeded.length + failed.length > 0;
}

/** The verdict of the plan, or that the completions are reached and no Pod is active any more. */
function verdictOf(plan: JobPlan, outcome: JobOutcome): JobVerdict | undefined {
  if (plan.verdict !== undefined) return outcome.isCertain ? plan.verdict : undefined;
  const { job, tally } = plan;
  const needed = job.spec.completions ?? 1;
  return tally.succeeded >= needed && activeAfter(plan, outcome).active === 0
    ? completionsReached
    : undefined;
}

function activeAfter({ tally }: JobPlan, { created, deleted }: JobOutcome) {
  return {
    active: tally.active.length + created - deleted.length,
    deletedReady: deleted.filter(isReady).length,
  };
}

interface FinishedPods {
  readonly status: JobStatus;
  readonly release: readonly Pod[];
  /** Whether there are more Pods than fit into one status. */
  readonly isCut: boolean;
}

function listFinished(plan: JobPlan, verdict: JobVerdict | undefined, status: JobStatus): FinishedPods {
  const { job } = plan;
  const completed = completedIndexesOf(job);
  const listed = uncountedOf({ ...job, status });
  const succeeded = new Set(listed.succeeded);
  const failed = new Set(listed.failed);
  const indexes = new Set<number>();
  const release: Pod[] = [];
  // Listed UIDs make room only when their Pods are released.
  const hasRoomFor = (uid: string) =>
    succeeded.has(uid) || failed.has(uid) || indexes.size + succeeded.size + failed.size < mostUncounted;
  const releasable = releasablePods(plan, verdict);
  for (const pod of releasable) {
    const { uid } = pod.metadata;
    if (!hasRoomFor(uid)) continue;
    release.push(pod);
    // What a Pod was listed as, it counts as: its phase may have been overwritten by a component with an older view.
    const listedAs = failed.has(uid) ? "failure" : succeeded.has(uid) ? "success" : undefined;
    const count = listedAs ?? countOf(job, pod, verdict);
    const index = isIndexed(job) ? completionIndexOf(pod) : undefined;
    if (count === "failure") failed.add(uid);
    if (count !== "success") continue;
    // An index is enough not to count a success twice.
    if (index === undefined) succeeded.add(uid);
    else indexes.add(index);
  }
  const completedIndexes = withIndexes(completed, indexes);
  const uncountedTerminatedPods = { succeeded: [...succeeded], failed: [...failed] };
  return {
    status: encodedStatus({ ...status, ...indexCounts(plan, completedIndexes), uncountedTerminatedPods }),
    release,
    isCut: release.length < releasable.length,
  };
}

function indexCounts({ job, tally }: JobPlan, completed: CompletionIndexes): JobStatus {
  if (!isIndexed(job)) return {};
  return {
    succeeded: countIndexes(completed),
    completedIndexes: formatCompletionIndexes(completed),
    ...(hasLimitPerIndex(job) && { failedIndexes: formatCompletionIndexes(tally.failedIndexes) }),
  };
}

/** The Pods that need not be tracked any more, in the order of their indexes. */
function releasablePods({ job, tally }: JobPlan, verdict: JobVerdict | undefined): readonly Pod[] {
  const goesOn = verdict === undefined && !isBeingDeleted(job);
  const kept = new Set(goesOn ? tally.awaitingReplacement.values() : []);
  const releasable = tally.tracked.filter((pod) => isReleasable(job, pod, verdict) && !kept.has(pod));
  return inOrderOfIndex(job, releasable);
}

function inOrderOfIndex(job: Job, pods: readonly Pod[]): readonly Pod[] {
  if (!isIndexed(job)) return pods;
  return pods.toSorted((a, b) => (completionIndexOf(a) ?? -1) - (completionIndexOf(b) ?? -1));
}

/** Whether a Pod need not be tracked any more: it has finished, or the Job has. */
function isReleasable(job: Job, pod: Pod, verdict: JobVerdict | undefined): boolean {
  if (isBeingDeleted(job) || verdict !== undefined) return true;
  return pod.status?.phase === "Succeeded" || isFailedPod(job, pod);
}

/** What a Pod that is released counts as. When a Job fails, every Pod that has not succeeded is a failure. */
function countOf(job: Job, pod: Pod, verdict: JobVerdict | undefined): "success" | "failure" | "nothing" {
  if (!hasValidIndex(job, pod)) return "nothing";
  if (pod.status?.phase === "Succeeded") return hasSucceededInTime(job, pod) ? "success" : "nothing";
  const isFailure = isFailedPod(job, pod) || verdict?.type === "FailureTarget";
  return isFailure && judgeFailure(job, pod).kind !== "ignore" ? "failure" : "nothing";
}
