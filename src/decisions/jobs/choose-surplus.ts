import type { Job } from "../../api/generated/batch-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { completionIndexOf, isIndexed } from "../../api/job-state.ts";
import { isReady, readySince } from "../../api/pod-state.ts";
import { parseTime } from "../../api/time.ts";
import { hasValidIndex } from "./job-tally.ts";

/**
 * Chooses active Pods that a Job does not need: at least `count`, those that have come least far. In an Indexed Job
 * Pods without an index of the Job go, and all but one of those with the same index.
 */
// upstream: activePodsForRemoval
export function chooseSurplus(job: Job, active: readonly Pod[], count: number): readonly Pod[] {
  if (count === 0 && !isIndexed(job)) return [];
  const ranked = active
    .map((pod) => ({ pod, progress: progressOf(pod) }))
    .toSorted((a, b) => compareProgress(a.progress, b.progress))
    .map(({ pod }) => pod);
  const furthest = new Map(ranked.map((pod) => [completionIndexOf(pod), pod]));
  const isNeeded = (pod: Pod) =>
    !isIndexed(job) || (hasValidIndex(job, pod) && furthest.get(completionIndexOf(pod)) === pod);
  const unneeded = ranked.filter((pod) => !isNeeded(pod));
  const needed = ranked.filter(isNeeded);
  return [...unneeded, ...needed.slice(0, Math.max(0, count - unneeded.length))];
}

function compareProgress(left: readonly number[], right: readonly number[]): number {
  for (const [index, value] of left.entries()) {
    const other = right[index] ?? 0;
    if (value !== other) return value - other;
  }
  return 0;
}

const phases = ["Pending", "Unknown", "Running"];

/** Lower for Pods that have come less far: without a node, pending, not ready, ready for a shorter time, restarted, younger. */
// upstream: ActivePods
function progressOf(pod: Pod): readonly number[] {
  const { containerStatuses = [] } = pod.status ?? {};
  const restarts = Math.max(0, ...containerStatuses.map(({ restartCount }) => restartCount));
  return [
    Number((pod.spec?.nodeName ?? "") !== ""),
    phases.indexOf(pod.status?.phase ?? ""),
    Number(isReady(pod)),
    -(readySince(pod) ?? 0),
    -restarts,
    -(parseTime(pod.metadata.creationTimestamp) ?? 0),
  ];
}
