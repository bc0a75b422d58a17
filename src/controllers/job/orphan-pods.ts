import type { Job } from "../../api/generated/batch-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { isFinished, isManagedElsewhere, isTracked } from "../../api/job-state.ts";
import { keyOf } from "../../api/object.ts";
import { controllerOf } from "../../api/owner-references.ts";
import { jobs as jobResource } from "../../api/resources.ts";
import { isNotFound } from "../../machinery/client/api-error.ts";
import type { Client } from "../../machinery/client/client.ts";
import { type ControllerSpec, done, type KeyQueue, watching } from "../../machinery/controller.ts";
import type { ResourceEventHandler } from "../../machinery/informer/informer.ts";
import { ownerIndexOf } from "../../machinery/ownership/owner-index.ts";
import { workloadSelection } from "../../api/labels/workload-selection.ts";
import type { JobDependencies } from "./sync-context.ts";
import { withoutFinalizer } from "./release-pods.ts";

/** Removes the tracking finalizer from Pods that no Job will count: their Job has finished or is gone. */
// upstream: syncOrphanPod
export function orphanPodsController({
  client,
  jobs,
  pods,
}: Pick<JobDependencies, "client" | "jobs" | "pods">): ControllerSpec {
  const index = ownerIndexOf({ owners: jobs, dependents: pods, selectionOf: workloadSelection });

  const enqueueTracked = (queue: KeyQueue): ResourceEventHandler<Pod> => {
    const enqueue = (pod: Pod) => {
      if (!isTracked(pod)) return;
      const job = index.ownerOf(pod);
      if (job === undefined || isFinished(job)) queue.add(keyOf(pod));
    };
    return { added: enqueue, updated: (_old, pod) => enqueue(pod) };
  };
  const enqueueOfEnded = (queue: KeyQueue): ResourceEventHandler<Job> => {
    const enqueue = (job: Job) => {
      for (const pod of index.controlledBy(job)) if (isTracked(pod)) queue.add(keyOf(pod));
    };
    return {
      added: (job) => isFinished(job) && enqueue(job),
      updated: (old, job) => isFinished(job) && !isFinished(old) && enqueue(job),
      deleted: enqueue,
    };
  };

  return {
    name: "job-orphan-pods",
    workers: 2,
    watches: [watching(jobs, enqueueOfEnded), watching(pods, enqueueTracked)],

    async reconcile(key, signal) {
      const pod = pods.get(key);
      if (pod === undefined || !isTracked(pod)) return done;
      const controller = controllerOf(pod);
      if (controller !== undefined && controller.kind !== jobResource.kind) return done;
      if (controller !== undefined && (await isCounted(pod, client, signal))) return done;
      await withoutFinalizer(pod, client, signal);
      return done;
    },
  };
}

/** Reports whether a Job will count the Pod. Asks the API server, because the informer of Jobs may lag behind that of Pods. */
async function isCounted(pod: Pod, client: Client, signal: AbortSignal): Promise<boolean> {
  const { name = "", uid } = controllerOf(pod) ?? {};
  try {
    const job = await client.get(jobResource, { namespace: pod.metadata.namespace, name }, signal);
    return job.metadata.uid === uid && (isManagedElsewhere(job) || !isFinished(job));
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
