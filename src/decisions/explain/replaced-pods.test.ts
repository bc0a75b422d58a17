import { expect, test } from "vitest";
import type { Pod } from "../../api/generated/core-v1.ts";
import { pod } from "../../testing/pod.ts";
import { describeReplacedPods, findReplacedPods } from "./replaced-pods.ts";

const ownedBy = (name: string) => ({ apiVersion: "apps/v1", kind: "ReplicaSet", name });

/** Pods of a ReplicaSet, created at a time of 2026-01-01 and, if at all, deleted at another with 30 s of grace. */
function podsOf(owner: string, count: number, createdAt: string, deletedAt?: string): readonly Pod[] {
  return Array.from({ length: count }, (_, index) => {
    const made = pod(`${owner}-${createdAt}-${index}`, {
      owner: ownedBy(owner),
      createdAt: `2026-01-01T${createdAt}Z`,
      ...(deletedAt !== undefined && { deletedAt: `2026-01-01T${deletedAt}Z` }),
    });
    return { ...made, metadata: { ...made.metadata, deletionGracePeriodSeconds: 30 } };
  });
}

const budget = { policy: "TerminationComplete", replicas: 4, maxSurge: 1 } as const;
const kept = podsOf("web-a", 2, "00:00:00");
const deleted = podsOf("web-a", 2, "00:00:01", "12:00:30");
const replacements = podsOf("web-a", 2, "12:00:00");

test("Pods that somebody else deleted and their ReplicaSet replaced at once exceed the budget", () => {
  const found = findReplacedPods(budget, [...kept, ...deleted, ...replacements]);
  expect(found).toEqual({ replaced: 2, pods: 4, terminating: 2, replicas: 4, maxSurge: 1 });
  expect(found && describeReplacedPods(found)).toBe(
    "4 Pods + 2 terminating exceed 4 replicas + maxSurge 1: ReplicaSets have replaced 2 Pods that somebody else deleted, which TerminationComplete does not delay; the Deployment adds none until there is room",
  );
});

test.for<{ name: string; pods: readonly Pod[]; policy?: "TerminationStarted" }>([
  { name: "there is room for them", pods: [...kept, ...deleted, ...podsOf("web-a", 1, "12:00:00")] },
  { name: "the Deployment was scaled down", pods: [...podsOf("web-a", 4, "00:00:00"), ...deleted] },
  {
    name: "the new Pods are those of another revision",
    pods: [...kept, ...deleted, ...podsOf("web-b", 2, "12:00:00")],
  },
  {
    name: "the policy does not wait for terminating Pods",
    policy: "TerminationStarted",
    pods: [...kept, ...deleted, ...replacements],
  },
])("nothing of the kind is said when $name", ({ pods, policy = budget.policy }) => {
  expect(findReplacedPods({ ...budget, policy }, pods)).toBeUndefined();
});
