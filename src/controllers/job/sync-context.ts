import type { Job } from "../../api/generated/batch-v1.ts";
import type { LabelSelection } from "../../api/labels/label-selector.ts";
import type { StoredObject } from "../../api/object.ts";
import type { Resource } from "../../api/resource.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { JobEvents } from "./job-events.ts";
import type { JobSyncState } from "./sync-state.ts";

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
