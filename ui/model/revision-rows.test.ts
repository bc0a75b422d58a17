import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import type { Limit } from "../../src/decisions/rollout/limit.ts";
import { deployment } from "../../src/testing/deployment.ts";
import { pod } from "../../src/testing/pod.ts";
import { replicaSet } from "../../src/testing/replica-set.ts";
import { ClusterState } from "../live/cluster-state.ts";
import { headlineOf, rolloutView } from "./revision-rows.ts";

const surge: Limit = { kind: "surge", pods: 5, replicas: 4, maxSurge: 1 };
const unavailable: Limit = { kind: "unavailable", available: 3, replicas: 4, maxUnavailable: 1 };
const terminating: Limit = { kind: "terminating", pods: 4, terminating: 1, replicas: 4, maxSurge: 1 };

test.for<{ name: string; now: Limit; old?: Limit; want: string }>([
  { name: "is complete", now: { kind: "complete" }, want: "Rolled out." },
  { name: "goes on", now: { kind: "next-pass" }, old: { kind: "none" }, want: "Goes on at once." },
  {
    name: "is paused",
    now: { kind: "paused" },
    want: "The new revision waits for the Deployment to be resumed.",
  },
  {
    name: "waits for terminating Pods",
    now: terminating,
    old: unavailable,
    want: "The new revision waits for 1 terminating Pod: 4 Pods + 1 terminating reach 4 replicas + maxSurge 1.",
  },
  {
    name: "waits for old Pods, which have to stay",
    now: surge,
    old: unavailable,
    want: "The old revision waits for Pods to become available: 3 available, and 4 replicas − maxUnavailable 1 must stay.",
  },
  {
    name: "waits for old Pods, which nothing keeps",
    now: surge,
    old: { kind: "none" },
    want: "The new revision waits for Pods to go: 5 Pods reach 4 replicas + maxSurge 1.",
  },
])("the one thing that a rollout waits for when it $name", ({ now, old, want }) => {
  const limits = [{ role: "new" as const, limit: now }];
  expect(
    headlineOf(old === undefined ? limits : [...limits, { role: "old" as const, limit: old }]).text,
  ).toBe(want);
});

test.for([
  {
    name: "says that its ReplicaSet has replaced a Pod that somebody else deleted",
    createdAt: "12:00:00",
    want: true,
  },
  { name: "says nothing of the kind about Pods that were there before", createdAt: "11:00:00", want: false },
])("a rollout beyond its budget $name", ({ createdAt, want }) => {
  const state = new ClusterState();
  const web = deployment("web", { replicas: 1, maxSurge: 0, policy: "TerminationComplete" });
  const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-a" };
  const lost = pod("lost", { owner, deletedAt: "2026-01-01T12:00:00Z" });
  const other = pod("other", { owner, createdAt: `2026-01-01T${createdAt}Z` });
  const before = undefined;
  state.apply({
    kind: "replicaSets",
    key: "default/web-a",
    before,
    after: replicaSet("web-a", { owner: "web" }),
  });
  for (const after of [lost, other])
    state.apply({ kind: "pods", key: `default/${after.metadata.name}`, before, after });
  const { replaced } = rolloutView(web, state, { gates: defaultFeatureGates, now: 0, profile: "trimtab" });
  expect(replaced).toEqual(
    want ? expect.stringContaining("1 Pod + 1 terminating exceed 1 replica + maxSurge 0: ") : undefined,
  );
});
