import { expect, test } from "vitest";
import { parseTime } from "../../src/api/time.ts";
import { job, jobPod, type JobTraits } from "../../src/testing/job.ts";
import type { PodTraits } from "../../src/testing/pod.ts";
import { jobView } from "./job-view.ts";

const now = parseTime("2026-01-01T00:01:00Z") ?? 0;

test.for<{ traits: JobTraits; pods?: readonly PodTraits[]; says: string; waits: boolean }>([
  { traits: { parallelism: 2, completions: 2 }, says: "0 running: creates 2 more", waits: true },
  { traits: {}, pods: [{}], says: "1 running, as many as are needed", waits: false },
  {
    traits: { suspend: true },
    says: "suspended: no Pod runs until spec.suspend is false",
    waits: true,
  },
  {
    traits: { podReplacementPolicy: "Failed" },
    pods: [{ deletedAt: "2026-01-01T00:00:59Z" }],
    says: "waits for 1 terminating: podReplacementPolicy Failed replaces a Pod only once it has ended",
    waits: true,
  },
  {
    traits: { managedBy: "example.com/queue" },
    says: "run by example.com/queue, which decides about its Pods",
    waits: false,
  },
  {
    traits: {
      status: {
        conditions: [
          { type: "Complete", status: "True", lastTransitionTime: "2026-01-01T00:00:30Z", message: "Done" },
        ],
      },
    },
    says: "Complete at 2026-01-01T00:00:30Z: Done",
    waits: false,
  },
])("a Job that $says", ({ traits, pods = [], says, waits }) => {
  const one = job("one", traits);
  const own = pods.map((each, index) => jobPod(`one-${index}`, each));
  expect(jobView(one, own, now).headline).toEqual({ text: says, isWaiting: waits });
});
