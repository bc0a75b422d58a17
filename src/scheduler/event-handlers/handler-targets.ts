import type { Pod } from "../../api/generated/core-v1.ts";
import type { SchedulerCache } from "../cache/scheduler-cache.ts";
import type { NominatedPods } from "../nominated-pods.ts";
import type { SchedulingQueue } from "../queue/scheduling-queue.ts";

/** What event handlers update. */
export interface HandlerTargets {
  readonly cache: SchedulerCache;
  readonly queue: SchedulingQueue;
  readonly nominated: NominatedPods;
  /** Called for every Pod that is gone. */
  readonly podGone?: (uid: string) => void;
  /** Whether a profile of this scheduler is responsible for a Pod. */
  readonly isResponsibleFor: (pod: Pod) => boolean;
}
