import { beforeAll, expect, test } from "vitest";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { PodDisruptionBudget } from "../../api/generated/policy-v1.ts";
import { formatTime } from "../../api/time.ts";
import { deployments, podDisruptionBudgets } from "../../api/resources.ts";
import { startSimulatedCluster } from "../simulated-cluster.ts";
import type { ActionDocument } from "../scenario-files/scenario-document.ts";
import { objectsIn } from "../snapshot/load-snapshot.ts";
import { type Snapshot, takeSnapshot } from "../snapshot/snapshot.ts";
import { runWhatIf, type WhatIfOptions } from "./run-what-if.ts";
import { describeWhatIf } from "./what-if-text.ts";

const [namespace, name, workload] = ["default", "web", "deployment/web"];
let snapshot: Snapshot;

beforeAll(async () => {
  const { client, store, clock, untilStable, stop } = await startSimulatedCluster({
    seed: 1,
    nodes: 6,
    zones: 3,
  });
  const matchLabels = { app: name };
  await client.create(deployments, {
    metadata: { namespace, name },
    spec: {
      replicas: 6,
      selector: { matchLabels },
      template: { metadata: { labels: matchLabels }, spec: { containers: [{ name, image: "nginx" }] } },
    },
  });
  await client.create(podDisruptionBudgets, {
    metadata: { namespace, name },
    spec: { minAvailable: 6, selector: { matchLabels } },
  });
  await untilStable();
  snapshot = takeSnapshot(objectsIn(store), { now: clock.now() });
  await stop();
});

const whatIf = (...changes: readonly ActionDocument[]) => runWhatIf({ snapshot, changes, seed: 1 });

test("a scale-down and a failed zone: who goes and when, and where the last one comes back", async () => {
  const { went, came, workloads } = await whatIf(
    { down: { zone: "zone-a" } },
    { scale: { workload, replicas: 4 } },
  );
  expect(went.map(({ afterSeconds }) => afterSeconds)).toEqual([0, 0, ...came.map(() => 350)]);
  expect(came.every(({ zone, readyAfterSeconds }) => zone !== "zone-a" && readyAfterSeconds === 351)).toBe(
    true,
  );
  expect(workloads).toMatchObject([
    {
      name: "web",
      before: { wanted: 6, ready: 6, zones: { "zone-a": 2, "zone-b": 2, "zone-c": 2 }, skew: 0 },
      after: { wanted: 4, ready: 4 },
      isAffected: true,
    },
  ]);
});

test("as kube-controller-manager, Pods go in its order, and what that leaves open is said", async () => {
  const [first, ...others] = snapshot.objects.pods as readonly [Pod, ...Pod[]];
  const annotations = { "controller.kubernetes.io/pod-deletion-cost": "-1" };
  const pods = [{ ...first, metadata: { ...first.metadata, annotations } }, ...others];
  const report = await runWhatIf({
    snapshot: { ...snapshot, objects: { ...snapshot.objects, pods } },
    changes: [{ scale: { workload, replicas: 4 } }],
    seed: 1,
    controllers: "stock",
  });
  const went = report.went.toSorted(({ rule }) => (rule === "either" ? 1 : -1));
  expect(went).toMatchObject([
    { pod: first.metadata.name, rule: "deletion-cost" },
    { rule: "either", because: "either: the order does not decide between this Pod and others" },
  ]);
  expect(describeWhatIf(report)).toContain(
    "Went: 2 Pods; for 1 of them others might go instead: the order does not decide there\n",
  );
});

test.for<{ says: Snapshot["controllers"]; chosen?: WhatIfOptions["controllers"]; rule: string }>([
  { says: "embedded", rule: "uid" },
  { says: "external", rule: "uid" },
  { says: "steered", rule: "uid" },
  { says: "stock", rule: "either" },
  { says: undefined, rule: "either" },
  { says: "stock", chosen: "embedded", rule: "uid" },
  { says: "embedded", chosen: "stock", rule: "either" },
])("the controllers are those of the snapshot unless others are chosen: $says, $chosen", async (each) => {
  const { says, chosen, rule } = each;
  const { went } = await runWhatIf({
    snapshot: { ...snapshot, controllers: says },
    changes: [{ scale: { workload, replicas: 5 } }],
    seed: 1,
    ...(chosen !== undefined && { controllers: chosen }),
  });
  expect(went).toMatchObject([{ rule }]);
});

test("a rollout of an image that cannot be pulled stops, within its budget, and says why", async () => {
  const { workloads, notReady, tookSeconds } = await whatIf({
    setImage: { workload, container: "web", image: "nginx:404" },
  });
  expect(workloads).toMatchObject([{ lowestReady: { pods: 5 }, after: { pods: 8, ready: 5 } }]);
  expect(notReady.map(({ problem, because }) => [problem, because])).toEqual(
    Array.from({ length: 3 }, () => ["not-ready", "its containers wait: ImagePullBackOff"]),
  );
  // The progress deadline.
  expect(tookSeconds).toBeGreaterThanOrEqual(600);
});

test("a drain that a disruption budget forbids evicts nothing", async () => {
  const { went, notReady } = await whatIf({ drain: { node: "node-1" } });
  expect(went).toEqual([]);
  expect(notReady).toMatchObject([{ node: "node-1", problem: "not-evicted" }]);
});

test("a drain of a Pod with two disruption budgets, which the API server refuses, evicts nothing", async () => {
  const [budget] = snapshot.objects.podDisruptionBudgets;
  const second = { ...budget, metadata: { ...budget?.metadata, name: "second", uid: "second" } };
  const podDisruptionBudgets = [budget, second] as readonly PodDisruptionBudget[];
  const { went, notReady } = await runWhatIf({
    snapshot: { ...snapshot, objects: { ...snapshot.objects, podDisruptionBudgets } },
    changes: [{ drain: { node: "node-1" } }],
    seed: 1,
  });
  expect(went).toEqual([]);
  expect(notReady).toMatchObject([
    { node: "node-1", problem: "not-evicted", because: expect.stringMatching(/more than one/) },
  ]);
});

test("a drain that waits for a Pod that is not ready says so", async () => {
  const pods = snapshot.objects.pods.map((pod) => ({
    ...pod,
    metadata: { ...pod.metadata, annotations: { "sim.trimtab.dev/neverReady": "true" } },
    status: {
      ...pod.status,
      conditions: pod.status?.conditions?.map((condition) =>
        condition.type === "Ready" || condition.type === "ContainersReady"
          ? { ...condition, status: "False" }
          : condition,
      ),
      containerStatuses: pod.status?.containerStatuses?.map((each) => ({ ...each, ready: false })),
    },
  })) as readonly Pod[];
  const { notReady } = await runWhatIf({
    snapshot: { ...snapshot, objects: { ...snapshot.objects, pods } },
    changes: [{ drain: { node: "node-1" } }],
    seed: 1,
  });
  expect(notReady.filter(({ node }) => node === "node-1").map(({ problem }) => problem)).toEqual([
    "not-evicted",
  ]);
});

test("Pods that had gone before are not among those that go", async () => {
  const [first, second, ...others] = snapshot.objects.pods as readonly [Pod, Pod, ...Pod[]];
  const done = { ...first, status: { ...first.status, phase: "Succeeded" } };
  const deletionTimestamp = formatTime(snapshot.takenAt);
  const leaving = {
    ...second,
    metadata: { ...second.metadata, deletionTimestamp, deletionGracePeriodSeconds: 30 },
  };
  const { went } = await runWhatIf({
    snapshot: { ...snapshot, objects: { ...snapshot.objects, pods: [done, leaving, ...others] } },
    changes: [{ cordon: { node: "node-1" } }],
    seed: 1,
  });
  expect(went).toEqual([]);
});

test("a Pod that finds no room says why", async () => {
  const nodes = snapshot.objects.nodes.map((node) => ({
    ...node,
    status: { ...node.status, allocatable: { ...node.status?.allocatable, pods: "1" } },
  }));
  const { notReady } = await runWhatIf({
    snapshot: { ...snapshot, objects: { ...snapshot.objects, nodes } },
    changes: [{ scale: { workload, replicas: 7 } }],
    seed: 1,
  });
  expect(notReady.map(({ because }) => because)).toEqual([
    expect.stringMatching(/^0\/6 nodes are available: 6 Too many pods\./),
  ]);
});

test("the same seed gives the same text, to the byte", async () => {
  const change: ActionDocument = { restart: { workload } };
  expect(describeWhatIf(await whatIf(change))).toBe(describeWhatIf(await whatIf(change)));
});

test("an interruption ends the simulation", async () => {
  const interrupted = AbortSignal.abort(new Error("SIGINT"));
  const changes: readonly ActionDocument[] = [{ restart: { workload } }];
  await expect(runWhatIf({ snapshot, changes, seed: 1, signal: interrupted })).rejects.toThrow("SIGINT");
});

test("a cluster that never comes to rest is given up", async () => {
  const flapping = snapshot.objects.pods.map((pod) => ({
    ...pod,
    metadata: { ...pod.metadata, annotations: { "sim.trimtab.dev/readyFlap": "5m" } },
  }));
  const report = await runWhatIf({
    snapshot: { ...snapshot, objects: { ...snapshot.objects, pods: flapping } },
    changes: [{ cordon: { node: "node-1" } }],
    seed: 1,
    timeoutMs: 1_800_000,
  });
  expect(report.stable).toBe(false);
  expect(describeWhatIf(report)).toContain("it does not come to rest within 30m0s.");
});
