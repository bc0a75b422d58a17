import { describe, expect, test } from "vitest";
import { replicaSet, type ReplicaSetTraits } from "../../testing/replica-set.ts";
import { rolloutState } from "../../testing/rollout-state.ts";
import type { RolloutAction } from "./action.ts";
import { type Revisions, revisionsWithNew } from "./revisions.ts";
import { sizeNewReplicaSet } from "./new-replica-set.ts";
import { shrinkOldReplicaSets } from "./rolling-update.ts";

interface Situation {
  readonly replicas?: number;
  readonly maxSurge?: number;
  readonly maxUnavailable?: number;
  readonly fresh: ReplicaSetTraits;
  /** From the oldest to the youngest. */
  readonly old?: readonly ReplicaSetTraits[];
}

function revisions({
  replicas = 10,
  maxSurge = 3,
  maxUnavailable = 2,
  fresh,
  old = [],
}: Situation): Revisions {
  const newReplicaSet = replicaSet("new", { size: 0, ...fresh, createdAt: "2026-01-09T00:00:00Z" });
  const oldReplicaSets = old.map((traits, index) =>
    replicaSet(`old-${index + 1}`, { ...traits, createdAt: `2026-01-0${index + 1}T00:00:00Z` }),
  );
  const traits = { replicas, maxSurge, maxUnavailable };
  return revisionsWithNew(rolloutState(traits, [...oldReplicaSets, newReplicaSet]), newReplicaSet);
}

function writes(actions: readonly RolloutAction[]): readonly string[] {
  return actions.flatMap((action) =>
    action.kind === "update-replica-set"
      ? [`${action.replicaSet.metadata.name}=${action.replicaSet.spec.replicas}`]
      : [],
  );
}

describe("the new ReplicaSet", () => {
  test.for([
    { name: "has nothing to do at all replicas", fresh: { size: 10 }, want: [] },
    { name: "begins within the surge", fresh: { size: 0 }, old: [{ size: 10 }], want: ["new=3"] },
    { name: "follows when the old ones shrink", fresh: { size: 3 }, old: [{ size: 8 }], want: ["new=5"] },
    {
      name: "waits while there are as many Pods as allowed",
      fresh: { size: 5 },
      old: [{ size: 8 }],
      want: [],
    },
    { name: "waits while there are more", fresh: { size: 5 }, old: [{ size: 9 }], want: [] },
    {
      name: "begins within a surge of 2",
      maxSurge: 2,
      fresh: { size: 0 },
      old: [{ size: 10 }],
      want: ["new=2"],
    },
    {
      name: "begins in the room of a small old one",
      maxSurge: 2,
      fresh: { size: 0 },
      old: [{ size: 5 }],
      want: ["new=7"],
    },
    { name: "waits at a surge of 2", maxSurge: 2, fresh: { size: 2 }, old: [{ size: 10 }], want: [] },
    {
      name: "shrinks to all replicas when it is too large",
      maxSurge: 2,
      fresh: { size: 11 },
      old: [{ size: 2 }],
      want: ["new=10"],
    },
    { name: "never has more than all replicas", fresh: { size: 9 }, want: ["new=10"] },
  ])("$name", ({ want, ...situation }) => {
    const result = sizeNewReplicaSet(revisions(situation));
    expect(result.kind === "proceed" && writes(result.actions)).toEqual(want);
  });
});

describe("the old ReplicaSets", () => {
  test.for([
    {
      name: "shrink by what may be unavailable",
      fresh: { size: 3, available: 0 },
      old: [{ size: 10 }],
      want: ["old-1=8"],
    },
    {
      name: "stay when broken new Pods use the budget up",
      fresh: { size: 5, available: 0 },
      old: [{ size: 8 }],
      want: [],
    },
    {
      name: "lose four of a broken revision that was rolled back while one new Pod is unavailable",
      fresh: { size: 8, available: 7 },
      old: [{ size: 5, available: 0 }],
      want: ["old-1=1"],
    },
    {
      name: "are first cleaned up and then scaled down from there",
      fresh: { size: 8 },
      old: [{ size: 5, available: 1 }],
      want: ["old-1=1", "old-1=0"],
    },
    { name: "go as new Pods become available", fresh: { size: 5 }, old: [{ size: 8 }], want: ["old-1=3"] },
    { name: "have nothing to lose at size 0", fresh: { size: 10 }, old: [{ size: 0 }], want: [] },
    {
      name: "lose unavailable Pods first, the oldest ReplicaSet first",
      fresh: { size: 0 },
      old: [
        { size: 5, available: 4 },
        { size: 8, available: 4 },
      ],
      want: ["old-1=4", "old-2=4"],
    },
    {
      name: "lose no more of those than may go",
      fresh: { size: 0 },
      old: [{ size: 10, available: 2 }],
      want: ["old-1=8"],
    },
    {
      name: "lose available Pods from the oldest on",
      fresh: { size: 6 },
      old: [{ size: 3 }, { size: 4 }],
      want: ["old-1=0", "old-2=2"],
    },
    {
      name: "lose one when nothing may be unavailable and nothing may surge",
      maxSurge: 0,
      maxUnavailable: 0,
      fresh: { size: 0 },
      old: [{ size: 10 }],
      want: ["old-1=9"],
    },
    {
      name: "lose two when two may be unavailable",
      maxSurge: 0,
      fresh: { size: 0 },
      old: [{ size: 10 }],
      want: ["old-1=8"],
    },
    {
      name: "keep available Pods when too few are",
      maxSurge: 0,
      fresh: { size: 0 },
      old: [{ size: 10, available: 8 }],
      want: ["old-1=8"],
    },
    {
      name: "are left alone when their report is older than their size",
      fresh: { size: 5 },
      old: [{ size: 6, pods: 8, available: 8 }],
      want: [],
    },
    {
      name: "do not count on Pods of a revision that is already going",
      replicas: 10,
      maxSurge: 0,
      maxUnavailable: 5,
      fresh: { size: 5, available: 2 },
      old: [{ size: 0, pods: 3, available: 3 }, { size: 5 }],
      want: ["old-2=3"],
    },
    {
      name: "do not count on Pods of a new ReplicaSet that has yet to report",
      fresh: { size: 5, generation: 3, observedGeneration: 2 },
      old: [{ size: 8 }],
      want: [],
    },
  ])("$name", ({ want, ...situation }) => {
    expect(writes(shrinkOldReplicaSets(revisions(situation)).actions)).toEqual(want);
  });

  test.for([
    { most: 1, want: ["old-1=9"] },
    { most: 2, want: ["old-1=8"] },
    { most: 3, want: ["old-1=8"] },
  ])("lose $want when $most may go and two of ten are unavailable", ({ most, want }) => {
    // As many Pods may go as the new ReplicaSet has beyond what is asked for.
    const situation = {
      replicas: 10,
      maxSurge: 10,
      maxUnavailable: 0,
      fresh: { size: most },
      old: [{ size: 10, available: 8 }],
    };
    const [first] = writes(shrinkOldReplicaSets(revisions(situation)).actions);
    expect([first]).toEqual(want);
  });

  test("name the one whose report is out of date", () => {
    const { stale } = shrinkOldReplicaSets(
      revisions({ fresh: { size: 5 }, old: [{ size: 6, pods: 8, available: 8 }] }),
    );
    expect(stale?.metadata.name).toBe("old-1");
  });
});

test("every change of size brings the annotations up to date and is told", () => {
  const { actions } = shrinkOldReplicaSets(
    revisions({ fresh: { size: 3, available: 0 }, old: [{ size: 10, before: 4 }] }),
  );
  expect(actions).toMatchObject([
    {
      kind: "update-replica-set",
      replicaSet: {
        metadata: {
          annotations: {
            "deployment.kubernetes.io/desired-replicas": "10",
            "deployment.kubernetes.io/max-replicas": "13",
          },
        },
        spec: { replicas: 8 },
      },
    },
    {
      kind: "record-event",
      event: {
        type: "Normal",
        reason: "ScalingReplicaSet",
        message: "Scaled down replica set old-1 from 10 to 8",
      },
    },
  ]);
  expect(JSON.stringify(actions)).not.toContain("before-scale");
});
