import {
  type CompletionIndexes,
  hasIndex,
  parseCompletionIndexes,
  withIndexes,
} from "../../api/completion-indexes.ts";
import type { Job } from "../../api/generated/batch-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { completionIndexOf, isIndexed } from "../../api/job-state.ts";
import type { Instant } from "../../api/time.ts";
import { nextCreationAt, podFinishedAt } from "./pod-backoff.ts";
import { judgeFailure } from "./pod-failure-policy.ts";

// Where every index has a limit of its own, a Pod carries the failures of its index before it as annotations. So the last
// failed Pod of an index stays until another one has replaced it.

const failureCountKey = "batch.kubernetes.io/job-index-failure-count";
const ignoredCountKey = "batch.kubernetes.io/job-index-ignored-failure-count";

/** Whether the failures of every index are counted on their own. */
export function hasLimitPerIndex(job: Job): boolean {
  return isIndexed(job) && job.spec.backoffLimitPerIndex !== undefined;
}

/** The indexes that have failed for good: those in the status, and those of these failed Pods. */
export function failedIndexesOf(job: Job, failed: readonly Pod[]): CompletionIndexes {
  if (!hasLimitPerIndex(job)) return [];
  const known = parseCompletionIndexes(job.status?.failedIndexes, job.spec.completions ?? 0);
  return withIndexes(known, indexesOf(failed.filter((pod) => hasFailedForGood(job, pod))));
}

function hasFailedForGood(job: Job, pod: Pod): boolean {
  const { kind } = judgeFailure(job, pod);
  if (kind === "fail-index") return true;
  return kind !== "ignore" && countIn(pod, failureCountKey) >= (job.spec.backoffLimitPerIndex ?? 0);
}

/** Which indexes have ended or run now. */
interface IndexState {
  readonly succeeded: CompletionIndexes;
  readonly failed: CompletionIndexes;
  readonly active: readonly Pod[];
}

/** The last of these failed Pods of every index that has to be tried again. */
// upstream: getPodsWithDelayedDeletionPerIndex
export function awaitingReplacement(
  job: Job,
  failed: readonly Pod[],
  { succeeded, failed: given, active }: IndexState,
): ReadonlyMap<number, Pod> {
  const last = new Map<number, Pod>();
  if (!hasLimitPerIndex(job)) return last;
  const running = new Set(indexesOf(active));
  for (const pod of failed) {
    const index = completionIndexOf(pod);
    if (index === undefined || running.has(index) || hasIndex(succeeded, index) || hasIndex(given, index))
      continue;
    const known = last.get(index);
    if (known === undefined || failuresOf(known) <= failuresOf(pod)) last.set(index, pod);
  }
  return last;
}

/** When an index may be tried again after the failure of a Pod. */
export function retryAt(failed: Pod | undefined): Instant {
  if (failed === undefined) return 0;
  return nextCreationAt({ failures: failuresOf(failed) + 1, lastFailureAt: podFinishedAt(failed) });
}

/** The annotations of the Pod that replaces a failed one, or of the first Pod of an index. */
export function failureAnnotations(job: Job, replaced: Pod | undefined): Readonly<Record<string, string>> {
  if (!hasLimitPerIndex(job)) return {};
  if (replaced === undefined) return { [failureCountKey]: "0" };
  const isIgnored = judgeFailure(job, replaced).kind === "ignore";
  const ignored = countIn(replaced, ignoredCountKey) + Number(isIgnored);
  return {
    [failureCountKey]: String(countIn(replaced, failureCountKey) + Number(!isIgnored)),
    ...(ignored > 0 && { [ignoredCountKey]: String(ignored) }),
  };
}

function failuresOf(pod: Pod): number {
  return countIn(pod, failureCountKey) + countIn(pod, ignoredCountKey);
}

function countIn({ metadata }: Pod, key: string): number {
  const text = metadata.annotations?.[key];
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

function indexesOf(pods: readonly Pod[]): readonly number[] {
  return pods.map(completionIndexOf).filter((index) => index !== undefined);
}
