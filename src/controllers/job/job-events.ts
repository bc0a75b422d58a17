import { isConditionTrue } from "../../api/conditions.ts";
import type { Job, JobCondition, JobStatus } from "../../api/generated/batch-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { jobs } from "../../api/resources.ts";
import { type EventDraft, type EventRecorder, referenceTo } from "../../machinery/events/event-draft.ts";

/** Records events of a Job. */
export interface JobEvents {
  created(pod: Pod): void;
  createFailed(message: string): void;
  deleted(pod: Pod): void;
  deleteFailed(message: string): void;
  /** Records that the Job was suspended or resumed, if its new status says so. */
  suspension(status: JobStatus): void;
  finished(condition: JobCondition): void;
}

/** Uses the texts of kube-controller-manager. */
export function jobEventsOf(job: Job, events: EventRecorder): JobEvents {
  const regarding = referenceTo(jobs, job);
  const record = (type: EventDraft["type"], reason: string, message: string) =>
    events.record({ regarding, type, reason, message });
  return {
    created: ({ metadata }) => record("Normal", "SuccessfulCreate", `Created pod: ${metadata.name}`),
    createFailed: (message) => record("Warning", "FailedCreate", `Error creating: ${message}`),
    deleted: ({ metadata }) => record("Normal", "SuccessfulDelete", `Deleted pod: ${metadata.name}`),
    deleteFailed: (message) => record("Warning", "FailedDelete", `Error deleting: ${message}`),
    suspension({ conditions }) {
      const was = isConditionTrue(job.status?.conditions, "Suspended");
      const is = isConditionTrue(conditions, "Suspended");
      if (is && !was) record("Normal", "Suspended", "Job suspended");
      if (was && !is) record("Normal", "Resumed", "Job resumed");
    },
    finished({ type, reason = "", message = "" }) {
      if (type === "Complete") record("Normal", "Completed", "Job completed");
      else record("Warning", reason, message);
    },
  };
}
