import { completionIndexesProblem } from "../../completion-indexes.ts";
import { duplicate, invalid, required } from "../../field-error.ts";
import type { Job, JobStatus } from "../../generated/batch-v1.ts";
import { each, type FieldErrors, none, nonNegative } from "../field-checks.ts";
import type { ObjectUpdate } from "../kind-strategy.ts";
import type { Sent } from "../sent.ts";

type Status = Sent<JobStatus>;

/** A status with the one it replaces, and the spec they are of. */
interface StatusChange {
  readonly status: Status;
  readonly stored: Status;
  readonly spec: Sent<Job["spec"]>;
}

const counters = ["active", "succeeded", "failed", "ready", "terminating"] as const;

/** Validates a Job's status: its counters and conditions agree, and a Job that has finished stays as it ended. */
// upstream: ValidateJobStatusUpdate
export function validateJobStatus({ next, previous }: ObjectUpdate<Sent<Job>>): FieldErrors {
  const change = { status: next.status ?? {}, stored: previous.status ?? {}, spec: next.spec ?? {} };
  return [
    ...counters.flatMap((counter) => nonNegative(change.status[counter], `status.${counter}`)),
    ...validateUncounted(change.status),
    ...validateIndexes(change),
    ...validateConditions(change),
    ...validateFinished(change),
    ...validateTimes(change),
    ...validateProgress(change),
  ];
}

function validateUncounted({ uncountedTerminatedPods: uncounted = {} }: Status): FieldErrors {
  const { succeeded = [], failed = [] } = uncounted;
  const uids = [...succeeded, ...failed];
  const check = (offset: number) => (uid: string, path: string, index: number) => {
    if (uid === "") return [invalid(path, uid, "must not be empty")];
    return uids.indexOf(uid) < index + offset ? [duplicate(path, uid)] : none;
  };
  const path = "status.uncountedTerminatedPods";
  return [
    ...each(succeeded, `${path}.succeeded`, check(0)),
    ...each(failed, `${path}.failed`, check(succeeded.length)),
  ];
}

function validateIndexes({ status, stored, spec }: StatusChange): FieldErrors {
  const { completedIndexes = "" } = status;
  if (completedIndexes === (stored.completedIndexes ?? "") || completedIndexes === "") return none;
  const path = "status.completedIndexes";
  if (spec.completionMode !== "Indexed") {
    const rule = "cannot set non-empty completedIndexes when non-indexed completion mode";
    return [invalid(path, completedIndexes, rule)];
  }
  const problem = completionIndexesProblem(completedIndexes, spec.completions ?? 0);
  return problem === undefined
    ? none
    : [invalid(path, completedIndexes, `error parsing completedIndexes: ${problem}`)];
}

/** Which conditions exclude each other, in the order of upstream's messages. */
const exclusive = [
  ["Complete", "Failed"],
  ["Complete", "FailureTarget"],
  ["SuccessCriteriaMet", "Failed"],
  ["SuccessCriteriaMet", "FailureTarget"],
] as const;

function validateConditions({ status, stored }: StatusChange): FieldErrors {
  const has = (type: string) => hasCondition(status, type);
  const had = (type: string) => hasCondition(stored, type);
  const error = (detail: string) => [invalid("status.conditions", undefined, detail)];
  const announced = [
    ["Failed", "FailureTarget"],
    ["Complete", "SuccessCriteriaMet"],
  ] as const;
  return [
    ...exclusive.flatMap(([one, other]) =>
      has(one) && has(other) ? error(`cannot set ${one}=True and ${other}=true conditions`) : none,
    ),
    ...announced.flatMap(([end, target]) =>
      has(end) && !had(end) && !has(target)
        ? error(`cannot set ${end}=True condition without the ${target}=true condition`)
        : none,
    ),
    ...["Failed", "Complete", "FailureTarget"].flatMap((type) =>
      had(type) && !has(type) ? error(`cannot disable the terminal ${type}=True condition`) : none,
    ),
    ...(had("SuccessCriteriaMet") && !has("SuccessCriteriaMet")
      ? error("cannot disable the SuccessCriteriaMet=True condition")
      : none),
  ];
}

function validateFinished({ status, stored, spec }: StatusChange): FieldErrors {
  const { active = 0, ready = 0, terminating = 0, uncountedTerminatedPods: uncounted = {} } = status;
  const unready =
    ready > active && (ready !== stored.ready || active !== stored.active)
      ? [invalid("status.ready", ready, "cannot set more ready pods than active")]
      : none;
  if (!isFinishedStatus(status)) return unready;
  const hasUncounted = (uncounted.succeeded ?? []).length + (uncounted.failed ?? []).length > 0;
  const mayBeUnstarted = spec.suspend === true && spec.completions === 0;
  return [
    ...unready,
    ...(active > 0 ? [invalid("status.active", active, "active>0 is invalid for finished job")] : none),
    ...(terminating > 0
      ? [invalid("status.terminating", terminating, "terminating>0 is invalid for finished job")]
      : none),
    ...(hasUncounted
      ? [invalid("status.uncountedTerminatedPods", uncounted, "must be empty for finished job")]
      : none),
    ...(status.startTime === undefined && !mayBeUnstarted && !isFinishedStatus(stored)
      ? [required("status.startTime", "startTime is required for finished job")]
      : none),
  ];
}

function validateTimes({ status, stored, spec }: StatusChange): FieldErrors {
  const { completionTime, startTime } = status;
  const isComplete = hasCondition(status, "Complete");
  const path = "status.completionTime";
  const isResuming = hasCondition(stored, "Suspended") && !hasCondition(status, "Suspended");
  const isRestarted =
    stored.startTime !== undefined && startTime !== stored.startTime && spec.suspend !== true && !isResuming;
  return [
    ...(completionTime !== undefined && !isComplete
      ? [invalid(path, completionTime, "cannot set completionTime when there is no Complete=True condition")]
      : none),
    ...(completionTime === undefined && isComplete
      ? [required(path, "completionTime is required for Complete jobs")]
      : none),
    ...(completionTime !== undefined && startTime !== undefined && completionTime < startTime
      ? [invalid(path, completionTime, "must be equal to or after `startTime`")]
      : none),
    ...(stored.completionTime !== undefined &&
    completionTime !== undefined &&
    completionTime !== stored.completionTime
      ? [invalid(path, completionTime, "field is immutable")]
      : none),
    ...(isRestarted
      ? [invalid("status.startTime", startTime ?? null, "field is immutable for unsuspended job once set")]
      : none),
  ];
}

/** A Job whose completions can be lowered may lose successes. */
function validateProgress({ status, stored, spec }: StatusChange): FieldErrors {
  const { succeeded = 0, failed = 0 } = status;
  const isElastic = spec.completionMode === "Indexed" && spec.completions === spec.parallelism;
  return [
    ...(failed < (stored.failed ?? 0)
      ? [invalid("status.failed", failed, "cannot decrease the failed counter")]
      : none),
    ...(succeeded < (stored.succeeded ?? 0) && !isElastic
      ? [invalid("status.succeeded", succeeded, "cannot decrease the succeeded counter")]
      : none),
  ];
}

function isFinishedStatus(status: Status): boolean {
  return hasCondition(status, "Complete") || hasCondition(status, "Failed");
}

function hasCondition({ conditions = [] }: Status, type: string): boolean {
  return conditions.some((condition) => condition.type === type && condition.status === "True");
}
