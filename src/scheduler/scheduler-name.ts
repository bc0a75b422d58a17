import type { Pod } from "../api/generated/core-v1.ts";

/** The scheduler of Pods that name none. */
export const defaultSchedulerName = "default-scheduler";

/** The name of the scheduler, or profile, that is responsible for a Pod. */
export function schedulerNameOf({ spec }: Pod): string {
  return spec.schedulerName ?? defaultSchedulerName;
}
