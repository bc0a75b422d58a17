import type { Pod } from "../../api/generated/core-v1.ts";
import { readySince } from "../../api/pod-state.ts";
import type { Instant } from "../../api/time.ts";
import type { ReplicaOwner } from "./replica-owner.ts";

/** How long an owner's Pods have to be Ready before they count as available. */
export function minReadySecondsOf({ spec }: ReplicaOwner): number {
  const minReadySeconds = spec?.minReadySeconds ?? 0;
  return minReadySeconds > 0 ? minReadySeconds : 0;
}

/** What the time of the next recheck depends on. */
export interface AvailabilityState {
  /** With the status it reports now. */
  readonly owner: ReplicaOwner;
  readonly active: readonly Pod[];
  readonly now: Instant;
}

/** When to sync again because a Ready Pod becomes available then, for which there is no event. */
export function availabilityRecheckAt({ owner, active, now }: AvailabilityState): Instant | undefined {
  const minReadyMs = minReadySecondsOf(owner) * 1000;
  const { readyReplicas = 0, availableReplicas = 0 } = owner.status ?? {};
  if (minReadyMs === 0 || readyReplicas === availableReplicas) return undefined;
  const next = active.reduce((earliest, pod) => {
    const since = readySince(pod);
    const at = since === undefined ? Infinity : since + minReadyMs;
    return at > now ? Math.min(earliest, at) : earliest;
  }, Infinity);
  return next === Infinity ? now + minReadyMs : next;
}
