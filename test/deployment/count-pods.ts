import type { Pod } from "../../src/api/generated/core-v1.ts";
import { isActive, isReady, isTerminating } from "../../src/api/pod-state.ts";

/** How many Pods there are of each sort. */
export interface Count {
  readonly active: number;
  readonly terminating: number;
  /** Active and ready. */
  readonly ready: number;
}

/** Counts Pods as they are. */
export function count(all: Iterable<Pod>): Count {
  let [active, terminating, ready] = [0, 0, 0];
  for (const pod of all) {
    if (isTerminating(pod)) terminating++;
    if (!isActive(pod)) continue;
    active++;
    if (isReady(pod)) ready++;
  }
  return { active, terminating, ready };
}
