import { zonedTime } from "../../api/cron-times.ts";
import type { CronJob, Job } from "../../api/generated/batch-v1.ts";
import type { Draft } from "../../api/object.ts";
import { controllerReference } from "../../api/owner-references.ts";
import { apiVersionOf } from "../../api/resource.ts";
import { cronJobs, jobs as jobResource } from "../../api/resources.ts";
import type { Instant } from "../../api/time.ts";

/** Drafts the Job for a scheduled time. The name is derived from the minute, so that no time gets a second Job. */
export function draftJob(cronJob: CronJob, scheduledAt: Instant): Draft<Job> {
  const { namespace, name } = cronJob.metadata;
  const { metadata = {}, spec } = cronJob.spec.jobTemplate;
  const scheduled = zonedTime(scheduledAt, cronJob.spec.timeZone);
  return {
    apiVersion: apiVersionOf(jobResource),
    kind: jobResource.kind,
    metadata: {
      name: `${name}-${Math.floor(scheduledAt / 60_000)}`,
      ...(namespace !== undefined && { namespace }),
      ...(metadata.labels !== undefined && { labels: metadata.labels }),
      annotations: { ...metadata.annotations, "batch.kubernetes.io/cronjob-scheduled-timestamp": scheduled },
      ownerReferences: [controllerReference(cronJobs, cronJob)],
    },
    spec: spec ?? { template: {} },
  };
}
