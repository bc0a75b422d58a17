import { findCondition } from "../../api/conditions.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { type Instant, parseTime } from "../../api/time.ts";

/** The failures of a Job's Pods since one of them last succeeded: what its next Pod waits for. */
export interface PodBackoff {
  readonly failures: number;
  readonly lastFailureAt: Instant;
}

export const noBackoff: PodBackoff = { failures: 0, lastFailureAt: 0 };

const initialMs = 10_000;
const maxMs = 10 * 60_000;
/** Limits the exponent: the delay reaches its maximum before this many doublings. */
const mostDoublings = 20;

/** When the next Pod may be created. */
// upstream: getRemainingTimeForFailuresCount
export function nextCreationAt({ failures, lastFailureAt }: PodBackoff): Instant {
  if (failures === 0) return 0;
  return lastFailureAt + Math.min(initialMs * 2 ** Math.min(failures - 1, mostDoublings), maxMs);
}

/** Pods that have finished since the backoff was last brought up to date. */
export interface FinishedPods {
  readonly succeeded: readonly Pod[];
  readonly failed: readonly Pod[];
}

/** The backoff after more Pods have finished: a success ends it, and only failures after that count. */
// upstream: newBackoffRecord
export function withFinishedPods(backoff: PodBackoff, { succeeded, failed }: FinishedPods): PodBackoff {
  const before = succeeded.length > 0 ? noBackoff : backoff;
  const lastSuccessAt = latestOf(succeeded.map(podFinishedAt));
  const failuresAt = failed.map(podFinishedAt).filter((at) => at > lastSuccessAt);
  if (failuresAt.length === 0) return before;
  return {
    failures: before.failures + failuresAt.length,
    lastFailureAt: Math.max(latestOf(failuresAt), before.lastFailureAt),
  };
}

/** Not `Math.max(...times)`: a Job may have more Pods than a call may have arguments. */
function latestOf(instants: readonly Instant[]): Instant {
  return instants.reduce((latest, instant) => Math.max(latest, instant), Number.NEGATIVE_INFINITY);
}

/** When a Pod finished: its last container, or it stopped being ready, or it was deleted, or else its creation. */
// upstream: getFinishedTime
export function podFinishedAt(pod: Pod): Instant {
  return (
    containersEndedAt(pod) ??
    unreadySince(pod) ??
    deletedAt(pod) ??
    parseTime(pod.metadata.creationTimestamp) ??
    0
  );
}

function containersEndedAt({ status }: Pod): Instant | undefined {
  const ends = (status?.containerStatuses ?? []).map(({ state }) => parseTime(state?.terminated?.finishedAt));
  const known = ends.filter((end) => end !== undefined);
  return known.length > 0 && known.length === ends.length ? Math.max(...known) : undefined;
}

function unreadySince({ status }: Pod): Instant | undefined {
  const ready = findCondition(status?.conditions, "Ready");
  return ready?.status === "False" ? parseTime(ready.lastTransitionTime) : undefined;
}

function deletedAt({ metadata }: Pod): Instant | undefined {
  const endAt = parseTime(metadata.deletionTimestamp);
  return endAt === undefined ? undefined : endAt - (metadata.deletionGracePeriodSeconds ?? 0) * 1000;
}
