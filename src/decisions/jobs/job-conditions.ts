import { findCondition, isConditionTrue } from "../../api/conditions.ts";
import type { JobCondition } from "../../api/generated/batch-v1.ts";
import { formatTime, type Instant } from "../../api/time.ts";
import type { JobVerdict } from "./job-verdict.ts";
import type { JobPlan } from "./plan-job.ts";

type Conditions = readonly JobCondition[] | undefined;

const suspended = { type: "Suspended", status: "True", reason: "JobSuspended", message: "Job suspended" };
const resumed = { type: "Suspended", status: "False", reason: "JobResumed", message: "Job resumed" };

/** The conditions of a Job with the verdict, or with whether it is suspended. */
export function jobConditionsOf(plan: JobPlan, verdict: JobVerdict | undefined, now: Instant): Conditions {
  const { conditions } = plan.job.status ?? {};
  if (verdict !== undefined)
    return isConditionTrue(conditions, verdict.type)
      ? conditions
      : [...(conditions ?? []), conditionOf({ ...verdict, status: "True" }, now)];
  const wasSuspended = isConditionTrue(conditions, "Suspended");
  if (plan.because === "suspended")
    return wasSuspended ? conditions : withCondition(conditions, conditionOf(suspended, now));
  // Where Pods are left alone for now, nothing is said about the suspension either.
  const isHeld = plan.because === "being-deleted" || plan.because === "expecting";
  return wasSuspended && !isHeld ? withCondition(conditions, conditionOf(resumed, now)) : conditions;
}

/** When a Job with these conditions started: one that is suspended has not, one that is resumed starts anew. */
export function startTimeOf({ job }: JobPlan, conditions: Conditions, now: Instant): string | undefined {
  const before = findCondition(job.status?.conditions, "Suspended");
  const after = findCondition(conditions, "Suspended");
  if (before?.status === after?.status) return job.status?.startTime;
  return after?.status === "True" ? undefined : formatTime(now);
}

function withCondition(conditions: Conditions = [], condition: JobCondition): Conditions {
  const isThere = conditions.some(({ type }) => type === condition.type);
  if (!isThere) return [...conditions, condition];
  return conditions.map((each) => (each.type === condition.type ? condition : each));
}

/** A condition of a Job from now on. */
export function conditionOf(
  { type, status, reason, message }: Pick<JobCondition, "type" | "status" | "reason" | "message">,
  now: Instant,
): JobCondition {
  const at = formatTime(now);
  return {
    type,
    status,
    lastProbeTime: at,
    lastTransitionTime: at,
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
  };
}
