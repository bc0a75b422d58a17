import { expect, test } from "vitest";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { deployment } from "../../testing/deployment.ts";
import { pod } from "../../testing/pod.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { admittedSize, podBudget, growthPatch } from "./admitted-size.ts";

const owner = (name: string) => ({ apiVersion: "apps/v1", kind: "ReplicaSet", name });
const sized = (name: string, replicas: number): ReplicaSet => {
  const made = replicaSet(name, {});
  return { ...made, metadata: { ...made.metadata, uid: `uid-of-${name}` }, spec: { ...made.spec, replicas } };
};
const web = deployment("web", { replicas: 4, maxSurge: 2, maxUnavailable: 1 });
const running = (name: string, of: string) => pod(name, { owner: owner(of) });
const ending = (name: string, of: string) =>
  pod(name, { owner: owner(of), deletedAt: "2026-01-01T00:00:00Z" });

test.each([
  { name: "nothing runs", replicaSets: [], pods: [], room: 6 },
  { name: "sizes count before their Pods are there", replicaSets: [sized("old", 4)], pods: [], room: 2 },
  {
    name: "Pods count until they are gone, whatever the size is by now",
    replicaSets: [sized("old", 1)],
    pods: [running("a", "old"), running("b", "old"), running("c", "old")],
    room: 3,
  },
  {
    name: "terminating Pods count, those of a ReplicaSet that is gone included",
    replicaSets: [sized("new", 1)],
    pods: [ending("a", "gone"), ending("b", "new")],
    room: 3,
  },
  {
    name: "Pods that have ended do not count",
    replicaSets: [sized("new", 1)],
    pods: [pod("a", { owner: owner("new"), phase: "Failed", deletedAt: "2026-01-01T00:00:00Z" })],
    room: 5,
  },
  {
    name: "there are too many already",
    replicaSets: [sized("old", 9)],
    pods: [],
    room: 0,
  },
  {
    name: "what was admitted a moment ago counts",
    replicaSets: [sized("old", 2)],
    pods: [],
    reserved: new Map([["uid-of-old", 3]]),
    reservedForNew: 1,
    room: 2,
  },
])("there is room for $room Pods: $name", ({ room, ...input }) => {
  expect(podBudget({ deployment: web, ...input }).room).toBe(room);
});

test("Recreate has no surge", () => {
  const recreated = deployment("web", { replicas: 4, strategy: "Recreate" });
  expect(podBudget({ deployment: recreated, replicaSets: [], pods: [] }).room).toBe(4);
});

test.each([
  { asked: 4, old: 2, room: 5, size: 4 },
  { asked: 4, old: 2, room: 1, size: 3 },
  { asked: 4, old: 2, room: 0, size: 2 },
])("of $asked replicas, up from $old, with room for $room: $size", ({ size, room, ...change }) => {
  const budget = { replicas: 4, maxSurge: 1, pods: 0, terminating: 0, room };
  expect(admittedSize(change, budget)).toBe(size);
});

const path = "/metadata/annotations/trimtab.dev~1capped";
const capped = { "trimtab.dev/capped": "true" };

test.for([
  { name: "as asked: nothing is changed", growth: { asked: 4, size: 4, annotations: {} }, patch: [] },
  {
    name: "as asked, after it was capped: it is capped no more",
    growth: { asked: 5, size: 5, annotations: capped },
    patch: [{ op: "remove", path }],
  },
  {
    name: "less than asked: the ReplicaSet says so",
    growth: { asked: 6, size: 4, annotations: capped },
    patch: [
      { op: "replace", path: "/spec/replicas", value: 4 },
      { op: "add", path, value: "true" },
    ],
  },
  {
    name: "less than asked of a Scale, which has no annotations",
    growth: { asked: 6, size: 4, annotations: undefined },
    patch: [{ op: "replace", path: "/spec/replicas", value: 4 }],
  },
])("$name", ({ growth, patch }) => {
  expect(growthPatch(growth)).toEqual(patch);
});
