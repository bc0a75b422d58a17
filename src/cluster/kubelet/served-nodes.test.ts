import { expect, test } from "vitest";
import { isReady } from "../../api/pod-state.ts";
import { leases, nodes, pods } from "../../api/resources.ts";
import type { Client } from "../../machinery/client/client.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { type Cluster, startCluster } from "../start-cluster.ts";

const web = { name: "web", namespace: "default" };
const ours = { "sim.trimtab.dev/node": "true" };

async function emptyCluster(): Promise<Cluster & { readonly clock: VirtualClock }> {
  const clock = new VirtualClock();
  const cluster = await startCluster({ clock, random: seededRandom("served-nodes"), nodes: 0 });
  return { ...cluster, clock };
}

/** A node that has nothing but a name, marks and capacity; kubectl shows its status as Unknown. */
function addNode(
  client: Client,
  marks: { labels?: Record<string, string>; annotations?: Record<string, string> },
) {
  const status = { allocatable: { pods: "10", cpu: "1", memory: "1Gi" } };
  return client.create(nodes, { metadata: { name: "bare", ...marks }, spec: {}, status });
}

async function runOnIt(client: Client, clock: VirtualClock) {
  const spec = { nodeName: "bare", containers: [{ name: "web", image: "nginx" }] };
  await client.create(pods, { metadata: web, spec });
  await clock.advance(10_000);
  return client.get(pods, web);
}

test.for([
  { whose: "our label", marks: { labels: ours } },
  { whose: "the mark of KWOK", marks: { annotations: { "kwok.x-k8s.io/node": "fake" } } },
])(
  "a Pod runs on a node that carries $whose, though it has nothing but a name and capacity",
  async ({ marks }) => {
    const { client, clock, stop } = await emptyCluster();
    await addNode(client, marks);
    expect(isReady(await runOnIt(client, clock))).toBe(true);
    await stop();
  },
);

test.for([
  { name: "without a mark", marks: {} },
  {
    name: "whose label says no",
    marks: {
      labels: { "sim.trimtab.dev/node": "false" },
      annotations: { "kwok.x-k8s.io/node": "fake" },
    },
  },
])(
  "a node $name is left alone: its Pods wait for its own kubelet, and it has no Lease",
  async ({ marks }) => {
    const { client, clock, stop } = await emptyCluster();
    await addNode(client, marks);
    expect((await runOnIt(client, clock)).status?.phase).toBe("Pending");
    expect((await client.list(leases, { namespace: "kube-node-lease" })).items).toEqual([]);
    await stop();
  },
);

test("Pods of a node that gets our label later start then", async () => {
  const { client, clock, stop } = await emptyCluster();
  await addNode(client, {});
  await runOnIt(client, clock);
  await client.patch(nodes, { name: "bare" }, { type: "merge", body: { metadata: { labels: ours } } });
  await clock.advance(10_000);
  expect(isReady(await client.get(pods, web))).toBe(true);
  await stop();
});

test("without the simulated kubelet no Pod runs, and nothing renews the Leases of nodes", async () => {
  const clock = new VirtualClock();
  const random = seededRandom("without");
  const { client, stop } = await startCluster({ clock, random, nodes: 2, without: ["kubelet"] });
  await client.create(pods, { metadata: web, spec: { containers: [{ name: "web", image: "nginx" }] } });
  await clock.advance(60_000);
  const pod = await client.get(pods, web);
  expect(pod.spec.nodeName).toMatch(/^node-/);
  expect(pod.status?.phase).toBe("Pending");
  expect((await client.list(leases, { namespace: "kube-node-lease" })).items).toEqual([]);
  await stop();
});

test("a node of another kubelet gets Pods when it reports that it is ready", async () => {
  const clock = new VirtualClock();
  const { client, stop } = await startCluster({ clock, random: seededRandom("joining"), nodes: 0 });
  const condition = (status: string) => ({ conditions: [{ type: "Ready", status }] });
  const allocatable = { pods: "10", cpu: "1", memory: "1Gi" };
  const name = { name: "real" };
  await client.create(nodes, { metadata: name, spec: {}, status: { allocatable, ...condition("False") } });
  await client.create(pods, { metadata: web, spec: { containers: [{ name: "web", image: "nginx" }] } });
  await clock.advance(5000);
  expect((await client.get(nodes, name)).spec.taints).toMatchObject([
    { key: "node.kubernetes.io/not-ready" },
  ]);
  expect((await client.get(pods, web)).spec.nodeName).toBeUndefined();
  await client.patch(nodes, name, {
    type: "strategic",
    subresource: "status",
    body: { status: condition("True") },
  });
  await clock.advance(5000);
  expect((await client.get(nodes, name)).spec.taints ?? []).toEqual([]);
  expect((await client.get(pods, web)).spec.nodeName).toBe("real");
  await stop();
});
