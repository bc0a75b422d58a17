import type { Job, JobCondition, JobStatus } from "../../api/generated/batch-v1.ts";
import type { LabelSelection } from "../../api/labels/label-selector.ts";
import type { StoredObject } from "../../api/object.ts";
import type { Resource } from "../../api/resource.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { JobSyncState } from "./sync-state.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { type EventRecorder, type EventDraft, referenceTo } from "../../machinery/events/event-draft.ts";
import type { Expectations } from "../../machinery/expectations.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import { isConditionTrue } from "../../api/conditions.ts";
import { jobs } from "../../api/resources.ts";

/** One sync of one Job: the Job and the dependencies for applying a plan to it. */
export interface JobSync {
  readonly key: string;
  readonly job: Job;
  readonly selection: LabelSelection;
  readonly client: Client;
  readonly clock: Clock;
  readonly syncState: JobSyncState;
  readonly jobEvents: JobEvents;
  /** Whether the Job is, as far as the informer knows, neither gone nor being deleted. */
  readonly isJobAlive: () => boolean;
  /** Records a write, so that the Job is not synced again before the informers have read it. */
  readonly wrote: (resource: Resource, written: StoredObject) => void;
  readonly signal: AbortSignal;
}

/** What the Job controller depends on. */
export interface JobDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly jobs: Informer<Job>;
  readonly pods: Informer<Pod>;
  /** Its source is `job-controller`. */
  readonly events: EventRecorder;
  readonly log: Logger;
  /** Absent: the controller creates its own. */
  readonly expectations?: Expectations | undefined;
}

/** Records events of a Job. */
interface JobEvents {
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
