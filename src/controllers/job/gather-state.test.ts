import { expect, test } from "vitest";
import type { JobStatus } from "../../api/generated/batch-v1.ts";
import { selectionOf } from "../../api/labels/label-selector.ts";
import { controllerReference } from "../../api/owner-references.ts";
import { jobs, pods } from "../../api/resources.ts";
import { job, jobPod, type JobPodTraits } from "../../testing/job.ts";
import { testApi } from "../../testing/test-api.ts";
import { gatherJobState } from "./gather-state.ts";
import { ReleasedPods } from "./sync-state.ts";

const hasFailed: JobStatus = {
  failed: 1,
  conditions: [{ type: "FailureTarget", status: "True", reason: "BackoffLimitExceeded", message: "" }],
};

interface Situation {
  readonly status: JobStatus;
  /** The Pod as the informer shows it, which is older than the Job. */
  readonly shown: JobPodTraits;
  /** Whether the Pod has lost its finalizer since. */
  readonly isReleased: boolean;
}

/** Gathers the state of a Job `pi` with one Pod; returns the Pods that are released and those that were read again. */
async function gathered({ status, shown, isReleased }: Situation) {
  const { client, clock, requests, seed } = testApi();
  const pi = job("pi", { status });
  const ownerReferences = [controllerReference(jobs, pi)];
  const asPodOf = ({ metadata, ...rest }: ReturnType<typeof jobPod>) => ({
    ...rest,
    metadata: { ...metadata, ownerReferences },
  });
  const known = asPodOf(jobPod("pi-1", shown));
  seed(pods, asPodOf(jobPod("pi-1", { ...shown, tracked: !isReleased })));
  const state = await gatherJobState(
    { pods: { resourceVersion: "10" }, index: { claimableBy: () => [known] } },
    {
      key: "default/pi",
      job: { ...pi, metadata: { ...pi.metadata, resourceVersion: "20" } },
      selection: selectionOf([]),
      client,
      clock,
      syncState: { released: new ReleasedPods(), backoffs: new Map() },
      wrote: () => undefined,
      signal: new AbortController().signal,
    },
    false,
  );
  return { released: [...state.released], read: requests.map(({ verb }) => verb) };
}

test.for<{ name: string } & Situation & { released: readonly string[]; read: readonly string[] }>([
  {
    name: "that has finished and was released, is not counted again",
    status: { failed: 1 },
    shown: { phase: "Failed" },
    isReleased: true,
    released: ["uid-of-pi-1"],
    read: ["get"],
  },
  {
    name: "that runs, and was released because the Job has failed, is not counted again",
    status: hasFailed,
    shown: { phase: "Running" },
    isReleased: true,
    released: ["uid-of-pi-1"],
    read: ["get"],
  },
  {
    name: "that runs, and that a failed Job has yet to count, is counted",
    status: hasFailed,
    shown: { phase: "Running" },
    isReleased: false,
    released: [],
    read: ["get"],
  },
  {
    name: "that runs for a Job that goes on is not read again",
    status: {},
    shown: { phase: "Running" },
    isReleased: false,
    released: [],
    read: [],
  },
])("a Pod that was read before its Job, $name", async ({ released, read, ...situation }) => {
  expect(await gathered(situation)).toEqual({ released, read });
});
