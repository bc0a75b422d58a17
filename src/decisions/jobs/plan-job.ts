import { firstMissingIndexes, unionOfIndexes, withIndexes } from "../../api/completion-indexes.ts";
import type { Job } from "../../api/generated/batch-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { completionIndexOf, isIndexed } from "../../api/job-state.ts";
import { isBeingDeleted, type Draft } from "../../api/object.ts";
import { isTerminal, isTerminating } from "../../api/pod-state.ts";
import { formatTime, type Instant } from "../../api/time.ts";
import { chooseSurplus } from "./choose-surplus.ts";
import { draftJobPod } from "./draft-job-pod.ts";
import { hasLimitPerIndex, retryAt } from "./index-failures.ts";
import { type JobState, type JobTally, isFailedPod, replacesFinishedOnly, tallyJob } from "./job-tally.ts";
import { activeDeadlineOf, judgeJob, type JobVerdict } from "./job-verdict.ts";
import { nextCreationAt, noBackoff, type PodBackoff, withFinishedPods } from "./pod-backoff.ts";

/** One thing to do about a Job's Pods. */
export type JobAction =
  | { readonly kind: "create-pods"; readonly drafts: readonly Draft<Pod>[] }
  /** The Pods stay tracked: they count as failures unless they succeed. */
  | { readonly kind: "end-pods"; readonly pods: readonly Pod[] }
  /** The Pods lose their tracking finalizer first: they do not count. */
  | { readonly kind: "remove-pods"; readonly pods: readonly Pod[] };

/** Why a plan has the actions it has. */
export type JobReason =
  | "failing"
  | "succeeding"
  | "being-deleted"
  | "expecting"
  | "suspended"
  | "more-than-desired"
  | "fewer-than-desired"
  | "backing-off"
  | "waiting-for-terminating-pods"
  | "as-many-as-desired";

/** What to do about a Job's Pods, and why. */
export interface JobPlan {
  /** The Job with its start time. */
  readonly job: Job;
  readonly tally: JobTally;
  readonly actions: readonly JobAction[];
  readonly because: JobReason;
  /** How the Job ends, if its Pods decide that it does. */
  readonly verdict?: JobVerdict;
  /** For the next plan, once the status is written. */
  readonly backoff: PodBackoff;
  /** When to look again even if nothing happens. */
  readonly recheckAt?: Instant;
}

/** Limits the Pods that one sync creates or deletes. */
const mostPodsPerSync = 500;

/** Plans one sync of a Job that has not finished. A function of the state alone. */
export function planJob(state: JobState): JobPlan {
  const job = started(state);
  const current = { ...state, job };
  const tally = tallyJob(current);
  const backoff = backoffOf(current, tally);
  const verdict = judgeJob(current, tally);
  const base = { job, tally, backoff };
  if (verdict !== undefined) {
    const actions = nonEmpty({ kind: "end-pods", pods: tally.active });
    const because = verdict.type === "FailureTarget" ? "failing" : "succeeding";
    return { ...base, actions, because, verdict };
  }
  const { recheckAt = Infinity, ...planned } = planPods(current, tally, backoff);
  const at = Math.min(recheckAt, activeDeadlineOf(job) ?? Infinity);
  return { ...base, ...planned, ...(at !== Infinity && { recheckAt: at }) };
}

/** A Job that is not suspended has a start time from its first sync. */
function started({ job, now }: JobState): Job {
  if (job.status?.startTime !== undefined || job.spec.suspend === true) return job;
  return { ...job, status: { ...job.status, startTime: formatTime(now) } };
}

/** A controller that was restarted reads the backoff from the Pods that still exist. */
function backoffOf({ job, pods, backoff }: JobState, tally: JobTally): PodBackoff {
  if (backoff !== undefined)
    return withFinishedPods(backoff, { succeeded: tally.newlySucceeded, failed: tally.newlyFailed });
  return withFinishedPods(noBackoff, {
    succeeded: pods.filter(({ status }) => status?.phase === "Succeeded"),
    failed: pods.filter((pod) => isTerminal(pod) && isFailedPod(job, pod)),
  });
}

type PodPlan = Pick<JobPlan, "actions" | "because" | "recheckAt">;

function planPods(state: JobState, tally: JobTally, backoff: PodBackoff): PodPlan {
  const { job, isExpecting } = state;
  const { active } = tally;
  if (isBeingDeleted(job)) return { actions: [], because: "being-deleted" };
  if (isExpecting) return { actions: [], because: "expecting" };
  if (job.spec.suspend === true)
    return { actions: nonEmpty({ kind: "remove-pods", pods: active }), because: "suspended" };
  const desired = desiredActive(job, tally);
  const surplus = chooseSurplus(job, active, Math.max(0, active.length - desired));
  if (surplus.length > 0) {
    const pods = surplus.slice(0, mostPodsPerSync);
    return { actions: [{ kind: "remove-pods", pods }], because: "more-than-desired" };
  }
  return planCreation(state, { tally, backoff, missing: desired - active.length });
}

/** How many Pods should run: no more than are still needed; none is added once one without completions has succeeded. */
function desiredActive({ spec }: Job, { active, succeeded }: JobTally): number {
  const { completions, parallelism = 1 } = spec;
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(completions - succeeded, parallelism));
}

interface Shortage {
  readonly tally: JobTally;
  readonly backoff: PodBackoff;
  /** How many Pods fewer than desired are active. */
  readonly missing: number;
}

function planCreation(state: JobState, { tally, backoff, missing }: Shortage): PodPlan {
  const { job, now } = state;
  const count = missing - (replacesFinishedOnly(job) ? tally.terminating : 0);
  if (count <= 0)
    return { actions: [], because: missing > 0 ? "waiting-for-terminating-pods" : "as-many-as-desired" };
  const creationAt = hasLimitPerIndex(job) ? 0 : nextCreationAt(backoff);
  if (now < creationAt) return { actions: [], because: "backing-off", recheckAt: creationAt };
  const wanted = Math.min(count, mostPodsPerSync);
  if (isIndexed(job)) return planIndexes(state, tally, wanted);
  const drafts = Array.from({ length: wanted }, () => draftJobPod(job));
  return { actions: [{ kind: "create-pods", drafts }], because: "fewer-than-desired" };
}

/** Plans Pods for the first indexes that have none, as far as they need not wait after a failure. */
function planIndexes({ job, pods, now }: JobState, tally: JobTally, count: number): PodPlan {
  const waiting = replacesFinishedOnly(job) ? pods.filter(isTerminating) : [];
  const taken = [...tally.active, ...waiting].map(completionIndexOf).filter((index) => index !== undefined);
  const ended = unionOfIndexes(tally.succeededIndexes, tally.failedIndexes);
  const missing = firstMissingIndexes(withIndexes(ended, taken), count, job.spec.completions ?? 0);
  const replaced = (index: number) => tally.awaitingReplacement.get(index);
  const due = missing.filter((index) => retryAt(replaced(index)) <= now);
  const recheckAt = Math.min(...missing.map((index) => retryAt(replaced(index))).filter((at) => at > now));
  const recheck = recheckAt === Infinity ? {} : { recheckAt };
  if (due.length === 0)
    return { ...recheck, actions: [], because: missing.length > 0 ? "backing-off" : "as-many-as-desired" };
  const drafts = due.map((index) => draftJobPod(job, index, replaced(index)));
  return { ...recheck, actions: [{ kind: "create-pods", drafts }], because: "fewer-than-desired" };
}

function nonEmpty(action: Exclude<JobAction, { kind: "create-pods" }>): readonly JobAction[] {
  return action.pods.length === 0 ? [] : [action];
}
