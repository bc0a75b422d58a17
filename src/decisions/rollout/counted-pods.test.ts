import { expect, test } from "vitest";
import { replicaSet } from "../../testing/replica-set.ts";
import { rolloutState } from "../../testing/rollout-state.ts";
import { planRollout } from "./plan-rollout.ts";

const complete = { replicas: 4, maxSurge: 0, maxUnavailable: 1, policy: "TerminationComplete" } as const;
const silent = replicaSet("web-1", { size: 1, desired: 1, max: 1, revision: 1, terminating: null });

test.for([
  { name: "adds no Pod while the counted ones fill the budget", running: 1, terminating: 3, want: 1 },
  { name: "adds Pods where counted ones have ended", running: 1, terminating: 1, want: 3 },
  {
    name: "takes a Pod that its status counts no more for a terminating one",
    running: 3,
    terminating: 0,
    want: 2,
  },
  { name: "takes no number below zero", running: -5, terminating: -5, want: 4 },
])("a scale without reports on terminating Pods $name", ({ running, terminating, want }) => {
  const counted = { [silent.metadata.uid]: { running, terminating } };
  const { limits, outcome, status } = planRollout(rolloutState(complete, [silent], { counted }));
  expect(outcome).toEqual({ kind: "done" });
  expect(limits[0]?.size).toBe(want);
  // What the API server would not store is not written: it would be written again and again.
  expect(status).not.toHaveProperty("terminatingReplicas");
});

test("a number that is reported is better than one that is counted", () => {
  const vocal = replicaSet("web-1", { size: 1, desired: 1, max: 1, revision: 1, terminating: 2 });
  const counted = { other: { running: 0, terminating: 9 } };
  const { limits, status } = planRollout(rolloutState(complete, [vocal], { counted }));
  expect(limits[0]?.size).toBe(2);
  expect(status.terminatingReplicas).toBe(2);
});

test.for([
  { name: "add no Pod while they fill the budget", size: 10, terminating: 0, seen: 4, want: 10 },
  { name: "leave room for what remains of it", size: 10, terminating: 0, seen: 2, want: 12 },
  { name: "count once when they are reported", size: 10, terminating: 4, seen: 4, want: 10 },
  { name: "count where more are reported than seen", size: 10, terminating: 4, seen: 1, want: 10 },
])("Pods that were just deleted by hand $name", ({ size, terminating, seen, want }) => {
  const wanted = { replicas: 14, maxSurge: 0, maxUnavailable: 1, policy: "TerminationComplete" } as const;
  const old = replicaSet("web-1", { size, desired: size, max: size, revision: 1, terminating });
  const seenTerminating = { [old.metadata.uid]: seen };
  const { limits, status } = planRollout(rolloutState(wanted, [old], { seenTerminating }));
  expect(limits[0]?.size).toBe(want);
  // The Deployment reports what its ReplicaSets do.
  expect(status.terminatingReplicas).toBe(terminating);
});

test("a Pod that a report still counts as running is not counted twice", () => {
  const wanted = { replicas: 14, maxSurge: 0, maxUnavailable: 1, policy: "TerminationComplete" } as const;
  const old = replicaSet("web-1", { size: 8, pods: 10, desired: 8, max: 8, revision: 1, terminating: 0 });
  const seenTerminating = { [old.metadata.uid]: 2 };
  expect(planRollout(rolloutState(wanted, [old], { seenTerminating })).limits[0]?.size).toBe(12);
});
