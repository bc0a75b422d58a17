import { describe, expect, test } from "vitest";
import { podTemplate } from "../../testing/deployment.ts";
import { replicaSet, type ReplicaSetTraits } from "../../testing/replica-set.ts";
import { rolloutState } from "../../testing/rollout-state.ts";
import { type RolloutAction, applyToState } from "./action.ts";
import { progressing, progressingOf } from "./status/conditions.ts";
import { planRollout } from "./plan-rollout.ts";
import type { RolloutState } from "./state.ts";
import { hashTemplate } from "./pod-template.ts";

const complete = "TerminationComplete" as const;
const { now } = rolloutState({}, []);
const fresh = `web-${hashTemplate(podTemplate("v2"))}`;

/** What an action does, in a word. */
function inAWord(action: RolloutAction): string {
  switch (action.kind) {
    case "create-replica-set":
      return `create ${action.replicaSet.metadata.name}=${action.replicaSet.spec.replicas}`;
    case "update-replica-set":
      return `update ${action.replicaSet.metadata.name}=${action.replicaSet.spec.replicas}`;
    case "delete-replica-set":
      return `delete ${action.replicaSet.metadata.name}`;
    case "update-deployment":
      return "deployment";
    case "update-status":
      return `status ${progressingOf(action.deployment.status)?.reason ?? "–"}`;
    case "record-event":
      return `event ${action.event.reason}`;
  }
}

function planned(state: RolloutState): readonly string[] {
  return planRollout(state).actions.map(inAWord);
}

/** A ReplicaSet of the Deployment's own template v2, which is up to date. */
function current(traits: ReplicaSetTraits = {}) {
  return replicaSet("current", { image: "v2", revision: 2, createdAt: "2026-01-02T00:00:00Z", ...traits });
}

function former(traits: ReplicaSetTraits = {}) {
  return replicaSet("former", { image: "v1", revision: 1, ...traits });
}

/** A Deployment of template v2 that knows its revision and how it gets on. */
function web(traits: Parameters<typeof rolloutState>[0] = {}) {
  return {
    image: "v2",
    replicas: 10,
    maxSurge: 3,
    maxUnavailable: 2,
    annotations: { "deployment.kubernetes.io/revision": "2" },
    ...traits,
    status: { conditions: [progressing("ReplicaSetUpdated", "", now - 30_000)], ...traits.status },
  };
}

const sized = { desired: 10, max: 13 };

describe("a rolling update", () => {
  test("creates the ReplicaSet of a fresh Deployment and writes two statuses", () => {
    expect(planned(rolloutState({ image: "v2", replicas: 3 }, []))).toEqual([
      `create ${fresh}=3`,
      "event ScalingReplicaSet",
      "status NewReplicaSetCreated",
      "status NewReplicaSetCreated",
    ]);
  });

  test("creates within the surge and shrinks the old one in the same pass", () => {
    expect(planned(rolloutState(web(), [former({ size: 10, ...sized })]))).toEqual([
      `create ${fresh}=3`,
      "event ScalingReplicaSet",
      "status NewReplicaSetCreated",
      "update former=8",
      "event ScalingReplicaSet",
      "status ReplicaSetUpdated",
    ]);
  });

  test("creates a ReplicaSet without Pods, and without an event, when there is no room", () => {
    const old = former({ size: 10, terminating: 3, ...sized });
    expect(planned(rolloutState(web({ policy: complete }), [old])).slice(0, 2)).toEqual([
      `create ${fresh}=0`,
      "status NewReplicaSetCreated",
    ]);
  });

  test("ends the pass once the new ReplicaSet has grown", () => {
    const state = rolloutState(web(), [former({ size: 8, ...sized }), current({ size: 3, ...sized })]);
    expect(planned(state)).toEqual([
      "update current=5",
      "event ScalingReplicaSet",
      "status ReplicaSetUpdated",
    ]);
  });

  test("shrinks the old ones when the new one cannot grow", () => {
    const state = rolloutState(web(), [former({ size: 8, ...sized }), current({ size: 5, ...sized })]);
    expect(planned(state)).toEqual([
      "update former=3",
      "event ScalingReplicaSet",
      "status ReplicaSetUpdated",
    ]);
  });

  test("cleans its history up when it was complete, and says that it is", () => {
    const done = {
      observedGeneration: 1,
      replicas: 10,
      updatedReplicas: 10,
      availableReplicas: 10,
      readyReplicas: 10,
    };
    const state = rolloutState(web({ revisionHistoryLimit: 0, status: done }), [
      former({ size: 0 }),
      current({ size: 10, ...sized }),
    ]);
    expect(planned(state)).toEqual(["delete former", "status NewReplicaSetAvailable"]);
  });

  test("has nothing to do when nothing has changed, and looks again after the deadline", () => {
    const settled = rolloutState(web(), [
      former({ size: 8, ...sized }),
      current({ size: 5, available: 0, ...sized }),
    ]);
    const first = planRollout(settled);
    const second = planRollout(first.actions.reduce(applyToState, settled));
    expect(first.recheckAt).toBeUndefined();
    expect(second.actions).toEqual([]);
    expect(second.recheckAt).toBe(now + 601_000);
  });

  test("brings the new ReplicaSet up to date first, and then its Deployment", () => {
    const state = rolloutState(web({ replicas: 1, maxSurge: 0, annotations: { a: "1" } }), [
      current({ desired: 1, max: 1 }),
    ]);
    expect(planned(state)).toEqual([
      "update current=1",
      "status ReplicaSetUpdated",
      "status NewReplicaSetAvailable",
    ]);
  });

  test("notes a new ReplicaSet it finds", () => {
    const state = rolloutState({ image: "v2", replicas: 1, maxSurge: 0 }, [current({ desired: 1, max: 1 })]);
    expect(planned(state)).toEqual(["status FoundNewReplicaSet", "status NewReplicaSetAvailable"]);
  });

  test("takes the oldest of several with its template, and drains the others", () => {
    const twin = current({ size: 2, available: 2, ...sized });
    const older = replicaSet("older", {
      image: "v2",
      revision: 3,
      size: 8,
      createdAt: "2026-01-01T00:00:00Z",
      ...sized,
    });
    const { limits } = planRollout(rolloutState(web(), [twin, older]));
    expect(limits.map(({ role, replicaSet: name }) => `${role} ${name}`)).toEqual([
      "new older",
      "old current",
    ]);
  });
});

describe("a Recreate rollout", () => {
  const recreate = (traits = {}) => web({ strategy: "Recreate", ...traits });

  test("ends the old revision before anything else", () => {
    expect(planned(rolloutState(recreate(), [former({ size: 10, desired: 10, max: 10 })]))).toEqual([
      "update former=0",
      "event ScalingReplicaSet",
      "status ReplicaSetUpdated",
    ]);
  });

  test("waits while old Pods are reported", () => {
    const { actions, limits } = planRollout(rolloutState(recreate(), [former({ size: 0, pods: 4 })]));
    expect(actions.map(inAWord)).toEqual(["status ReplicaSetUpdated"]);
    expect(limits[0]).toEqual({
      role: "new",
      size: 0,
      limit: { kind: "old-pods", running: 4, terminating: 0, unreported: 0 },
    });
  });

  test("creates the new ReplicaSet at full size when they are gone", () => {
    expect(planned(rolloutState(recreate(), [former({ size: 0 })]))).toEqual([
      `create ${fresh}=10`,
      "event ScalingReplicaSet",
      "status NewReplicaSetCreated",
      "status NewReplicaSetCreated",
    ]);
  });

  test("creates it beside terminating Pods under TerminationStarted, and after them under TerminationComplete", () => {
    const old = former({ size: 0, terminating: 6 });
    expect(planned(rolloutState(recreate({ policy: "TerminationStarted" }), [old]))[0]).toBe(
      `create ${fresh}=10`,
    );
    const { limits, actions } = planRollout(rolloutState(recreate({ policy: complete }), [old]));
    expect(actions.map(inAWord)).toEqual(["status ReplicaSetUpdated", "event WaitingForTermination"]);
    expect(limits[0]?.limit).toEqual({ kind: "old-pods", running: 0, terminating: 6, unreported: 0 });
  });

  test("goes on although it was scaled while several ReplicaSets were active", () => {
    const state = rolloutState(recreate(), [
      former({ size: 4, desired: 8 }),
      current({ size: 6, desired: 8 }),
    ]);
    expect(planRollout(state)).toMatchObject({ kind: "recreate" });
    expect(planned(state)[0]).toBe("update former=0");
  });
});

describe("a scale", () => {
  test("comes before a change of template made together with it", () => {
    const state = rolloutState(web({ replicas: 14 }), [former({ size: 10, ...sized })]);
    expect(planRollout(state).kind).toBe("scale");
    expect(planned(state)).toEqual([
      "update former=14",
      "event ScalingReplicaSet",
      "status ReplicaSetUpdated",
    ]);
  });

  test("is not held up by a ReplicaSet that has the right size and remembers another", () => {
    const state = rolloutState(web(), [former({ size: 10, desired: 7, max: 10 })]);
    const { actions } = planRollout(state);
    expect(actions.map(inAWord).slice(0, 1)).toEqual(["update former=10"]);
    expect(planRollout(actions.reduce(applyToState, state)).kind).toBe("rolling-update");
  });

  test("is held back by terminating Pods, with their numbers, and writes nothing more while it is", () => {
    const state = rolloutState(web({ replicas: 14, maxSurge: 0, policy: complete }), [
      current({ size: 10, desired: 10, max: 10, terminating: 2 }),
    ]);
    const first = planRollout(state);
    expect(first.actions.map(inAWord)).toEqual([
      "update current=12",
      "event ScalingReplicaSet",
      "status ReplicaSetUpdated",
      "event WaitingForTermination",
    ]);
    const reported = current({ size: 12, desired: 10, max: 10, before: 10, terminating: 2 });
    const second = planRollout({ ...first.actions.reduce(applyToState, state), replicaSets: [reported] });
    expect(second).toMatchObject({
      kind: "scale",
      limits: [{ limit: { kind: "terminating", pods: 12, terminating: 2, replicas: 14, maxSurge: 0 } }],
    });
    expect(second.actions.map(inAWord)).toEqual(["status ReplicaSetUpdated"]);
  });
});

describe("a scale that waits for terminating Pods", () => {
  const waiting = { size: 11, desired: 10, max: 13, before: 6 };
  const twelve = { replicas: 12, policy: complete } as const;
  const availableNow = { conditions: [progressing("NewReplicaSetAvailable", "", now - 30_000)] };

  test("lets a new template have its ReplicaSet, and the rollout remove what may be missing", () => {
    const state = rolloutState(web(twelve), [former({ ...waiting, terminating: 4 })]);
    const { kind, actions } = planRollout(state);
    expect(kind).toBe("rolling-update");
    expect(actions.map(inAWord)).toEqual([
      `create ${fresh}=0`,
      "status NewReplicaSetCreated",
      "update former=10",
      "event ScalingReplicaSet",
      "status ReplicaSetUpdated",
      "event WaitingForTermination",
    ]);
    const { replicaSets } = actions.reduce(applyToState, state);
    expect(replicaSets[0]?.metadata.annotations).toMatchObject({
      "deployment.kubernetes.io/desired-replicas": "12",
      "deployment.kubernetes.io/max-replicas": "15",
    });
    expect(replicaSets[0]?.metadata.annotations).not.toHaveProperty([
      "deployment.kubernetes.io/replicaset-replicas-before-scale",
    ]);
  });

  test("grows first when a Pod has ended", () => {
    const state = rolloutState(web(twelve), [former({ ...waiting, terminating: 3 })]);
    expect(planRollout(state).kind).toBe("scale");
    expect(planned(state)[0]).toBe("update former=12");
  });

  test("does not begin a rollout before every ReplicaSet has reported", () => {
    const unreported = former({ ...waiting, terminating: 4, generation: 3, observedGeneration: 2 });
    expect(planned(rolloutState(web(twelve), [unreported]))).toEqual([
      "status ReplicaSetUpdated",
      "event WaitingForTermination",
    ]);
  });

  test("lets Recreate end the old revision", () => {
    const scaled = former({ size: 8, desired: 10, max: 10, before: 6, terminating: 4 });
    const state = rolloutState(web({ ...twelve, strategy: "Recreate" }), [scaled]);
    expect(planRollout(state).kind).toBe("recreate");
    expect(planned(state)[0]).toBe("update former=0");
  });

  test("is not complete, although it was", () => {
    const state = rolloutState(web({ ...twelve, status: availableNow }), [
      current({ ...waiting, terminating: 4 }),
    ]);
    const { status, kind } = planRollout(state);
    expect(kind).toBe("scale");
    expect(progressingOf(status)).toMatchObject({
      reason: "ReplicaSetUpdated",
      message: 'ReplicaSet "current" is progressing. 4 of 15 Pods are still terminating; 12 + 3 allowed.',
    });
  });

  test("gives back nothing to a ReplicaSet that the rollout has shrunk meanwhile", () => {
    const shrunk = former({ size: 7, desired: 12, max: 15 });
    const state = rolloutState(web(twelve), [shrunk, current({ size: 4, desired: 10, max: 13, before: 3 })]);
    expect(planned(state)[0]).toBe("update current=8");
  });
});

describe("a paused Deployment", () => {
  test("shares a scale as the proposal's table says, although terminating Pods kept it from its surge", () => {
    const traits = { paused: true, maxSurge: 10, policy: complete };
    const record = { desired: 100, max: 110 };
    const adopted = [
      current({ size: 50, terminating: 15, ...record }),
      former({ size: 30, createdAt: "2026-01-01T02:00:00Z", ...record }),
      replicaSet("first", { size: 20, createdAt: "2026-01-01T01:00:00Z", image: "v0", ...record }),
    ];
    const waiting = rolloutState(web({ ...traits, replicas: 100 }), adopted);
    const { replicaSets } = planRollout(waiting).actions.reduce(applyToState, waiting);
    const scaled = rolloutState(web({ ...traits, replicas: 120 }), replicaSets);
    const after = planRollout(scaled).actions.reduce(applyToState, scaled);
    expect(after.replicaSets.map(({ spec }) => spec.replicas)).toEqual([59, 35, 21]);
  });

  test("scales but rolls nothing out, and says that it is paused", () => {
    const state = rolloutState(web({ paused: true, replicas: 12 }), [former({ size: 10, ...sized })]);
    const { actions, limits } = planRollout(state);
    expect(actions.map(inAWord)).toEqual([
      "status DeploymentPaused",
      "update former=12",
      "event ScalingReplicaSet",
      "status DeploymentPaused",
    ]);
    expect(limits.map(({ limit }) => limit.kind)).toEqual(["paused", "paused"]);
  });

  test("cleans its history up", () => {
    const state = rolloutState(web({ paused: true, revisionHistoryLimit: 0 }), [
      former({ size: 0 }),
      current({ size: 10, ...sized }),
    ]);
    expect(planned(state)).toContain("delete former");
  });

  test("starts its deadline anew when it is resumed", () => {
    const status = { conditions: [progressing("DeploymentPaused", "", now - 900_000)] };
    expect(
      planned(
        rolloutState(web({ status }), [
          former({ size: 8, ...sized }),
          current({ size: 5, available: 0, ...sized }),
        ]),
      ),
    ).toEqual(["status DeploymentResumed", "status ReplicaSetUpdated"]);
  });

  test("keeps the condition that its deadline was exceeded", () => {
    const status = { conditions: [progressing("ProgressDeadlineExceeded", "", now)] };
    expect(planned(rolloutState(web({ paused: true, status }), []))).toEqual([
      "status ProgressDeadlineExceeded",
    ]);
  });
});

describe("a Deployment", () => {
  test("that is being deleted only keeps its status", () => {
    const state = rolloutState(web({ deletedAt: "2026-01-01T11:00:00Z", paused: true, replicas: 3 }), [
      former({ size: 10, ...sized }),
    ]);
    expect(planRollout(state)).toMatchObject({ kind: "status", outcome: { kind: "done" } });
    expect(planned(state)).toEqual(["status ReplicaSetUpdated"]);
  });

  test("that selects everything is only told so", () => {
    const state = rolloutState({ status: { observedGeneration: 1 } }, []);
    const greedy = { ...state.deployment, spec: { ...state.deployment.spec, selector: {} } };
    expect(planned({ ...state, deployment: greedy })).toEqual(["event SelectingAll"]);
    const unseen = { ...greedy, status: {} };
    const { actions, status } = planRollout({ ...state, deployment: unseen });
    expect(actions.map(inAWord)).toEqual(["event SelectingAll", "status –"]);
    expect(status).toEqual({ observedGeneration: 1 });
  });

  test("that asks for a rollback gets it and nothing else", () => {
    const annotations = {
      "deployment.kubernetes.io/revision": "2",
      "deprecated.deployment.rollback.to": "0",
    };
    const state = rolloutState(web({ annotations }), [former({ size: 0 }), current({ size: 10, ...sized })]);
    expect(planRollout(state).kind).toBe("rollback");
    expect(planned(state)).toEqual(["deployment", "event DeploymentRollback"]);
  });

  test("with an invalid rollback request goes on without it", () => {
    const annotations = {
      "deployment.kubernetes.io/revision": "2",
      "deprecated.deployment.rollback.to": "last",
    };
    expect(planRollout(rolloutState(web({ annotations }), [current({ size: 10, ...sized })])).kind).toBe(
      "rolling-update",
    );
  });
});

describe("what is not known yet", () => {
  test("is a reason to try again, and nothing is scaled", () => {
    const state = rolloutState(web({ policy: complete }), [
      former({ size: 8, terminating: null, ...sized }),
      current({ size: 3, ...sized }),
    ]);
    expect(planRollout(state)).toMatchObject({
      actions: [],
      outcome: { kind: "retry", because: { kind: "terminating-unknown", replicaSets: ["former"] } },
      limits: [{ limit: { kind: "terminating-unknown", replicaSets: ["former"] } }, {}],
    });
  });

  test("does not matter without the policy", () => {
    const state = rolloutState(web(), [
      former({ size: 8, terminating: null, ...sized }),
      current({ size: 3, ...sized }),
    ]);
    expect(planRollout(state).outcome).toEqual({ kind: "done" });
  });
});
