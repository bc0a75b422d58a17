import { expect, test } from "vitest";
import { deployment } from "../../testing/deployment.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import type { RolloutAction } from "./action.ts";
import { deploymentWriteOf, waitToRepeat } from "./undone-write.ts";

const at = 5000;
const web = deployment("web");

/** The Deployment as a copy of the controller writes it that has seen so many updated Pods. */
const seen = (updatedReplicas: number) => ({ ...web, status: { ...web.status, updatedReplicas } });
const writes = (updatedReplicas: number): readonly RolloutAction[] => [
  { kind: "update-status", deployment: seen(updatedReplicas) },
];
const last = deploymentWriteOf(writes(2), at);

test.for([
  {
    name: "waits before it repeats what another copy has undone",
    found: seen(1),
    wants: 2,
    after: 0,
    until: 6000,
  },
  {
    name: "waits until a second has passed since the write",
    found: seen(1),
    wants: 2,
    after: 999,
    until: 6000,
  },
  { name: "writes again after a second", found: seen(1), wants: 2, after: 1000 },
  { name: "writes at once what it has not written just now", found: seen(1), wants: 3, after: 0 },
  { name: "writes at once where its last write still holds", found: seen(2), wants: 2, after: 0 },
  {
    name: "writes at once to another Deployment of the same name",
    found: { ...seen(1), metadata: { ...web.metadata, uid: "another" } },
    wants: 2,
    after: 0,
  },
])("$name", ({ found, wants, after, until }) => {
  const next = { actions: writes(wants), now: at + after };
  expect(waitToRepeat(last, found, next)).toBe(until);
});

test("a condition that changes does not wait", () => {
  const conditions = [{ type: "Available", status: "True", reason: "MinimumReplicasAvailable" }];
  const { status } = seen(2);
  const next = { ...web, status: { ...status, conditions } };
  const actions = [{ kind: "update-status", deployment: next } as const];
  expect(waitToRepeat(last, seen(1), { actions, now: at })).toBeUndefined();
});

test("a write to a ReplicaSet does not wait", () => {
  const actions = [...writes(2), { kind: "update-replica-set", replicaSet: replicaSet("web-1") } as const];
  expect(waitToRepeat(last, seen(1), { actions, now: at })).toBeUndefined();
});

test("actions that write nothing to the Deployment are no write, and wait for none", () => {
  const actions = [{ kind: "record-event", event: { type: "Normal", reason: "R", message: "" } }] as const;
  expect(deploymentWriteOf(actions, at)).toBeUndefined();
  expect(waitToRepeat(last, seen(1), { actions, now: at })).toBeUndefined();
  expect(waitToRepeat(undefined, seen(1), { actions: writes(2), now: at })).toBeUndefined();
});
