import { describe, expect, test } from "vitest";
import { defaultFeatureGates } from "../../../api/feature-gates.ts";
import { type DeploymentTraits } from "../../../testing/deployment.ts";
import { replicaSet, type ReplicaSetTraits } from "../../../testing/replica-set.ts";
import { rolloutState } from "../../../testing/rollout-state.ts";
import { available, type ProgressingReason, progressing, progressingOf } from "./conditions.ts";
import { revisionsWithNew } from "../revisions.ts";
import { baseStatus, recheckAt, rolloutStatus, scaleStatus, writeStatus } from "./status.ts";
import type { RolloutState } from "../state.ts";

const complete = "TerminationComplete" as const;
const { now } = rolloutState({}, []);
const noon = "2026-01-01T12:00:00Z";

interface Situation {
  readonly deployment?: DeploymentTraits;
  readonly fresh?: ReplicaSetTraits;
  readonly old?: readonly ReplicaSetTraits[];
}

function revisions({ deployment = {}, fresh, old = [] }: Situation, more: Partial<RolloutState> = {}) {
  const newReplicaSet = fresh && replicaSet("new", fresh);
  const others = old.map((traits, index) => replicaSet(`old-${index + 1}`, traits));
  const replicaSets = newReplicaSet === undefined ? others : [...others, newReplicaSet];
  return revisionsWithNew(rolloutState({ replicas: 10, ...deployment }, replicaSets, more), newReplicaSet);
}

function progressed(seconds: number, reason: ProgressingReason) {
  return progressing(reason, "", now - seconds * 1000);
}

describe("the counts of a status", () => {
  test("are sums over all ReplicaSets, but for the updated ones", () => {
    const status = baseStatus(
      revisions({
        deployment: { generation: 7, status: { collisionCount: 2 } },
        fresh: { size: 6, pods: 5, ready: 4, available: 3, terminating: 1 },
        old: [{ size: 5, pods: 4, ready: 4, available: 4, terminating: 2 }],
      }),
    );
    expect(status).toEqual({
      observedGeneration: 7,
      replicas: 9,
      updatedReplicas: 5,
      readyReplicas: 8,
      availableReplicas: 7,
      unavailableReplicas: 4,
      terminatingReplicas: 3,
      collisionCount: 2,
      conditions: [available(false, now)],
    });
  });

  test("leave zeros out, but for terminating Pods", () => {
    expect(Object.keys(baseStatus(revisions({})))).toEqual([
      "observedGeneration",
      "terminatingReplicas",
      "conditions",
    ]);
  });

  test("do not say how many Pods terminate when a ReplicaSet does not", () => {
    expect(baseStatus(revisions({ fresh: { terminating: null } }))).not.toHaveProperty("terminatingReplicas");
  });

  test("do not say how many Pods terminate with the gate off, and forget what they said", () => {
    const gates = { ...defaultFeatureGates, DeploymentReplicaSetTerminatingReplicas: false };
    const given = revisions({ deployment: { status: { terminatingReplicas: 4 } }, fresh: {} }, { gates });
    expect(baseStatus(given)).not.toHaveProperty("terminatingReplicas");
  });

  test.for([
    { availableReplicas: 8, want: "True" },
    { availableReplicas: 7, want: "False" },
  ])(
    "of 10 replicas of which 2 may be missing are available with $availableReplicas: $want",
    ({ availableReplicas, want }) => {
      const status = baseStatus(
        revisions({ deployment: { maxUnavailable: 2 }, fresh: { size: 10, available: availableReplicas } }),
      );
      expect(status.conditions?.[0]?.status).toBe(want);
    },
  );
});

describe("the Progressing condition after a rollout pass", () => {
  const ten = { size: 10 };
  test.for<Situation & { name: string; want: object | undefined }>([
    {
      name: "says that the new ReplicaSet is available",
      deployment: { status: { conditions: [progressed(30, "ReplicaSetUpdated")] } },
      fresh: ten,
      want: {
        status: "True",
        reason: "NewReplicaSetAvailable",
        message: 'ReplicaSet "new" has successfully progressed.',
        lastUpdateTime: noon,
      },
    },
    {
      name: "says so only when the last Pod has ended under TerminationComplete",
      deployment: {
        policy: complete,
        status: {
          replicas: 10,
          updatedReplicas: 10,
          readyReplicas: 10,
          availableReplicas: 10,
          conditions: [progressed(30, "ReplicaSetUpdated")],
        },
      },
      fresh: { ...ten, terminating: 1 },
      want: {
        ...progressed(30, "ReplicaSetUpdated"),
        message: 'ReplicaSet "new" is progressing. 1 of 11 Pods is still terminating; 10 + 3 allowed.',
      },
    },
    {
      name: "is renewed by progress, and keeps the time of its transition",
      deployment: { status: { conditions: [progressed(30, "ReplicaSetUpdated")] } },
      fresh: { size: 4 },
      want: {
        reason: "ReplicaSetUpdated",
        message: 'ReplicaSet "new" is progressing.',
        lastUpdateTime: noon,
        lastTransitionTime: "2026-01-01T11:59:30Z",
      },
    },
    {
      name: "is renewed when a terminating Pod less is left under TerminationComplete, even after the deadline",
      deployment: {
        policy: complete,
        status: {
          replicas: 4,
          updatedReplicas: 4,
          readyReplicas: 4,
          availableReplicas: 4,
          terminatingReplicas: 3,
          conditions: [progressed(900, "ProgressDeadlineExceeded")],
        },
      },
      fresh: { size: 4, terminating: 2 },
      want: { status: "True", reason: "ReplicaSetUpdated", lastUpdateTime: noon, lastTransitionTime: noon },
    },
    {
      name: "says that the deadline has passed",
      deployment: {
        status: {
          replicas: 4,
          updatedReplicas: 4,
          readyReplicas: 4,
          availableReplicas: 4,
          conditions: [progressed(601, "ReplicaSetUpdated")],
        },
      },
      fresh: { size: 4 },
      want: {
        status: "False",
        reason: "ProgressDeadlineExceeded",
        message: 'ReplicaSet "new" has timed out progressing.',
      },
    },
    {
      name: "speaks of the Deployment without a new ReplicaSet",
      deployment: {
        status: {
          replicas: 4,
          readyReplicas: 4,
          availableReplicas: 4,
          conditions: [progressed(601, "ReplicaSetUpdated")],
        },
      },
      old: [{ size: 4 }],
      want: { message: 'Deployment "web" has timed out progressing.' },
    },
    {
      name: "stays once it was done, though a Pod is missing again",
      deployment: { status: { conditions: [progressed(900, "NewReplicaSetAvailable")] } },
      fresh: { size: 10, available: 8 },
      want: progressed(900, "NewReplicaSetAvailable"),
    },
    {
      name: "is gone without a deadline",
      deployment: {
        progressDeadlineSeconds: null,
        status: { conditions: [progressed(30, "ReplicaSetUpdated")] },
      },
      fresh: { size: 4 },
      want: undefined,
    },
  ])("$name", ({ want, ...situation }) => {
    const condition = progressingOf(rolloutStatus(revisions(situation)));
    if (want === undefined) expect(condition).toBeUndefined();
    else expect(condition).toMatchObject(want);
  });
});

describe("the Progressing condition after a scale pass", () => {
  const drained = { terminatingReplicas: 3, conditions: [progressed(900, "ReplicaSetUpdated")] };
  test.for<Situation & { name: string; want: string }>([
    {
      name: "is renewed by a terminating Pod less under TerminationComplete",
      deployment: { policy: complete, status: drained },
      want: noon,
    },
    {
      name: "is left alone without that policy",
      deployment: { status: drained },
      want: "2026-01-01T11:45:00Z",
    },
    {
      name: "is left alone while paused",
      deployment: { policy: complete, paused: true, status: drained },
      want: "2026-01-01T11:45:00Z",
    },
    {
      name: "is left alone once it was done",
      deployment: {
        policy: complete,
        status: { ...drained, conditions: [progressed(900, "NewReplicaSetAvailable")] },
      },
      want: "2026-01-01T11:45:00Z",
    },
    {
      name: "times out under that policy",
      deployment: { policy: complete, status: { conditions: [progressed(900, "ReplicaSetUpdated")] } },
      want: noon,
    },
    {
      name: "never times out without it",
      deployment: { status: { conditions: [progressed(900, "ReplicaSetUpdated")] } },
      want: "2026-01-01T11:45:00Z",
    },
  ])("$name", ({ want, ...situation }) => {
    expect(progressingOf(scaleStatus(revisions(situation)))?.lastUpdateTime).toBe(want);
  });
});

describe("a failure to make Pods", () => {
  const failure = (message: string) => ({
    conditions: [
      {
        type: "ReplicaFailure",
        status: "True",
        lastTransitionTime: "2026-01-01T10:00:00Z",
        reason: "FailedCreate",
        message,
      },
    ],
  });
  const failures = (situation: Situation) =>
    (rolloutStatus(revisions(situation)).conditions ?? []).filter(({ type }) => type === "ReplicaFailure");

  test("is the new ReplicaSet's before that of any other", () => {
    expect(failures({ fresh: failure("new"), old: [failure("old")] })).toEqual([
      {
        type: "ReplicaFailure",
        status: "True",
        lastUpdateTime: "2026-01-01T10:00:00Z",
        lastTransitionTime: "2026-01-01T10:00:00Z",
        reason: "FailedCreate",
        message: "new",
      },
    ]);
    expect(failures({ fresh: {}, old: [failure("old")] })).toMatchObject([{ message: "old" }]);
  });

  test("is forgotten when it is over", () => {
    const stored = { conditions: [{ type: "ReplicaFailure", status: "True", reason: "FailedCreate" }] };
    expect(failures({ deployment: { status: stored }, fresh: {} })).toEqual([]);
  });
});

describe("a status is written", () => {
  test("only when it is another", () => {
    const first = revisions({ fresh: { size: 4 } });
    const status = rolloutStatus(first);
    const stored = revisions({
      deployment: { status: { ...status, unavailableReplicas: 0, replicas: 4 } },
      fresh: { size: 4 },
    });
    expect(writeStatus(first, status)).toMatchObject([{ kind: "update-status", deployment: { status } }]);
    expect(writeStatus(stored, status)).toEqual([]);
  });
});

describe("a rollout whose status did not change is looked at again", () => {
  const stuck = { replicas: 4, updatedReplicas: 4, readyReplicas: 4, availableReplicas: 4 };
  test.for([
    { name: "a second after its deadline", since: 30, want: 571 },
    { name: "in a second when that is near", since: 600, want: 1 },
  ])("$name", ({ since, want }) => {
    const status = { ...stuck, conditions: [progressed(since, "ReplicaSetUpdated")] };
    expect(recheckAt(revisions({ deployment: { status }, fresh: { size: 4 } }), status)).toBe(
      now + want * 1000,
    );
  });

  test("never once it was done: nothing is measured any more", () => {
    const status = { ...stuck, conditions: [progressed(900, "NewReplicaSetAvailable")] };
    expect(recheckAt(revisions({ deployment: { status }, fresh: { size: 4 } }), status)).toBeUndefined();
  });
});
