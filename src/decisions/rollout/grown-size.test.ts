import { expect, test } from "vitest";
import { replicaSet } from "../../testing/replica-set.ts";
import { rolloutState } from "../../testing/rollout-state.ts";
import { type Revisions, revisionsWithNew } from "./revisions.ts";
import { replacementSizes } from "./grown-size.cases.ts";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { grownSize } from "./grown-size.ts";

/** The size alone; `undefined` when it depends on an unknown number of terminating Pods. */
function sizeFor(replicaSet: ReplicaSet | undefined, revisions: Revisions): number | undefined {
  const growth = grownSize(replicaSet, revisions);
  return growth.kind === "known" ? growth.pods : undefined;
}

test.for(replacementSizes)(
  "under TerminationComplete the new ReplicaSet $name",
  ({ replicas, maxSurge, strategy, counts, want }) => {
    const replicaSets = counts.map(([size, pods, terminating, synced], index) =>
      replicaSet(`web-${index}`, { size, pods, terminating, observedGeneration: synced === "never" ? 0 : 1 }),
    );
    const state = rolloutState(
      { replicas, maxSurge, strategy: strategy ?? "RollingUpdate", policy: "TerminationComplete" },
      replicaSets,
    );
    expect(sizeFor(replicaSets[0], revisionsWithNew(state, replicaSets[0]))).toBe(want);
  },
);

test("under TerminationComplete nothing grows before everyone has reported on its size", () => {
  const [grown, shrunk] = [
    replicaSet("web-2", { size: 1 }),
    replicaSet("web-1", { size: 0, generation: 5, observedGeneration: 4 }),
  ];
  const state = rolloutState({ replicas: 4, policy: "TerminationComplete" }, [grown, shrunk]);
  expect(sizeFor(grown, revisionsWithNew(state, grown))).toBe(1);
});

test.for([null, "TerminationStarted"] as const)("with policy %s terminating Pods hold no place", (policy) => {
  const replicaSets = [replicaSet("web-2", { size: 1 }), replicaSet("web-1", { size: 8, terminating: 9 })];
  const state = rolloutState({ replicas: 10, maxSurge: 2, policy }, replicaSets);
  expect(sizeFor(replicaSets[0], revisionsWithNew(state, replicaSets[0]))).toBe(4);
});
