import { describe, expect, test } from "vitest";
import { replicaSet } from "../../testing/replica-set.ts";
import { rolloutState } from "../../testing/rollout-state.ts";
import { reportCreateFailure, resolveNameConflict } from "./creation-outcome.ts";

describe("a name that is taken", () => {
  test("is no conflict when it is our own ReplicaSet with the same template", () => {
    const existing = replicaSet("web-1", { owner: "web" });
    expect(resolveNameConflict(rolloutState({}, []), existing)).toEqual({
      kind: "ours",
      replicaSet: existing,
    });
  });

  test.for([
    {
      name: "another owner's ReplicaSet",
      existing: replicaSet("web-1", { owner: "api" }),
      status: {},
      want: 1,
    },
    {
      name: "a ReplicaSet without an owner",
      existing: replicaSet("web-1"),
      status: { collisionCount: 1 },
      want: 2,
    },
    {
      name: "our own with another template",
      existing: replicaSet("web-1", { owner: "web", image: "v2" }),
      status: { collisionCount: 4 },
      want: 5,
    },
  ])("is a collision with $name", ({ existing, status, want }) => {
    expect(resolveNameConflict(rolloutState({ status }, []), existing)).toMatchObject({
      kind: "collision",
      action: { kind: "update-status", deployment: { status: { collisionCount: want } } },
    });
  });
});

describe("a ReplicaSet that could not be created", () => {
  const message = 'Failed to create new replica set "web-1": exceeded quota';
  const event = {
    kind: "record-event",
    event: { type: "Warning", reason: "ReplicaSetCreateError", message },
  };

  test("is an event and a condition", () => {
    expect(reportCreateFailure(rolloutState({}, []), "web-1", "exceeded quota")).toMatchObject([
      event,
      {
        kind: "update-status",
        deployment: {
          status: {
            conditions: [{ type: "Progressing", status: "False", reason: "ReplicaSetCreateError", message }],
          },
        },
      },
    ]);
  });

  test("is an event alone without a deadline, and when the condition is there already", () => {
    const endless = rolloutState({ progressDeadlineSeconds: null }, []);
    expect(reportCreateFailure(endless, "web-1", "exceeded quota")).toEqual([event]);
    const conditions = [{ type: "Progressing", status: "False", reason: "ReplicaSetCreateError" }];
    const again = rolloutState({ status: { conditions } }, []);
    expect(reportCreateFailure(again, "web-1", "exceeded quota")).toEqual([event]);
  });
});
