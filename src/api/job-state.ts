import { findCondition, isConditionTrue } from "./conditions.ts";
import type { Job, JobCondition } from "./generated/batch-v1.ts";
import type { Pod } from "./generated/core-v1.ts";
import { parseTime, type Instant } from "./time.ts";

/** Keeps a Pod of a Job until the Job has counted it. */
export const jobTrackingFinalizer = "batch.kubernetes.io/job-tracking";

/** The index of a Pod of an Indexed Job, as annotation and as label. */
export const completionIndexKey = "batch.kubernetes.io/job-completion-index";

/** The name and the UID of the Job that a Pod belongs to, as labels; those without a prefix came first. */
export const jobNameLabels = ["job-name", "batch.kubernetes.io/job-name"] as const;
export const controllerUidLabel = "batch.kubernetes.io/controller-uid";
export const controllerUidLabels = ["controller-uid", controllerUidLabel] as const;

/** The `managedBy` of Jobs that the Job controller runs; absent means the same. */
const jobControllerName = "kubernetes.io/job-controller";

type JobConditions = Pick<Job, "status">;

/** Whether a Job is Complete or Failed: nothing changes then. */
export function isFinished(job: JobConditions): boolean {
  return finishedCondition(job) !== undefined;
}

/** The condition that says how a Job ended; absent while it has not. */
export function finishedCondition({ status }: JobConditions): JobCondition | undefined {
  const isTrue = (type: string) => isConditionTrue(status?.conditions, type);
  if (isTrue("Complete")) return findCondition(status?.conditions, "Complete");
  return isTrue("Failed") ? findCondition(status?.conditions, "Failed") : undefined;
}

/** When a Job ended, as far as its condition says. */
export function finishedAt(job: JobConditions): Instant | undefined {
  return parseTime(finishedCondition(job)?.lastTransitionTime);
}

/** Whether the Pods of a Job have indexes. */
export function isIndexed({ spec }: Pick<Job, "spec">): boolean {
  return spec.completionMode === "Indexed";
}

/** Whether another controller than the Job controller runs a Job. */
export function isManagedElsewhere({ spec }: Pick<Job, "spec">): boolean {
  return spec.managedBy !== undefined && spec.managedBy !== jobControllerName;
}

/** Whether no Job has counted this Pod yet. */
export function isTracked(pod: Pick<Pod, "metadata">): boolean {
  return pod.metadata.finalizers?.includes(jobTrackingFinalizer) === true;
}

/** The index of a Pod of an Indexed Job; `undefined` when it has none that can be read. */
export function completionIndexOf(pod: Pick<Pod, "metadata">): number | undefined {
  const text = pod.metadata.annotations?.[completionIndexKey];
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
