import { afterEach, beforeEach, expect, test } from "vitest";
import { findCondition } from "../../../api/conditions.ts";
import type { Pod } from "../../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../../api/object.ts";
import { isReady } from "../../../api/pod-state.ts";
import { leases, nodes, pods } from "../../../api/resources.ts";
import { isNotFound, ifFound } from "../../../machinery/client/api-error.ts";
import { type TestCluster, testCluster } from "../../../testing/test-cluster.ts";

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await testCluster({ nodes: 3 });
  await cluster.clock.advance(1000);
});
afterEach(() => cluster.stop());

const web = { namespace: "default", name: "web" };

async function run(spec: Partial<Pod["spec"]> = {}): Promise<void> {
  await cluster.client.create(pods, {
    metadata: web,
    spec: { nodeName: "node-1", containers: [{ name: "web", image: "nginx" }], ...spec },
  });
  await cluster.clock.advance(5000);
}

async function tell(node: string, settings: Readonly<Record<string, string | null>>): Promise<void> {
  const annotations = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`sim.trimtab.dev/${name}`, value]),
  );
  await cluster.client.patch(nodes, { name: node }, { type: "merge", body: { metadata: { annotations } } });
}

async function readiness(node = "node-1"): Promise<string | undefined> {
  const { status } = await cluster.client.get(nodes, { name: node });
  return findCondition(status?.conditions, "Ready")?.status;
}

async function taintsOf(node = "node-1"): Promise<readonly string[]> {
  const { spec } = await cluster.client.get(nodes, { name: node });
  return (spec.taints ?? []).map(({ key, effect }) => `${key.replace("node.kubernetes.io/", "")}:${effect}`);
}

const found = () => ifFound(cluster.client.get(pods, web));

test("a node that goes silent is unknown after 50 seconds, and its Pods are not ready; it returns, and so do they", async () => {
  await run();
  await tell("node-1", { unreachable: "true" });
  await cluster.clock.advance(49_000);
  expect(await readiness()).toBe("True");
  await cluster.clock.advance(2000);
  expect(await readiness()).toBe("Unknown");
  expect(await taintsOf()).toEqual(["unreachable:NoSchedule", "unreachable:NoExecute"]);
  expect(isReady(await cluster.client.get(pods, web))).toBe(false);

  await tell("node-1", { unreachable: null });
  await cluster.clock.advance(1000);
  expect([await readiness(), await taintsOf()]).toEqual(["True", []]);
  expect(isReady(await cluster.client.get(pods, web))).toBe(true);
});

test("the Lease of a node that goes silent is not renewed", async () => {
  const name = { namespace: "kube-node-lease", name: "node-1" };
  await tell("node-1", { unreachable: "true" });
  const { spec } = await cluster.client.get(leases, name);
  await cluster.clock.advance(30_000);
  expect((await cluster.client.get(leases, name)).spec).toEqual(spec);
  await tell("node-1", { unreachable: null });
  expect((await cluster.client.get(leases, name)).spec?.renewTime).not.toBe(spec?.renewTime);
});

test("Pods of a silent node are deleted after 300 seconds, and end when it returns", async () => {
  await run();
  await tell("node-1", { unreachable: "true" });
  await cluster.clock.advance(345_000);
  expect(isBeingDeleted(await cluster.client.get(pods, web))).toBe(false);
  await cluster.clock.advance(10_000);
  const evicted = await cluster.client.get(pods, web);
  expect(isBeingDeleted(evicted)).toBe(true);
  expect(findCondition(evicted.status?.conditions, "DisruptionTarget")).toMatchObject({
    reason: "DeletionByTaintManager",
    observedGeneration: 1,
  });
  await cluster.clock.advance(3_600_000);
  expect(await found()).toBeDefined();
  await tell("node-1", { unreachable: null });
  await cluster.clock.advance(5000);
  expect(await found()).toBeUndefined();
});

test("an eviction that is not due yet is cancelled when the node returns", async () => {
  await run();
  await tell("node-1", { unreachable: "true" });
  await cluster.clock.advance(200_000);
  await tell("node-1", { unreachable: null });
  await cluster.clock.advance(600_000);
  expect(isBeingDeleted(await cluster.client.get(pods, web))).toBe(false);
});

test("a NoExecute taint evicts at once what does not tolerate it, and later what does so for a time", async () => {
  await run({
    tolerations: [{ key: "broken", operator: "Exists", effect: "NoExecute", tolerationSeconds: 30 }],
  });
  const taint = (key: string) =>
    cluster.client.patch(
      nodes,
      { name: "node-1" },
      { type: "merge", body: { spec: { taints: [{ key, effect: "NoExecute" }] } } },
    );
  await taint("broken");
  await cluster.clock.advance(29_000);
  expect(await found()).toBeDefined();
  await taint("gone");
  await cluster.clock.advance(5000);
  expect(await found()).toBeUndefined();
});

test("where all nodes are silent no Pod is evicted", async () => {
  await run();
  for (const node of ["node-1", "node-2", "node-3"]) await tell(node, { unreachable: "true" });
  await cluster.clock.advance(1_000_000);
  expect(await taintsOf()).toEqual(["unreachable:NoSchedule"]);
  expect(isBeingDeleted(await cluster.client.get(pods, web))).toBe(false);
});

test("the only node that is ready does not evict its Pods when it goes silent, even where its watch is late", async () => {
  await cluster.stop();
  cluster = await testCluster({ nodes: 1, observed: ["node-lifecycle"] });
  await cluster.clock.advance(1000);
  await tell("node-1", { unreachable: "true" });
  await cluster.clock.advance(40_000);
  cluster.observed.holdWatches(nodes);
  await cluster.clock.advance(20_000);
  expect(await taintsOf()).toEqual(["unreachable:NoSchedule"]);
});

test("a node that joins where all others are silent lets their Pods be evicted", async () => {
  await run();
  for (const node of ["node-1", "node-2", "node-3"]) await tell(node, { unreachable: "true" });
  await cluster.clock.advance(60_000);
  const labels = { "sim.trimtab.dev/node": "true" };
  await cluster.client.create(nodes, { metadata: { name: "node-4", labels }, spec: {} });
  await cluster.clock.advance(1000);
  expect(await taintsOf()).toEqual(["unreachable:NoSchedule", "unreachable:NoExecute"]);
  await cluster.client.delete(nodes, { name: "node-4" });
  await cluster.clock.advance(1000);
  expect(await taintsOf()).toEqual(["unreachable:NoSchedule"]);
});

test("a node that says it is not ready gets no Pods, and loses those it has", async () => {
  await run();
  await tell("node-1", { notReady: "true" });
  await cluster.clock.advance(1000);
  expect([await readiness(), isReady(await cluster.client.get(pods, web))]).toEqual(["False", false]);
  expect(await taintsOf()).toEqual(["not-ready:NoSchedule", "not-ready:NoExecute"]);
  await cluster.clock.advance(310_000);
  expect(await found()).toBeUndefined();
  await tell("node-1", { notReady: "false" });
  await cluster.clock.advance(1000);
  expect([await readiness(), await taintsOf()]).toEqual(["True", []]);
});

test("the Pods of a node that is deleted fail 40 seconds later and go", async () => {
  await run();
  await cluster.client.delete(nodes, { name: "node-1" });
  await cluster.clock.advance(39_000);
  expect((await cluster.client.get(pods, web)).status?.phase).toBe("Running");
  const phases: (string | undefined)[] = [];
  cluster.store.collection("pods").subscribe({ of: "all" }, (events) => {
    for (const { type, record } of events)
      phases.push(type === "DELETED" ? "gone" : (record.object as unknown as Pod).status?.phase);
  });
  await cluster.clock.advance(2000);
  expect([...new Set(phases)]).toEqual(["Failed", "gone"]);
});

test("the Pods of a node that is deleted and comes back in time stay", async () => {
  await run();
  const node = await cluster.client.get(nodes, { name: "node-1" });
  await cluster.client.delete(nodes, { name: "node-1" });
  await cluster.clock.advance(20_000);
  const { labels = {} } = node.metadata;
  await cluster.client.create(nodes, { metadata: { name: "node-1", labels }, spec: {} });
  await cluster.clock.advance(120_000);
  expect(isReady(await cluster.client.get(pods, web))).toBe(true);
});

test("a node out of service loses the Pods that are being deleted", async () => {
  await run();
  await tell("node-1", { unreachable: "true" });
  await cluster.clock.advance(60_000);
  await cluster.client.delete(pods, web);
  await cluster.clock.advance(60_000);
  expect(await found()).toBeDefined();
  const taints = [{ key: "node.kubernetes.io/out-of-service", value: "nodeshutdown", effect: "NoExecute" }];
  await cluster.client.patch(nodes, { name: "node-1" }, { type: "merge", body: { spec: { taints } } });
  await cluster.clock.advance(5000);
  expect(await found()).toBeUndefined();
});

test("only the Pods of a node that is gone say that it was the reason of their end", async () => {
  await run();
  const finalizers = ["example.com/keep"];
  await cluster.client.patch(pods, web, { type: "merge", body: { metadata: { finalizers } } });
  await tell("node-1", { unreachable: "true" });
  await cluster.clock.advance(60_000);
  await cluster.client.delete(pods, web);
  const taints = [{ key: "node.kubernetes.io/out-of-service", value: "nodeshutdown", effect: "NoSchedule" }];
  await cluster.client.patch(nodes, { name: "node-1" }, { type: "merge", body: { spec: { taints } } });
  await cluster.clock.advance(5000);
  const { status } = await cluster.client.get(pods, web);
  expect([status?.phase, findCondition(status?.conditions, "DisruptionTarget")]).toEqual([
    "Failed",
    undefined,
  ]);
});

test("a node of another kubelet is unknown when its Lease is no longer renewed, and its Lease goes with it", async () => {
  const { client, clock } = cluster;
  const conditions = [{ type: "Ready", status: "True" }];
  const node = await client.create(nodes, { metadata: { name: "real" }, spec: {}, status: { conditions } });
  const name = { namespace: "kube-node-lease", name: "real" };
  const { uid } = node.metadata;
  const ownerReferences = [{ apiVersion: "v1", kind: "Node", name: "real", uid }];
  await client.create(leases, { metadata: { ...name, ownerReferences }, spec: {} });
  for (let renewal = 0; renewal < 10; renewal++) {
    const renewTime = `2026-01-01T00:0${renewal}:00.000000Z`;
    await client.patch(leases, name, { type: "merge", body: { spec: { renewTime } } });
    await clock.advance(10_000);
  }
  expect(await readiness("real")).toBe("True");
  await clock.advance(51_000);
  expect(await readiness("real")).toBe("Unknown");
  expect(await taintsOf("real")).toContain("unreachable:NoExecute");
  await client.delete(nodes, { name: "real" });
  await clock.advance(5000);
  await expect(client.get(leases, name)).rejects.toSatisfy(isNotFound);
});

test("a node without a Lease is not monitored", async () => {
  const conditions = [{ type: "Ready", status: "True" }];
  await cluster.client.create(nodes, { metadata: { name: "bare" }, spec: {}, status: { conditions } });
  await cluster.clock.advance(600_000);
  expect(await readiness("bare")).toBe("True");
});
