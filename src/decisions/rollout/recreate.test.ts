import { describe, expect, test } from "vitest";
import type { Pod } from "../../api/generated/core-v1.ts";
import { pod, type PodTraits } from "../../testing/pod.ts";
import { replicaSet, type ReplicaSetTraits } from "../../testing/replica-set.ts";
import { rolloutState } from "../../testing/rollout-state.ts";
import { revisionsWithNew } from "./revisions.ts";
import { sizeNewReplicaSet } from "./new-replica-set.ts";
import { remainingOldPods } from "./recreate.ts";

const newReplicaSet = replicaSet("new", { image: "new", size: 0 });

function podOf(owner: string, traits: PodTraits): Pod {
  const { metadata, ...rest } = pod("p", traits);
  const reference = {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    name: owner,
    uid: `uid-of-${owner}`,
    controller: true,
  };
  return { ...rest, metadata: { ...metadata, ownerReferences: [reference] } };
}

function remaining(
  old: ReplicaSetTraits,
  more: { policy?: "TerminationStarted" | "TerminationComplete"; pods?: Pod[] },
) {
  const replicaSets = [replicaSet("old", { size: 0, ...old }), newReplicaSet];
  const { policy = null, pods = [] } = more;
  const state = rolloutState({ strategy: "Recreate", policy }, replicaSets, { pods });
  return remainingOldPods(revisionsWithNew(state, newReplicaSet));
}

const nothing = { running: 0, terminating: 0, unreported: 0 };

describe("without a policy the old revisions are still there", () => {
  test.for([
    { name: "while their ReplicaSets report Pods", old: { pods: 2 }, pods: [], running: 2 },
    { name: "while a Pod runs", old: {}, pods: [podOf("old", {})], running: 1 },
    { name: "while a Pod is pending", old: {}, pods: [podOf("old", { phase: "Pending" })], running: 1 },
    { name: "while a Pod is unknown", old: {}, pods: [podOf("old", { phase: "Unknown" })], running: 1 },
    {
      name: "while a Pod terminates",
      old: {},
      pods: [podOf("old", { deletedAt: "2026-01-01T00:00:00Z" })],
      running: 1,
    },
    { name: "while a Pod without an owner runs", old: {}, pods: [pod("stray")], running: 1 },
    {
      name: "no longer than until Pods have failed",
      old: {},
      pods: [podOf("old", { phase: "Failed" })],
      running: 0,
    },
    {
      name: "no longer than until Pods have succeeded",
      old: {},
      pods: [podOf("old", { phase: "Succeeded" })],
      running: 0,
    },
    { name: "not for Pods of the new revision", old: {}, pods: [podOf("new", {})], running: 0 },
    { name: "not for what they report to be terminating", old: { terminating: 3 }, pods: [], running: 0 },
  ])("$name", ({ old, pods, running }) => {
    expect(remaining(old, { pods })).toEqual({ ...nothing, running });
  });
});

describe("under TerminationStarted the old revisions are still there", () => {
  test.for([
    { name: "while their ReplicaSets report Pods", old: { pods: 2 }, want: { ...nothing, running: 2 } },
    {
      name: "until they have reported on their size",
      old: { generation: 3, observedGeneration: 2 },
      want: { ...nothing, unreported: 1 },
    },
    { name: "not for what is terminating", old: { terminating: 3 }, want: nothing },
    { name: "not for what is unknown to be terminating", old: { terminating: null }, want: nothing },
  ])("$name", ({ old, want }) => {
    expect(remaining(old, { policy: "TerminationStarted", pods: [podOf("old", {})] })).toEqual(want);
  });
});

describe("under TerminationComplete the old revisions are still there", () => {
  test.for([
    { name: "while Pods terminate", old: { terminating: 3 }, want: { ...nothing, terminating: 3 } },
    {
      name: "while their ReplicaSets report Pods, whatever else is unknown",
      old: { pods: 2, terminating: null },
      want: { ...nothing, running: 2 },
    },
    { name: "who knows how long when they keep silent", old: { terminating: null }, want: undefined },
    { name: "no longer than until the last has ended", old: {}, want: nothing },
  ])("$name", ({ old, want }) => {
    expect(remaining(old, { policy: "TerminationComplete", pods: [podOf("old", {})] })).toEqual(want);
  });
});

describe("the only ReplicaSet", () => {
  test.for([
    { name: "gets all replicas", fresh: { size: 0 }, policy: null, want: 5 },
    {
      name: "gets them although its own Pods terminate",
      fresh: { size: 2, terminating: 3 },
      policy: null,
      want: 5,
    },
    {
      name: "leaves places for its own terminating Pods",
      fresh: { size: 2, terminating: 2 },
      policy: "TerminationComplete",
      want: 3,
    },
    {
      name: "waits when they take all places",
      fresh: { size: 2, terminating: 3 },
      policy: "TerminationComplete",
      want: 2,
    },
    {
      name: "shrinks when it was inflated by hand",
      fresh: { size: 9, terminating: 3 },
      policy: "TerminationComplete",
      want: 5,
    },
    {
      name: "cannot tell when it keeps silent",
      fresh: { size: 2, terminating: null },
      policy: "TerminationComplete",
      want: undefined,
    },
  ] as const)("$name", ({ fresh, policy, want }) => {
    const only = replicaSet("new", fresh);
    const state = rolloutState({ replicas: 5, strategy: "Recreate", policy }, [only]);
    const result = sizeNewReplicaSet(revisionsWithNew(state, only));
    const sizes =
      result.kind === "wait"
        ? [undefined]
        : result.actions.flatMap((action) =>
            action.kind === "update-replica-set" ? [action.replicaSet.spec.replicas] : [],
          );
    expect(sizes).toEqual(want === fresh.size ? [] : [want]);
  });
});
