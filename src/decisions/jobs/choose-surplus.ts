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
  const ranked = active.toSorted(byProgress);
  const unneeded = isIndexed(job) ? ranked.filter((pod) => isUnneeded(job, pod, ranked)) : [];
  const needed = ranked.filter((pod) => !unneeded.includes(pod));
  return [...unneeded, ...needed.slice(0, Math.max(0, count - unneeded.length))];
}

/** Whether the Pod has no index of the Job, or another one with its index has come further. */
function isUnneeded(job: Job, pod: Pod, ranked: readonly Pod[]): boolean {
  if (!hasValidIndex(job, pod)) return true;
  const index = completionIndexOf(pod);
  return ranked.findLast((other) => completionIndexOf(other) === index) !== pod;
}

/** Pods that have come less far are first: without a node, pending, not ready, ready for a shorter time, restarted, younger. */
// upstream: ActivePods
function byProgress(a: Pod, b: Pod): number {
  const left = progressOf(a);
  const right = progressOf(b);
  for (const [index, value] of left.entries()) {
    const other = right[index] ?? 0;
    if (value !== other) return value - other;
  }
  return 0;
}

const phases = ["Pending", "Unknown", "Running"];

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
