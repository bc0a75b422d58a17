import type { Job } from "../../api/generated/batch-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import type { KeyQueue } from "../../machinery/controller.ts";
import type { ResourceEventHandler } from "../../machinery/informer/informer.ts";
import { enqueueOwner } from "../../machinery/ownership/enqueue-owner.ts";
import type { OwnerIndex } from "../../machinery/ownership/owner-index.ts";
import type { JobSyncState } from "./sync-state.ts";

/** Enqueues the Job of a Pod, or those that could adopt it, and observes what the Job expects. */
export function jobPodEventHandler(index: OwnerIndex<Job, Pod>, { expectations }: JobSyncState) {
  return enqueueOwner(index, (queue) => ({
    enqueue: enqueueBatched(queue),
    created: (job) => expectations.creationObserved(keyOf(job)),
    ended: (job, pod) => expectations.deletionObserved(keyOf(job), keyOf(pod)),
  }));
}

/** Enqueues the Job itself, and forgets the state of one that is gone. */
export function jobEventHandler(syncState: JobSyncState) {
  return (queue: KeyQueue): ResourceEventHandler<Job> => {
    const enqueue = (job: Job) => queue.add(keyOf(job));
    return {
      added: enqueue,
      updated: (_old, job) => enqueue(job),
      deleted(job) {
        syncState.forget(keyOf(job), job.metadata.uid);
        enqueue(job);
      },
    };
  };
}

/** Jobs with fewer Pods are synced without a delay, because such a sync is cheap. */
const batchedFrom = 100;

/** Enqueues Jobs with few Pods at once, and Jobs with many after a short delay that collects their events. */
function enqueueBatched(queue: KeyQueue): (job: Job) => void {
  return (job) => {
    const { parallelism = 1 } = job.spec;
    if (parallelism < batchedFrom) queue.add(keyOf(job));
    else queue.addAfter(keyOf(job), 1 + Math.floor(parallelism / 1000));
  };
}
