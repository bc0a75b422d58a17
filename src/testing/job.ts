import type { Job, JobSpec, JobStatus } from "../api/generated/batch-v1.ts";
import type { Pod } from "../api/generated/core-v1.ts";
import { completionIndexKey, controllerUidLabel, jobTrackingFinalizer } from "../api/job-state.ts";
import { pod, type PodTraits } from "./pod.ts";

/** What a test may want to be different about a Job. */
export interface JobTraits extends Partial<Omit<JobSpec, "completions">> {
  /** `null` for a Job that one success completes. */
  readonly completions?: number | null;
  readonly status?: JobStatus;
  readonly deletedAt?: string;
}

/** A Job as the API server stores it: one completion, six retries, but for the traits given. */
export function job(name: string, { status, deletedAt, completions = 1, ...spec }: JobTraits = {}): Job {
  const uid = `uid-of-${name}`;
  const labels = { app: "web", [controllerUidLabel]: uid };
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name,
      namespace: "default",
      uid,
      resourceVersion: "1",
      creationTimestamp: "2026-01-01T00:00:00Z",
      ...(deletedAt !== undefined && { deletionTimestamp: deletedAt }),
    },
    spec: {
      ...(completions !== null && { completions }),
      parallelism: 1,
      backoffLimit: 6,
      completionMode: "NonIndexed",
      suspend: false,
      podReplacementPolicy: "TerminatingOrFailed",
      selector: { matchLabels: { [controllerUidLabel]: uid } },
      template: {
        metadata: { labels },
        spec: { restartPolicy: "Never", containers: [{ name: "app", image: "registry.example/app:1" }] },
      },
      ...spec,
    },
    ...(status !== undefined && { status }),
  };
}

/** What a test may want to be different about a Pod of a Job. */
export interface JobPodTraits extends PodTraits {
  readonly index?: number;
  /** Whether it has the tracking finalizer; absent: yes. */
  readonly tracked?: boolean;
  /** The exit code of its container, which ended at `endedAt`. */
  readonly exitCode?: number;
  readonly endedAt?: string;
}

/** A Pod of a Job: it runs, and no Job has counted it, but for the traits given. */
export function jobPod(name: string, traits: JobPodTraits = {}): Pod {
  const { index, tracked = true, exitCode, endedAt = "2026-01-01T00:00:00Z", ...rest } = traits;
  const indexed = index === undefined ? {} : { [completionIndexKey]: String(index) };
  const base = pod(name, { ...rest, annotations: { ...rest.annotations, ...indexed } });
  const terminated = { exitCode: exitCode ?? 0, finishedAt: endedAt };
  const ended = { name: "app", image: "", imageID: "", ready: false, restartCount: 0, state: { terminated } };
  return {
    ...base,
    metadata: { ...base.metadata, ...(tracked && { finalizers: [jobTrackingFinalizer] }) },
    ...(exitCode !== undefined && { status: { ...base.status, containerStatuses: [ended] } }),
  };
}
