import { expect, test } from "vitest";
import type { RemovalRecord } from "../../src/decisions/explain/removal-record.ts";
import { pod } from "../../src/testing/pod.ts";
import { podEnd } from "./pod-end.ts";

const none = { removals: [], deletions: [] };
const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-a" };
const ending = pod("a", { owner, deletedAt: "2026-01-01T12:00:00Z" });

function disrupted(reason: string) {
  const condition = { type: "DisruptionTarget", status: "True", reason, message: "said so" };
  return { ...ending, status: { ...ending.status, conditions: [condition] } } as typeof ending;
}

const removal = {
  time: "2026-01-01T12:00:00.000000Z",
  workload: { kind: "ReplicaSet", namespace: "default", name: "web-a", uid: "1" },
  candidates: [
    {
      pod: "a",
      uid: ending.metadata.uid,
      verdict: "goes",
      reason: "deletion cost: -5 < 0 of b",
      because: { rule: "deletion cost", value: -5, against: { pod: "b", value: 0 } },
    },
  ],
} as unknown as RemovalRecord;

test("a record names the rule and the rival", () => {
  expect(podEnd(ending, { removals: [removal] }, false)).toMatchObject({
    by: "ReplicaSet web-a",
    sentence: "deletion cost: -5 < 0 of b",
    rule: "deletion cost",
    rival: "b",
    isRecorded: true,
  });
});

test("a Pod that stayed in a decision was not ended by it", () => {
  const stayed = {
    ...removal,
    candidates: removal.candidates.map((each) => ({ ...each, verdict: "stays" })),
  };
  expect(podEnd(ending, { removals: [stayed as RemovalRecord] }, false)?.isRecorded).toBe(false);
});

test.for([
  { reason: "EvictionByEvictionAPI", by: "an eviction" },
  { reason: "DeletionByTaintManager", by: "a taint" },
  { reason: "PreemptionByScheduler", by: "the scheduler" },
  { reason: "DeletionByPodGC", by: "the Pod garbage collector" },
  { reason: "SomethingNew", by: "SomethingNew" },
])("without a record, the disruption $reason is the end", ({ reason, by }) => {
  expect(podEnd(disrupted(reason), none, false)).toMatchObject({
    by,
    sentence: expect.stringContaining("said so") as string,
  });
});

test.for([
  { name: "runs on has no end", subject: pod("a"), isGone: false, want: undefined },
  { name: "is gone was deleted by somebody", subject: pod("a"), isGone: true, want: "no recorded decision" },
  {
    name: "ends without a trace was deleted by somebody",
    subject: ending,
    isGone: false,
    want: "no recorded decision",
  },
])("a Pod that $name", ({ subject, isGone, want }) => {
  expect(podEnd(subject, none, isGone)?.by).toBe(want);
});
