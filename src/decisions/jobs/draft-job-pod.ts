import type { Job, CronJob } from "../../api/generated/batch-v1.ts";
import type { Container, EnvVar, Pod, PodSpec } from "../../api/generated/core-v1.ts";
import { completionIndexKey, jobTrackingFinalizer } from "../../api/job-state.ts";
import type { Draft } from "../../api/object.ts";
import { controllerReference } from "../../api/owner-references.ts";
import { jobs, cronJobs, jobs as jobResource } from "../../api/resources.ts";
import { failureAnnotations } from "./index-failures.ts";
import { zonedTime } from "../../api/cron-times.ts";
import { apiVersionOf } from "../../api/resource.ts";
import type { Instant } from "../../api/time.ts";

/** A generated name has at most 63 characters, of which the last five are random. */
const maxPrefixLength = 58;

/** Drafts a Pod of a Job; with an index, the one for that index, which may replace a failed one. */
export function draftJobPod(job: Job, index?: number, replaced?: Pod): Draft<Pod> {
  const { metadata = {}, spec } = job.spec.template ?? {};
  const { namespace, name } = job.metadata;
  const { labels, annotations } = metadata;
  const suffix = index === undefined ? "-" : `-${index}-`;
  const indexed = index === undefined ? {} : { [completionIndexKey]: String(index) };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      generateName: `${name.slice(0, maxPrefixLength - suffix.length)}${suffix}`,
      ...(namespace !== undefined && { namespace }),
      labels: { ...labels, ...indexed },
      annotations: { ...annotations, ...indexed, ...failureAnnotations(job, replaced) },
      finalizers: [...new Set([...(metadata.finalizers ?? []), jobTrackingFinalizer])],
      ownerReferences: [controllerReference(jobs, job)],
    },
    spec: specOf(spec ?? { containers: [] }, name, index),
  };
}

function specOf(spec: PodSpec, name: string, index: number | undefined): PodSpec {
  if (index === undefined) return spec;
  return {
    ...spec,
    hostname: `${name}-${index}`,
    containers: spec.containers.map(withIndexVariable),
    ...(spec.initContainers !== undefined && {
      initContainers: spec.initContainers.map(withIndexVariable),
    }),
  };
}

const indexVariable: EnvVar = {
  name: "JOB_COMPLETION_INDEX",
  valueFrom: { fieldRef: { fieldPath: `metadata.labels['${completionIndexKey}']` } },
};

function withIndexVariable(container: Container): Container {
  const { env = [] } = container;
  if (env.some(({ name }) => name === indexVariable.name)) return container;
  return { ...container, env: [...env, indexVariable] };
}

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
