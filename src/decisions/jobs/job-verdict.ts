import { findCondition } from "../../api/conditions.ts";
import {
  type CompletionIndexes,
  countCommonIndexes,
  countIndexes,
  parseCompletionIndexes,
} from "../../api/completion-indexes.ts";
import type { Job, JobCondition, SuccessPolicyRule } from "../../api/generated/batch-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { type Instant, parseTime } from "../../api/time.ts";
import { isFailedPod, type JobState, type JobTally } from "./job-tally.ts";
import { judgeFailure } from "./pod-failure-policy.ts";

/** How a Job will end once its Pods have: a condition that announces Failed or Complete. */
export interface JobVerdict {
  readonly type: "FailureTarget" | "SuccessCriteriaMet";
  readonly reason: string;
  readonly message: string;
}

/** A Job reached its completions. */
export const completionsReached: JobVerdict = {
  type: "SuccessCriteriaMet",
  reason: "CompletionsReached",
  message: "Reached expected number of succeeded pods",
};

/** Whether a Job has to end with what its Pods have done; a verdict that is in the status already stays. */
export function judgeJob(state: JobState, tally: JobTally): JobVerdict | undefined {
  return announced(state.job) ?? failureOf(state, tally) ?? successByPolicy(state.job, tally);
}

function announced({ status }: Job): JobVerdict | undefined {
  const types = ["SuccessCriteriaMet", "FailureTarget"] as const;
  for (const type of types) {
    const condition: JobCondition | undefined = findCondition(status?.conditions, type);
    if (condition?.status !== "True") continue;
    return { type, reason: condition.reason ?? "", message: condition.message ?? "" };
  }
  return undefined;
}

function failureOf(state: JobState, tally: JobTally): JobVerdict | undefined {
  const { job, pods, now } = state;
  const message = policyFailure(job, pods);
  if (message !== undefined) return failure("PodFailurePolicy", message);
  if (tally.failed > backoffLimitOf(job) || isPastRestarts(job, pods))
    return failure("BackoffLimitExceeded", "Job has reached the specified backoff limit");
  const deadline = activeDeadlineOf(job);
  if (deadline !== undefined && now >= deadline)
    return failure("DeadlineExceeded", "Job was active longer than specified deadline");
  return failureByIndexes(job, tally);
}

function failureByIndexes({ spec }: Job, tally: JobTally): JobVerdict | undefined {
  const failed = countIndexes(tally.failedIndexes);
  if (failed === 0) return undefined;
  if (failed > (spec.maxFailedIndexes ?? Infinity)) {
    const message = "Job has exceeded the specified maximal number of failed indexes";
    return failure("MaxFailedIndexesExceeded", message);
  }
  const hasMore = failed + countIndexes(tally.succeededIndexes) < (spec.completions ?? 0);
  return hasMore ? undefined : failure("FailedIndexes", "Job has failed indexes");
}

function failure(reason: string, message: string): JobVerdict {
  return { type: "FailureTarget", reason, message };
}

function policyFailure(job: Job, pods: readonly Pod[]): string | undefined {
  if (job.spec.podFailurePolicy === undefined) return undefined;
  for (const pod of pods.filter((each) => isFailedPod(job, each))) {
    const verdict = judgeFailure(job, pod);
    if (verdict.kind === "fail-job") return verdict.message;
  }
  return undefined;
}

function backoffLimitOf({ spec }: Job): number {
  return spec.backoffLimit ?? 6;
}

/** Where containers are restarted in place, their restarts are the failures. */
// upstream: pastBackoffLimitOnFailure
function isPastRestarts(job: Job, pods: readonly Pod[]): boolean {
  if (job.spec.template?.spec?.restartPolicy !== "OnFailure") return false;
  const restarts = pods.reduce((sum, pod) => sum + restartsOf(pod), 0);
  return restarts > 0 && restarts >= backoffLimitOf(job);
}

function restartsOf({ status = {} }: Pod): number {
  const { phase, containerStatuses = [], initContainerStatuses = [] } = status;
  if (phase !== "Running" && phase !== "Pending") return 0;
  return [...containerStatuses, ...initContainerStatuses].reduce(
    (sum, { restartCount }) => sum + restartCount,
    0,
  );
}

/** When a Job that runs has been active for too long; absent without a limit, and while it is suspended. */
export function activeDeadlineOf({ spec, status }: Job): Instant | undefined {
  const startedAt = parseTime(status?.startTime);
  if (spec.activeDeadlineSeconds === undefined || startedAt === undefined || spec.suspend === true)
    return undefined;
  return startedAt + spec.activeDeadlineSeconds * 1000;
}

function successByPolicy(job: Job, { succeededIndexes }: JobTally): JobVerdict | undefined {
  if (countIndexes(succeededIndexes) === 0) return undefined;
  const rule = metSuccessRule(job, succeededIndexes);
  if (rule === undefined) return undefined;
  return {
    type: "SuccessCriteriaMet",
    reason: "SuccessPolicy",
    message: `Matched rules at index ${rule}`,
  };
}

/** The number of the first rule of a Job's success policy that its succeeded indexes meet. */
function metSuccessRule({ spec }: Job, succeeded: CompletionIndexes): number | undefined {
  const met = (spec.successPolicy?.rules ?? []).findIndex((rule) =>
    isMet(rule, succeeded, spec.completions ?? 0),
  );
  return met === -1 || succeeded.length === 0 ? undefined : met;
}

function isMet(rule: SuccessPolicyRule, succeeded: CompletionIndexes, completions: number): boolean {
  const { succeededCount, succeededIndexes } = rule;
  if (succeededIndexes === undefined)
    return succeededCount !== undefined && countIndexes(succeeded) >= succeededCount;
  const wanted = parseCompletionIndexes(succeededIndexes, completions);
  const common = countCommonIndexes(wanted, succeeded);
  return wanted.length > 0 && common >= (succeededCount ?? countIndexes(wanted));
}
