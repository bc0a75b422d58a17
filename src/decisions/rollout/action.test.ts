import { expect, test } from "vitest";
import { replicaSet } from "../../testing/replica-set.ts";
import { rolloutState } from "../../testing/rollout-state.ts";
import { applyToState } from "./action.ts";

const first = replicaSet("first", { generation: 4 });
const second = replicaSet("second");
const state = rolloutState({ generation: 7 }, [first, second]);

test("a created ReplicaSet is there, as young as can be and never synced", () => {
  const { status: _, ...draft } = replicaSet("third", { image: "v2" });
  const { replicaSets } = applyToState(state, { kind: "create-replica-set", replicaSet: draft });
  expect(replicaSets.map(({ metadata }) => metadata.name)).toEqual(["first", "second", "third"]);
  expect(replicaSets[2]).toMatchObject({
    metadata: { generation: 1, creationTimestamp: "2026-01-01T12:00:00Z" },
  });
  expect(replicaSets[2]).not.toHaveProperty("status");
});

test("a new size is a new generation, new annotations are not", () => {
  const resized = { ...first, spec: { ...first.spec, replicas: 9 } };
  expect(applyToState(state, { kind: "update-replica-set", replicaSet: resized }).replicaSets).toEqual([
    { ...resized, metadata: { ...first.metadata, generation: 5 } },
    second,
  ]);
  const annotated = { ...first, metadata: { ...first.metadata, annotations: { a: "1" } } };
  const { replicaSets } = applyToState(state, { kind: "update-replica-set", replicaSet: annotated });
  expect(replicaSets).toEqual([annotated, second]);
});

test("a deleted ReplicaSet is gone", () => {
  expect(applyToState(state, { kind: "delete-replica-set", replicaSet: first }).replicaSets).toEqual([
    second,
  ]);
});

test("a changed Deployment is a new generation, a changed status is not", () => {
  const { deployment } = state;
  expect(applyToState(state, { kind: "update-deployment", deployment }).deployment.metadata.generation).toBe(
    8,
  );
  expect(applyToState(state, { kind: "update-status", deployment }).deployment.metadata.generation).toBe(7);
});

test("an event changes nothing", () => {
  const event = { type: "Normal", reason: "ScalingReplicaSet", message: "" } as const;
  expect(applyToState(state, { kind: "record-event", event })).toBe(state);
});
