import { describe, expect, test } from "vitest";
import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import { deployment, type DeploymentTraits } from "../../testing/deployment.ts";
import { pod } from "../../testing/pod.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { rolloutWait, shrinkingsWhileCapped } from "./rollout-wait.ts";

const now = 1_772_366_400_000;

function revision(
  of: Deployment,
  name: string,
  traits: { size: number; isNew?: boolean; available?: number },
): ReplicaSet {
  const { size, isNew = false, available = size } = traits;
  const made = replicaSet(name, {});
  const template = isNew
    ? of.spec.template
    : { ...of.spec.template, metadata: { ...of.spec.template.metadata, labels: { app: "web", old: name } } };
  return {
    ...made,
    metadata: {
      ...made.metadata,
      name,
      uid: `uid-of-${name}`,
      generation: 1,
      creationTimestamp: isNew ? "2026-02-02T00:00:00Z" : "2026-02-01T00:00:00Z",
      annotations: { "deployment.kubernetes.io/desired-replicas": String(of.spec.replicas) },
    },
    spec: { ...made.spec, replicas: size, template },
    status: {
      replicas: size,
      readyReplicas: available,
      availableReplicas: available,
      observedGeneration: 1,
      terminatingReplicas: 0,
    },
  };
}

const podsOf = (name: string, count: number, traits: { readonly deletedAt?: string } = {}) =>
  Array.from({ length: count }, (_, index) =>
    pod(`${name}-${traits.deletedAt ?? "runs"}-${index}`, {
      ...traits,
      owner: { apiVersion: "apps/v1", kind: "ReplicaSet", name },
    }),
  );
const ending = { deletedAt: "2026-03-01T11:59:00Z" };

const web = (traits: DeploymentTraits = {}) =>
  deployment("web", { replicas: 4, maxSurge: 1, maxUnavailable: 1, ...traits });

/** A new ReplicaSet of one Pod, an old one of three, and so many Pods that end. */
function midway(terminating: number, traits: DeploymentTraits = {}) {
  const of = web(traits);
  return {
    deployment: of,
    replicaSets: [revision(of, "old", { size: 3 }), revision(of, "new", { size: 1, isNew: true })],
    pods: [...podsOf("old", 3), ...podsOf("new", 1), ...podsOf("old", terminating, ending)],
    now,
  };
}

describe("a Deployment that could grow", () => {
  test("waits for nothing where there is room, and has to be woken", () => {
    expect(rolloutWait(midway(0))).toMatchObject({ kind: "room", replicaSet: { metadata: { name: "new" } } });
  });

  test("waits for the Pods that end", () => {
    const wait = rolloutWait(midway(2));
    expect(wait).toMatchObject({ kind: "termination", budget: { pods: 4, terminating: 2, room: 0 } });
    expect("awaited" in wait && wait.awaited).toHaveLength(2);
  });

  test("does not ask while it is paused in the middle of a rollout", () => {
    expect(rolloutWait(midway(1, { paused: true }))).toEqual({ kind: "none" });
  });

  test("asks while it is paused if its one ReplicaSet is too small", () => {
    const of = web({ paused: true });
    const input = {
      deployment: of,
      replicaSets: [revision(of, "old", { size: 3 })],
      pods: podsOf("old", 3),
      now,
    };
    expect(rolloutWait(input)).toMatchObject({ kind: "room", replicaSet: { metadata: { name: "old" } } });
  });

  test("by Recreate only asks when the old ones are drained", () => {
    expect(rolloutWait(midway(0, { strategy: "Recreate" }))).toEqual({ kind: "none" });
  });
});

describe("while growth is capped", () => {
  test("old Pods may go within what may be unavailable", () => {
    const shrinkings = shrinkingsWhileCapped(midway(1));
    expect(shrinkings.map(({ replicaSet: { metadata }, size }) => [metadata.name, size])).toEqual([
      ["old", 2],
    ]);
  });

  test("they may also go when the Pods that end belong to a ReplicaSet that is gone", () => {
    const input = midway(0);
    const pods = [...input.pods, ...podsOf("gone", 1, ending)];
    expect(shrinkingsWhileCapped({ ...input, pods }).map(({ size }) => size)).toEqual([2]);
  });

  test("none may go where all have to be available", () => {
    expect(shrinkingsWhileCapped(midway(1, { maxUnavailable: 0 }))).toEqual([]);
  });

  test("Pods that are not available go first", () => {
    const of = web({ maxUnavailable: 1 });
    const replicaSets = [
      revision(of, "old", { size: 3, available: 1 }),
      revision(of, "new", { size: 2, isNew: true }),
    ];
    const pods = [...podsOf("old", 3), ...podsOf("new", 2), ...podsOf("old", 1, ending)];
    const shrinkings = shrinkingsWhileCapped({ deployment: of, replicaSets, pods, now });
    expect(shrinkings.map(({ size }) => size)).toEqual([1]);
  });
});
