import { expect, test } from "vitest";
import type { Limit } from "../../src/decisions/rollout/limit.ts";
import { headlineOf } from "./revision-rows.ts";

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
