import type { Pod } from "../../api/generated/core-v1.ts";
import type { SchedulerCache } from "../cache/scheduler-cache.ts";
import type { SchedulingQueue } from "../queue/scheduling-queue.ts";

/** Where news of the cluster goes. */
export interface HandlerTargets {
  readonly cache: SchedulerCache;
  readonly queue: SchedulingQueue;
  /** Whether a Pod is ours to schedule. */
  readonly isOurs: (pod: Pod) => boolean;
}
