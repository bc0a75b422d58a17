import { describe, expect, test } from "vitest";
import { deployment, type DeploymentTraits } from "../../testing/deployment.ts";
import { pod } from "../../testing/pod.ts";
import { replicaSet, type ReplicaSetTraits } from "../../testing/replica-set.ts";
import { type ClusterObjects, noObjects } from "./cluster-objects.ts";
import { explainRollout, type RolloutExplanation } from "./explain-rollout.ts";
import { rolloutText } from "./rollout-text.ts";

const now = 1_767_312_000_000; // 2026-01-02T00:00:00Z
const [older, newer] = ["registry.example/app:1", "registry.example/app:2"];

function scene(own: DeploymentTraits, revisions: Readonly<Record<string, ReplicaSetTraits>>): ClusterObjects {
  return {
    ...noObjects,
    deployments: [deployment("web", { replicas: 4, maxSurge: 1, maxUnavailable: 0, image: newer, ...own })],
    replicaSets: Object.entries(revisions).map(([name, traits]) =>
      replicaSet(name, { owner: "web", desired: 4, max: 5, ...traits }),
    ),
  };
}

const old = { image: older, revision: 1 };
const current = { image: newer, revision: 2, createdAt: "2026-01-01T01:00:00Z" };

function explained(objects: ClusterObjects): RolloutExplanation {
  const workload = { kind: "Deployment", namespace: "default", name: "web" } as const;
  const explanation = explainRollout(objects, { workload, now, profile: "trimtab" });
  if (explanation === undefined) throw new Error("the Deployment was not found");
  return explanation;
}

describe("The explanation of a rollout", () => {
  test.each([
    {
      when: "the new revision has yet to be created",
      objects: scene({}, { "web-a": { ...old, size: 4 } }),
      next: [{ do: "create", size: 1 }],
      says: ["in progress", "create ReplicaSet web-", "with 1 Pod"],
    },
    {
      when: "a new Pod is available",
      objects: scene({}, { "web-a": { ...old, size: 4 }, "web-b": { ...current, size: 1 } }),
      next: [{ do: "scale", replicaSet: "web-a", from: 4, to: 3 }],
      says: ["scale ReplicaSet web-a down from 4 to 3", "4 → 3"],
    },
    {
      when: "the new Pod is not available yet",
      objects: scene({}, { "web-a": { ...old, size: 4 }, "web-b": { ...current, size: 1, ready: 0 } }),
      next: [],
      says: ["waiting", "waits for Pods to go: 5 Pods reach 4 replicas + maxSurge 1"],
    },
    {
      when: "terminating Pods use up the budget",
      objects: scene(
        { policy: "TerminationComplete" },
        { "web-a": { ...old, size: 3, terminating: 1 }, "web-b": { ...current, size: 1 } },
      ),
      next: [],
      says: [
        "waits for 1 terminating Pod: 4 Pods + 1 terminating reach 4 replicas + maxSurge 1",
        "until it is gone",
      ],
    },
    {
      when: "it is paused",
      objects: scene({ paused: true }, { "web-a": { ...old, size: 4 } }),
      next: [],
      says: ["paused", "waits for the Deployment to be resumed"],
    },
    {
      when: "old Pods of a Recreate are left",
      objects: scene({ strategy: "Recreate" }, { "web-a": { ...old, size: 0, pods: 2, terminating: 2 } }),
      next: [],
      says: [
        "all old Pods go before the first new one starts (Recreate)",
        "waits for the old revisions to end",
      ],
    },
    {
      when: "it is complete",
      objects: scene(
        {
          status: {
            observedGeneration: 1,
            replicas: 4,
            updatedReplicas: 4,
            availableReplicas: 4,
            readyReplicas: 4,
          },
        },
        { "web-b": { ...current, size: 4 } },
      ),
      next: [],
      says: ["rolled out, nothing is left to do"],
    },
  ])("says what happens when $when", ({ objects, next, says }) => {
    const explanation = explained(objects);
    expect(explanation.next).toMatchObject(next);
    for (const phrase of says) expect(rolloutText(explanation)).toContain(phrase);
  });

  test("says that ReplicaSets have replaced Pods that somebody else deleted", () => {
    const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-b" };
    const pods = [
      pod("left", { owner, deletedAt: "2026-01-01T12:00:00Z" }),
      pod("lost", { owner, deletedAt: "2026-01-01T12:00:00Z" }),
      ...["a", "b", "c", "d"].map((name) => pod(name, { owner, createdAt: "2026-01-01T12:00:00Z" })),
    ];
    const revisions = { "web-b": { ...current, size: 4, terminating: 2 } };
    const objects = { ...scene({ policy: "TerminationComplete" }, revisions), pods };
    expect(explained(objects).replaced).toMatchObject({ replaced: 2, pods: 4, terminating: 2 });
    expect(rolloutText(explained(objects))).toContain(
      "4 Pods + 2 terminating exceed 4 replicas + maxSurge 1: ReplicaSets have replaced 2 Pods that somebody else deleted",
    );
  });

  test("does not name a ReplicaSet that kube-controller-manager has yet to create", () => {
    const objects = scene({}, { "web-a": { ...old, size: 4 } });
    const workload = { kind: "Deployment", namespace: "default", name: "web" } as const;
    const explanation = explainRollout(objects, { workload, now, profile: "kubernetes-1.36" });
    expect(explanation?.next).toEqual([{ do: "create", replicaSet: "web-…", size: 1 }]);
    expect(explanation?.revisions.map(({ replicaSet: name }) => name)).toEqual(["web-…", "web-a"]);
  });

  test("leaves old revisions without Pods out", () => {
    const objects = scene({}, { "web-0": { ...old, size: 0 }, "web-b": { ...current, size: 4 } });
    expect(explained(objects).revisions.map(({ replicaSet: name }) => name)).toEqual(["web-b"]);
  });

  test("is plain JSON", () => {
    const explanation = explained(scene({}, { "web-a": { ...old, size: 4 } }));
    expect(JSON.parse(JSON.stringify(explanation))).toEqual(explanation);
  });

  test("as text is what the golden file says", async () => {
    const objects = scene({}, { "web-a": { ...old, size: 4 }, "web-b": { ...current, size: 1, ready: 0 } });
    const going = scene({}, { "web-a": { ...old, size: 4 }, "web-b": { ...current, size: 1 } });
    const texts = [rolloutText(explained(objects)), rolloutText(explained(going), { isWide: true })];
    await expect(`${texts.join("\n\n---\n\n")}\n`).toMatchFileSnapshot(
      "../../../test/golden/explain/rollout.txt",
    );
  });
});
