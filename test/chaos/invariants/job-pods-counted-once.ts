import { countIndexes, parseCompletionIndexes } from "../../../src/api/completion-indexes.ts";
import { deepEqual } from "../../../src/api/deep-equal.ts";
import type { Job } from "../../../src/api/generated/batch-v1.ts";
import type { Pod } from "../../../src/api/generated/core-v1.ts";
import { completionIndexOf, isFinished, isIndexed, isTracked } from "../../../src/api/job-state.ts";
import { keyOf } from "../../../src/api/object.ts";
import { controllerOf, isControlledBy } from "../../../src/api/owner-references.ts";
import { isActive } from "../../../src/api/pod-state.ts";
import { qualifiedName } from "../../../src/api/resource.ts";
import { jobs, pods } from "../../../src/api/resources.ts";
import type { Store } from "../../../src/cluster/store/store.ts";
import type { ObservedCommit } from "../../../src/simulation/observation.ts";
import type { Invariant } from "./invariant.ts";
import { podChangeIn, stored } from "./stored.ts";

/** What has become of a Job's Pods, all that there ever were. */
interface JobHistory {
  readonly pods: Set<string>;
  readonly succeeded: Set<string>;
  readonly indexes: Set<number>;
}

/** However often a controller starts again: a Pod counts once, and a finished Job stays as it ended. */
export const jobPodsCountedOnce: Invariant = {
  name: "job-pods-counted-once",
  description: "no Job counts a Pod twice or changes after its end, and when stable every Job has ended",
  begin({ store }) {
    const histories = new Map<string, JobHistory>();
    const historyOf = (uid: string): JobHistory => {
      const known = histories.get(uid) ?? { pods: new Set(), succeeded: new Set(), indexes: new Set() };
      histories.set(uid, known);
      return known;
    };
    return {
      commit(commit) {
        if (commit.collection === pods.plural) remember(podChangeIn(commit.event).pod, historyOf);
        return commit.collection === qualifiedName(jobs) ? checkJob(commit, historyOf) : undefined;
      },
      stable() {
        const present = store();
        return present === undefined ? undefined : checkEnds(present);
      },
    };
  },
};

function remember(pod: Pod, historyOf: (uid: string) => JobHistory): void {
  const controller = controllerOf(pod);
  if (controller?.kind !== jobs.kind) return;
  const history = historyOf(controller.uid);
  history.pods.add(pod.metadata.uid);
  if (pod.status?.phase !== "Succeeded") return;
  history.succeeded.add(pod.metadata.uid);
  const index = completionIndexOf(pod);
  if (index !== undefined) history.indexes.add(index);
}

function checkJob({ event }: ObservedCommit, historyOf: (uid: string) => JobHistory): string | undefined {
  const job = event.record.object as unknown as Job;
  const previous = event.previous?.object as unknown as Job | undefined;
  const hasChangedAfterItsEnd =
    previous !== undefined && isFinished(previous) && !deepEqual(previous.status, job.status);
  const problem = hasChangedAfterItsEnd
    ? "has changed after its end"
    : checkCounts(job, historyOf(job.metadata.uid));
  return problem && `Job ${keyOf(job)} ${problem}`;
}

function checkCounts(job: Job, history: JobHistory): string | undefined {
  const { successes, failures } = endsOf(job);
  const most = isIndexed(job) ? history.indexes.size : history.succeeded.size;
  if (successes > most) return `counts ${successes} successes, and there were ${most}`;
  if (isIndexed(job) && (job.status?.succeeded ?? 0) !== completedCount(job))
    return "counts other indexes than it lists";
  const ends = successes + failures;
  return ends > history.pods.size ? `counts ${ends} Pods, and there were ${history.pods.size}` : undefined;
}

/** Those that are counted, and those that wait for it. */
function endsOf({ status = {} }: Job): { readonly successes: number; readonly failures: number } {
  const { succeeded = 0, failed = 0, uncountedTerminatedPods: uncounted = {} } = status;
  return {
    successes: succeeded + (uncounted.succeeded ?? []).length,
    failures: failed + (uncounted.failed ?? []).length,
  };
}

function completedCount({ spec, status }: Job): number {
  return countIndexes(parseCompletionIndexes(status?.completedIndexes, spec.completions ?? 0));
}

/** At rest every Job has ended, and nothing waits to be counted. */
function checkEnds(store: Store): string | undefined {
  const all = stored.pods(store);
  const waiting = all.find(isTracked);
  if (waiting !== undefined) return `Pod ${keyOf(waiting)} waits to be counted by a Job`;
  for (const job of stored.jobs(store)) {
    const { active = 0, terminating = 0 } = job.status ?? {};
    const running = all.filter((pod) => isActive(pod) && isControlledBy(pod, job.metadata.uid)).length;
    if (!isFinished(job)) return `Job ${keyOf(job)} has not ended`;
    if (active + terminating + running > 0)
      return `Job ${keyOf(job)} has ended, but not all of its Pods have`;
  }
  return undefined;
}
