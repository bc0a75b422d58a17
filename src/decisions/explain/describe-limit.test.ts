import { expect, test } from "vitest";
import type { Limit } from "../rollout/limit.ts";
import { describeLimit, describeRevisionLimit } from "./describe-limit.ts";

const limits: readonly { readonly limit: Limit; readonly want: string }[] = [
  { limit: { kind: "none" }, want: "has the size it is to have" },
  { limit: { kind: "complete" }, want: "rolled out" },
  { limit: { kind: "next-pass" }, want: "goes on at once" },
  { limit: { kind: "paused" }, want: "waits for the Deployment to be resumed" },
  {
    limit: { kind: "surge", pods: 13, replicas: 10, maxSurge: 3 },
    want: "waits for Pods to go: 13 Pods reach 10 replicas + maxSurge 3",
  },
  {
    limit: { kind: "surge", pods: 1, replicas: 1, maxSurge: 0 },
    want: "waits for Pods to go: 1 Pod reaches 1 replica",
  },
  {
    limit: { kind: "terminating", pods: 12, terminating: 3, replicas: 10, maxSurge: 5 },
    want: "waits for 3 terminating Pods: 12 Pods + 3 terminating reach 10 replicas + maxSurge 5",
  },
  {
    limit: { kind: "terminating", pods: 0, terminating: 1, replicas: 1, maxSurge: 0 },
    want: "waits for 1 terminating Pod: 0 Pods + 1 terminating reaches 1 replica",
  },
  {
    limit: { kind: "terminating-unknown", replicaSets: ["web-1", "web-2"] },
    want: "waits for web-1, web-2 to say how many Pods are terminating",
  },
  { limit: { kind: "unreported", replicaSets: ["web-2"] }, want: "waits for web-2 to report on its size" },
  {
    limit: { kind: "unreported", replicaSets: ["web-1", "web-2"] },
    want: "waits for web-1, web-2 to report on their sizes",
  },
  {
    limit: { kind: "unavailable", available: 8, replicas: 10, maxUnavailable: 2 },
    want: "waits for Pods to become available: 8 available, and 10 replicas − maxUnavailable 2 must stay",
  },
  {
    limit: { kind: "old-pods", running: 2, terminating: 3, unreported: 1 },
    want: "waits for the old revisions to end: 2 running, 3 terminating, 1 ReplicaSet yet to report",
  },
  {
    limit: { kind: "old-pods", running: 2, terminating: 0, unreported: 0 },
    want: "waits for the old revisions to end: 2 running",
  },
  {
    limit: { kind: "progress-deadline", available: 7, replicas: 10, deadlineSeconds: 600, exceeded: false },
    want: "waits for its Pods, at most 600 s without progress: 7 of 10 available",
  },
  {
    limit: { kind: "progress-deadline", available: 7, replicas: 10, deadlineSeconds: 600, exceeded: true },
    want: "stuck: 7 of 10 available after 600 s without progress",
  },
  {
    limit: { kind: "availability", available: 7, replicas: 10 },
    want: "waits for its Pods: 7 of 10 available",
  },
  { limit: { kind: "draining", terminating: 1 }, want: "complete once 1 terminating Pod is gone" },
  { limit: { kind: "draining", terminating: 4 }, want: "complete once 4 terminating Pods are gone" },
];

test.for(limits)("$limit.kind reads: $want", ({ limit, want }) => {
  expect(describeLimit(limit)).toBe(want);
});

test.for([
  {
    name: "names its ReplicaSet and revision",
    revision: { role: "new", replicaSet: "web-7d", revision: "3", size: 5, limit: { kind: "paused" } },
    want: "web-7d (revision 3): 5 Pods; waits for the Deployment to be resumed",
  },
  {
    name: "goes by its role before it has a ReplicaSet",
    revision: { role: "new", size: 0, limit: { kind: "next-pass" } },
    want: "the new revision: 0 Pods; goes on at once",
  },
  {
    name: "does without a number",
    revision: { role: "old", replicaSet: "web-7d", size: 1, limit: { kind: "none" } },
    want: "web-7d: 1 Pod; has the size it is to have",
  },
] as const)("a revision $name", ({ revision, want }) => {
  expect(describeRevisionLimit(revision)).toBe(want);
});
