import { duplicate, type FieldError, invalid, required } from "../../../../api/field-error.ts";
import type { Job, JobStatus } from "../../../../api/generated/batch-v1.ts";
import { each, type FieldErrors, none, nonNegative } from "../../../../api/field-checks.ts";
import type { ObjectUpdate } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";
import { type StatusChange, validateStatusIndexes } from "./job-status-indexes.ts";

type Status = Sent<JobStatus>;

const counters = ["active", "succeeded", "failed", "ready", "terminating"] as const;

/** Validates a Job's status: its counters and conditions agree, and a Job that has finished stays as it ended. */
// upstream: ValidateJobStatusUpdate
export function validateJobStatus({ next, previous }: ObjectUpdate<Sent<Job>>): FieldErrors {
  const change = { status: next.status ?? {}, stored: previous.status ?? {}, spec: next.spec ?? {} };
  return [
    ...counters.flatMap((counter) => nonNegative(change.status[counter], `status.${counter}`)),
    ...validateUncounted(change.status),
    ...validateStatusIndexes(change),
    ...validateConditions(change),
    ...validateFinished(change),
    ...validateTimes(change),
    ...validateProgress(change),
  ];
}

function validateUncounted({ uncountedTerminatedPods: uncounted = {} }: Status): FieldErrors {
  const { succeeded = [], failed = [] } = uncounted;
  const seen = new Set<string>();
  const check = (uid: string, path: string) => {
    if (uid === "") return [invalid(path, uid, "must not be empty")];
    if (seen.has(uid)) return [duplicate(path, uid)];
    seen.add(uid);
    return none;
  };
  const path = "status.uncountedTerminatedPods";
  return [...each(succeeded, `${path}.succeeded`, check), ...each(failed, `${path}.failed`, check)];
}

/** Conditions that exclude each other, in the order of upstream's messages. */
const exclusive = [
  ["Complete", "Failed"],
  ["Complete", "FailureTarget"],
  ["SuccessCriteriaMet", "Failed"],
  ["SuccessCriteriaMet", "FailureTarget"],
] as const;

function validateConditions(change: StatusChange): FieldErrors {
  const { status, stored, spec } = change;
  const has = (type: string) => hasCondition(status, type);
  const had = (type: string) => hasCondition(stored, type);
  const error = (detail: string) => [invalid("status.conditions", undefined, detail)];
  const byPolicy = "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True";
  const late = "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions";
  return [
    ...exclusive.flatMap(([one, other]) =>
      has(one) && has(other) ? error(`cannot set ${one}=True and ${other}=true conditions`) : none,
    ),
    ...unannouncedEnds(change).flatMap(([end, target]) =>
      error(`cannot set ${end}=True condition without the ${target}=true condition`),
    ),
    ...(spec.successPolicy !== undefined && has("Complete") && !has("SuccessCriteriaMet")
      ? error(byPolicy)
      : none),
    ...["Failed", "Complete", "FailureTarget"].flatMap((type) =>
      had(type) && !has(type) ? error(`cannot disable the terminal ${type}=True condition`) : none,
    ),
    ...(had("SuccessCriteriaMet") && !has("SuccessCriteriaMet")
      ? error("cannot disable the SuccessCriteriaMet=True condition")
      : none),
    ...(had("Complete") && !had("SuccessCriteriaMet") && has("SuccessCriteriaMet") ? error(late) : none),
  ];
}

/** Returns the final conditions of a Job that were not preceded by the condition that announces them. */
function unannouncedEnds({ status, stored }: StatusChange): readonly (readonly [string, string])[] {
  const hasChanged = (type: string) => hasCondition(status, type) !== hasCondition(stored, type);
  const ends = [
    { end: "Failed", target: "FailureTarget", isNew: status.failedIndexes !== stored.failedIndexes },
    { end: "Complete", target: "SuccessCriteriaMet", isNew: hasChanged("SuccessCriteriaMet") },
  ];
  return ends.flatMap(({ end, target, isNew }) =>
    hasCondition(status, end) && !hasCondition(status, target) && (isNew || hasChanged(end))
      ? [[end, target] as const]
      : [],
  );
}

/** A rule for the status of a Job that has finished. */
interface EndRule {
  readonly isBroken: (change: StatusChange) => boolean;
  readonly error: (status: Status) => FieldError;
}

const endRules: readonly EndRule[] = [
  {
    isBroken: ({ status }) => (status.active ?? 0) > 0,
    error: ({ active }) => invalid("status.active", active, "active>0 is invalid for finished job"),
  },
  {
    isBroken: ({ status }) => (status.terminating ?? 0) > 0,
    error: ({ terminating }) =>
      invalid("status.terminating", terminating, "terminating>0 is invalid for finished job"),
  },
  {
    isBroken: ({ status }) => uncountedIn(status).length > 0,
    error: ({ uncountedTerminatedPods: uncounted }) =>
      invalid("status.uncountedTerminatedPods", uncounted, "must be empty for finished job"),
  },
  {
    isBroken: ({ status, stored, spec }) =>
      status.startTime === undefined &&
      !(isFinishedStatus(stored) && stored.startTime === undefined) &&
      !(spec.suspend === true && spec.completions === 0),
    error: () => required("status.startTime", "startTime is required for finished job"),
  },
];

function validateFinished(change: StatusChange): FieldErrors {
  const { status, stored } = change;
  const { active = 0, ready = 0 } = status;
  const hasChanged = ready !== stored.ready || active !== stored.active;
  return [
    ...(ready > active && hasChanged
      ? [invalid("status.ready", ready, "cannot set more ready pods than active")]
      : none),
    ...(isFinishedStatus(status)
      ? endRules.filter(({ isBroken }) => isBroken(change)).map(({ error }) => error(status))
      : none),
  ];
}

function uncountedIn({ uncountedTerminatedPods: uncounted }: Status): readonly string[] {
  return [...(uncounted?.succeeded ?? []), ...(uncounted?.failed ?? [])];
}

function validateTimes({ status, stored, spec }: StatusChange): FieldErrors {
  const { startTime } = status;
  const isResuming = hasCondition(stored, "Suspended") && hasCondition(status, "Suspended", "False");
  const mayStart = stored.startTime === undefined || spec.suspend === true || isResuming;
  const rule = "field is immutable for unsuspended job once set";
  return [
    ...validateCompletionTime(status, stored.completionTime),
    ...(startTime === stored.startTime || mayStart
      ? none
      : [invalid("status.startTime", startTime ?? null, rule)]),
  ];
}

function validateCompletionTime(status: Status, stored: string | undefined): FieldErrors {
  const { completionTime: time, startTime = "" } = status;
  const isComplete = hasCondition(status, "Complete");
  const path = "status.completionTime";
  if (time === undefined)
    return isComplete ? [required(path, "completionTime is required for Complete jobs")] : none;
  if (!isComplete)
    return [invalid(path, time, "cannot set completionTime when there is no Complete=True condition")];
  return [
    ...(time < startTime ? [invalid(path, time, "must be equal to or after `startTime`")] : none),
    ...(stored === undefined || time === stored ? none : [invalid(path, time, "field is immutable")]),
  ];
}

/** Validates that counters do not decrease; a Job whose completions can be lowered may lose successes. */
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

function hasCondition({ conditions = [] }: Status, type: string, value = "True"): boolean {
  return conditions.some((condition) => condition.type === type && condition.status === value);
}
