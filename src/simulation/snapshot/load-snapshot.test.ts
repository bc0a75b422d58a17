import { expect, test } from "vitest";
import type { PodSpec } from "../../api/generated/core-v1.ts";
import { daemonSets, deployments, nodes, pods } from "../../api/resources.ts";
import { isReady } from "../../api/pod-state.ts";
import { deepFreeze } from "../../testing/deep-freeze.ts";
import { type SimulatedCluster, startSimulatedCluster } from "../simulated-cluster.ts";
import { objectsIn, simulatedClusterOf } from "./load-snapshot.ts";
import { readSnapshot } from "./read-snapshot.ts";
import { type Snapshot, takeSnapshot, writeSnapshot } from "./snapshot.ts";

const web = { namespace: "default", name: "web" };
const labels = { app: "web" };

async function runningCluster(spec: Partial<PodSpec> = {}): Promise<SimulatedCluster> {
  const cluster = await startSimulatedCluster({ seed: 1, nodes: 6, zones: 3, guard: deepFreeze });
  await cluster.client.create(deployments, {
    metadata: web,
    spec: {
      replicas: 6,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "web", image: "nginx", env: [{ name: "A", value: "b" }] }], ...spec },
      },
    },
  });
  await cluster.untilStable();
  return cluster;
}

/** The cluster as a file would have it. */
function snapshotOf({ store, clock }: SimulatedCluster): Snapshot {
  const text = writeSnapshot(takeSnapshot(objectsIn(store), { now: clock.now() }), "json");
  const read = readSnapshot(text, "cluster.json");
  if (!read.ok) throw new Error(read.problems.join("\n"));
  return read.snapshot;
}

const placesOf = async ({ client }: SimulatedCluster) =>
  (await client.list(pods, {})).items.map(({ metadata, spec, ...pod }) => [
    metadata.uid,
    spec.nodeName,
    isReady({ metadata, spec, ...pod }),
    metadata.creationTimestamp,
  ]);

test("a cluster that is loaded from its own snapshot goes on as it was", async () => {
  const original = await runningCluster();
  const loaded = await startSimulatedCluster({ seed: 2, ...simulatedClusterOf(snapshotOf(original)) });
  expect(loaded.clock.now()).toBe(original.clock.now());
  const before = await placesOf(original);
  expect(await placesOf(loaded)).toEqual(before);
  await loaded.advance(24 * 3_600_000);
  expect(await placesOf(loaded)).toEqual(before);
  await Promise.all([original.stop(), loaded.stop()]);
});

test("both scale down to the same Pods", async () => {
  const original = await runningCluster();
  const loaded = await startSimulatedCluster({ seed: 2, ...simulatedClusterOf(snapshotOf(original)) });
  for (const { client, untilStable } of [original, loaded]) {
    await client.patch(deployments, web, { type: "merge", body: { spec: { replicas: 2 } } });
    await untilStable();
  }
  const left = await placesOf(original);
  expect(left).toHaveLength(2);
  expect(await placesOf(loaded)).toEqual(left);
  await Promise.all([original.stop(), loaded.stop()]);
});

test("a rollout creates Pods from the template that the snapshot has", async () => {
  const original = await runningCluster({
    containers: [
      { name: "web", image: "nginx", readinessProbe: { httpGet: { port: 80 }, periodSeconds: 5 } },
    ],
  });
  const loaded = await startSimulatedCluster({ seed: 2, ...simulatedClusterOf(snapshotOf(original)) });
  const before = new Set((await placesOf(loaded)).map(([uid]) => uid));
  const body = { spec: { template: { metadata: { annotations: { restarted: "now" } } } } };
  await loaded.client.patch(deployments, web, { type: "merge", body });
  await loaded.untilStable();
  const after = await placesOf(loaded);
  expect(after.map(([uid, , ready]) => [before.has(uid), ready])).toEqual(after.map(() => [false, true]));
  await Promise.all([original.stop(), loaded.stop()]);
});

test("nodes and Pods that do not work go on not working, and so do the Pods that replace them", async () => {
  const original = await runningCluster({ containers: [{ name: "web", image: "nginx:404" }] });
  await original.client.patch(
    nodes,
    { name: "node-1" },
    { type: "merge", body: { metadata: { annotations: { "sim.trimtab.dev/notReady": "true" } } } },
  );
  await original.advance(20_000);
  const { takenAt, objects, isAnonymised } = snapshotOf(original);
  // As on a cluster whose kubelets are not simulated.
  const bare = objects.nodes.map(({ metadata: { annotations: _annotations, ...metadata }, ...node }) => ({
    ...node,
    metadata,
  }));
  const images = objects.pods.map((pod) => ({
    ...pod,
    spec: { ...pod.spec, containers: [{ name: "web", image: "nginx:1" }] },
  }));
  const snapshot = { takenAt, isAnonymised, objects: { ...objects, nodes: bare, pods: images } };
  const loaded = await startSimulatedCluster({ seed: 2, ...simulatedClusterOf(snapshot) });
  await loaded.client.patch(deployments, web, { type: "merge", body: { spec: { replicas: 8 } } });
  expect(await loaded.untilStable()).toBe(true);
  const after = await placesOf(loaded);
  expect(after).toHaveLength(8);
  expect(after.some(([, , ready]) => ready === true)).toBe(false);
  const node = await loaded.client.get(nodes, { name: "node-1" });
  expect(node.status?.conditions?.find(({ type }) => type === "Ready")?.status).toBe("False");
  await Promise.all([original.stop(), loaded.stop()]);
});

test("a DaemonSet that is loaded goes on as it was, and gives a new node its Pod", async () => {
  const original = await startSimulatedCluster({ seed: 1, nodes: 3, guard: deepFreeze });
  const containers = [{ name: "agent", image: "agent:1", env: [{ name: "A", value: "b" }] }];
  await original.client.create(daemonSets, {
    metadata: { namespace: "default", name: "agent" },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  });
  await original.untilStable();
  const loaded = await startSimulatedCluster({ seed: 2, ...simulatedClusterOf(snapshotOf(original)) });
  const before = await placesOf(original);
  await loaded.advance(3_600_000);
  expect(await placesOf(loaded)).toEqual(before);
  const node = { metadata: { name: "node-4", labels: { "sim.trimtab.dev/node": "true" } }, spec: {} };
  await loaded.client.create(nodes, node);
  await loaded.advance(10_000);
  expect((await placesOf(loaded)).map(([, name]) => name)).toContain("node-4");
  expect(await placesOf(loaded)).toHaveLength(4);
  await Promise.all([original.stop(), loaded.stop()]);
});
