import type { Pod } from "../api/generated/core-v1.ts";

/** Who schedules Pods that do not say who should. */
export const defaultSchedulerName = "default-scheduler";

/** The profile a Pod wants to be scheduled by. */
export function schedulerNameOf({ spec }: Pod): string {
  return spec.schedulerName ?? defaultSchedulerName;
}
