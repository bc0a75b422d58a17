import { describe, expect, test } from "vitest";
import { type DeploymentTraits } from "../../testing/deployment.ts";
import { replicaSet, type ReplicaSetTraits } from "../../testing/replica-set.ts";
import { rolloutState } from "../../testing/rollout-state.ts";
import { progressing } from "./status/conditions.ts";
import { revisionsWithNew } from "./revisions.ts";
import type { Limit } from "./limit.ts";
import { revisionLimits } from "./revision-limits.ts";

interface Situation {
  readonly deployment?: DeploymentTraits;
  readonly fresh?: ReplicaSetTraits;
  readonly old?: readonly ReplicaSetTraits[];
}

function limits({ deployment = {}, fresh, old = [] }: Situation) {
  const newReplicaSet = fresh && replicaSet("new", fresh);
  const others = old.map((traits, index) =>
    replicaSet(`old-${index + 1}`, { ...traits, createdAt: `2026-01-0${index + 1}T00:00:00Z` }),
  );
  const replicaSets = newReplicaSet === undefined ? others : [...others, newReplicaSet];
  const traits = { replicas: 10, maxSurge: 3, maxUnavailable: 2, ...deployment };
  return revisionLimits(revisionsWithNew(rolloutState(traits, replicaSets), newReplicaSet));
}

const complete = "TerminationComplete" as const;
const done = { observedGeneration: 1, replicas: 10, updatedReplicas: 10, availableReplicas: 10 };
const stuck = { conditions: [progressing("ProgressDeadlineExceeded", "", 0)] };

describe("the new revision is limited", () => {
  test.for<Situation & { name: string; want: Limit }>([
    {
      name: "by the surge",
      fresh: { size: 5 },
      old: [{ size: 8 }],
      want: { kind: "surge", pods: 13, replicas: 10, maxSurge: 3 },
    },
    {
      name: "by the surge alone when terminating Pods hold no place",
      fresh: { size: 5 },
      old: [{ size: 8, terminating: 9 }],
      want: { kind: "surge", pods: 13, replicas: 10, maxSurge: 3 },
    },
    {
      name: "by terminating Pods under TerminationComplete",
      deployment: { policy: complete },
      fresh: { size: 4 },
      old: [{ size: 6, terminating: 3 }],
      want: { kind: "terminating", pods: 10, terminating: 3, replicas: 10, maxSurge: 3 },
    },
    {
      name: "by the surge under TerminationComplete, too",
      deployment: { policy: complete },
      fresh: { size: 5 },
      old: [{ size: 8, terminating: 3 }],
      want: { kind: "surge", pods: 13, replicas: 10, maxSurge: 3 },
    },
    {
      name: "by Pods yet to be deleted under TerminationComplete",
      deployment: { policy: complete },
      fresh: { size: 5 },
      old: [{ size: 6, pods: 8 }],
      want: { kind: "surge", pods: 13, replicas: 10, maxSurge: 3 },
    },
    {
      name: "by those who keep silent about terminating Pods",
      deployment: { policy: complete },
      fresh: { size: 4 },
      old: [{ size: 6, terminating: null }],
      want: { kind: "terminating-unknown", replicaSets: ["old-1"] },
    },
    {
      name: "by those who have yet to report under TerminationComplete",
      deployment: { policy: complete },
      fresh: { size: 4 },
      old: [{ size: 6, generation: 4, observedGeneration: 3 }],
      want: { kind: "unreported", replicaSets: ["old-1"] },
    },
    {
      name: "by nothing while there is room",
      fresh: { size: 3 },
      old: [{ size: 8 }],
      want: { kind: "next-pass" },
    },
    { name: "by nothing before it is there", old: [{ size: 8 }], want: { kind: "next-pass" } },
    {
      name: "by a pause",
      deployment: { paused: true },
      fresh: { size: 3 },
      old: [{ size: 8 }],
      want: { kind: "paused" },
    },
    {
      name: "by a pause before it is there",
      deployment: { paused: true },
      old: [{ size: 8 }],
      want: { kind: "paused" },
    },
    {
      name: "by terminating Pods although paused when it is the only one",
      deployment: { paused: true, maxSurge: 0, policy: complete },
      fresh: { size: 8, terminating: 2 },
      want: { kind: "terminating", pods: 8, terminating: 2, replicas: 10, maxSurge: 0 },
    },
    {
      name: "by old Pods under Recreate",
      deployment: { strategy: "Recreate" },
      old: [{ size: 0, pods: 4 }],
      want: { kind: "old-pods", running: 4, terminating: 0, unreported: 0 },
    },
    {
      name: "by nothing under Recreate when they are gone",
      deployment: { strategy: "Recreate" },
      old: [{ size: 0 }],
      want: { kind: "next-pass" },
    },
    {
      name: "by its deadline once it has all Pods",
      fresh: { size: 10, available: 7 },
      want: { kind: "progress-deadline", available: 7, replicas: 10, deadlineSeconds: 600, exceeded: false },
    },
    {
      name: "by its deadline when that has passed",
      deployment: { status: stuck },
      fresh: { size: 10, available: 7 },
      want: { kind: "progress-deadline", available: 7, replicas: 10, deadlineSeconds: 600, exceeded: true },
    },
    {
      name: "by its Pods without a deadline",
      deployment: { progressDeadlineSeconds: null },
      fresh: { size: 10, available: 7 },
      want: { kind: "availability", available: 7, replicas: 10 },
    },
    {
      name: "by the last terminating Pods under TerminationComplete",
      deployment: { policy: complete, status: { ...done, terminatingReplicas: 2 } },
      fresh: { size: 10, terminating: 2 },
      want: { kind: "draining", terminating: 2 },
    },
    {
      name: "by nothing when it is done",
      deployment: { status: done },
      fresh: { size: 10 },
      want: { kind: "complete" },
    },
    {
      name: "by nothing when it has its size and old Pods are left",
      fresh: { size: 10 },
      old: [{ size: 3 }],
      want: { kind: "none" },
    },
    {
      name: "by ReplicaSets that have yet to remove what is too much",
      fresh: { size: 10, pods: 12 },
      old: [{ size: 0, pods: 1 }],
      want: { kind: "unreported", replicaSets: ["old-1", "new"] },
    },
    {
      name: "by ReplicaSets that do not say what still terminates under TerminationComplete",
      deployment: { policy: complete },
      fresh: { size: 10 },
      old: [{ size: 0, terminating: null }],
      want: { kind: "terminating-unknown", replicaSets: ["old-1"] },
    },
    {
      name: "by nothing when the Deployment is being deleted",
      deployment: { deletedAt: "2026-01-01T00:00:00Z" },
      fresh: { size: 3 },
      want: { kind: "none" },
    },
  ])("$name", ({ want, ...situation }) => {
    expect(limits(situation)[0]?.limit).toEqual(want);
  });
});

describe("an old revision is limited", () => {
  test.for<Situation & { name: string; want: Limit }>([
    {
      name: "by what must stay available",
      fresh: { size: 5, available: 0 },
      old: [{ size: 8 }],
      want: { kind: "unavailable", available: 8, replicas: 10, maxUnavailable: 2 },
    },
    {
      name: "by nothing while it may shrink",
      fresh: { size: 5 },
      old: [{ size: 8 }],
      want: { kind: "next-pass" },
    },
    {
      name: "by nothing when it has nothing",
      fresh: { size: 10 },
      old: [{ size: 0 }],
      want: { kind: "none" },
    },
    { name: "by nothing while the new one is not there", old: [{ size: 8 }], want: { kind: "next-pass" } },
    {
      name: "by nothing under Recreate",
      deployment: { strategy: "Recreate" },
      fresh: { size: 0 },
      old: [{ size: 8 }],
      want: { kind: "next-pass" },
    },
    {
      name: "by a pause",
      deployment: { paused: true },
      fresh: { size: 5 },
      old: [{ size: 8 }],
      want: { kind: "paused" },
    },
    {
      name: "by its own report when that is out of date",
      fresh: { size: 5 },
      old: [{ size: 6, pods: 8 }],
      want: { kind: "unreported", replicaSets: ["old-1"] },
    },
    {
      name: "by the new one's report when that is out of date",
      fresh: { size: 5, generation: 3, observedGeneration: 2 },
      old: [{ size: 8 }],
      want: { kind: "unreported", replicaSets: ["new"] },
    },
    {
      name: "by terminating Pods while a scale is held back",
      deployment: { policy: complete },
      fresh: { size: 2 },
      old: [{ size: 8, before: 6, terminating: 3 }],
      want: { kind: "terminating", pods: 10, terminating: 3, replicas: 10, maxSurge: 3 },
    },
  ])("$name", ({ want, ...situation }) => {
    expect(limits(situation)[1]?.limit).toEqual(want);
  });
});

test("revisions are listed with the new one first and the old ones by age", () => {
  const listed = limits({ fresh: { size: 5, revision: 3 }, old: [{ size: 8, revision: 1 }, { size: 0 }] });
  expect(listed).toMatchObject([
    { role: "new", replicaSet: "new", revision: "3", size: 5 },
    { role: "old", replicaSet: "old-1", revision: "1", size: 8 },
    { role: "old", replicaSet: "old-2", size: 0 },
  ]);
});
