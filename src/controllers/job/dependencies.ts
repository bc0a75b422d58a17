import type { Job } from "../../api/generated/batch-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { EventRecorder } from "../../machinery/events/event-draft.ts";
import type { Expectations } from "../../machinery/expectations.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import type { Logger } from "../../machinery/log/logger.ts";

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
