import type { Job } from "../../api/generated/batch-v1.ts";
import { finishedAt } from "../../api/job-state.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { jobs as jobResource } from "../../api/resources.ts";
import type { Instant } from "../../api/time.ts";
import { isConflict, isNotFound } from "../../machinery/client/api-error.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import { type ControllerSpec, done, watching } from "../../machinery/controller.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import { enqueueObject } from "../../machinery/ownership/enqueue-owner.ts";

/** What the controller depends on. */
export interface TtlDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly jobs: Informer<Job>;
}

/** Deletes Jobs, and their Pods with them, when they have been finished for as long as they are kept. */
// upstream: pkg/controller/ttlafterfinished
export function ttlAfterFinishedController({ client, clock, jobs }: TtlDependencies): ControllerSpec {
  return {
    name: "ttl-after-finished",
    workers: 5,
    watches: [watching<Job>(jobs, enqueueObject)],

    async reconcile(key, signal) {
      const job = jobs.get(key);
      const at = job === undefined ? undefined : expiresAt(job);
      if (job === undefined || at === undefined) return done;
      if (clock.now() < at) return { requeueAt: at };
      try {
        // The time may have been changed since the informer read the Job.
        const live = await client.get(jobResource, job.metadata, signal);
        const liveAt = expiresAt(live);
        if (liveAt === undefined || clock.now() < liveAt) return done;
        const { uid, resourceVersion } = live.metadata;
        const preconditions = { uid, resourceVersion };
        await client.delete(jobResource, live.metadata, {
          propagationPolicy: "Foreground",
          preconditions,
          signal,
        });
      } catch (error) {
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
      return done;
    },
  };
}

/** When a Job is to be deleted; absent while it runs, is deleted already, or is kept for ever. */
function expiresAt(job: Job): Instant | undefined {
  const { ttlSecondsAfterFinished: ttl } = job.spec;
  const ended = finishedAt(job);
  if (ttl === undefined || ended === undefined || isBeingDeleted(job)) return undefined;
  return ended + ttl * 1000;
}
