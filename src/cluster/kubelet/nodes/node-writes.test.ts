import { expect, onTestFinished, test } from "vitest";
import { deployments, events, nodes } from "../../../api/resources.ts";
import { deployment } from "../../../testing/deployment.ts";
import { type TestCluster, testCluster } from "../../../testing/test-cluster.ts";

const minutes = 10;
const minuteMs = 60_000;
const web = { namespace: "default", name: "web" };

async function startedCluster(): Promise<TestCluster> {
  const cluster = await testCluster({ nodes: 3 });
  onTestFinished(cluster.stop);
  await cluster.clock.advance(minuteMs);
  return cluster;
}

/** Rolls out and scales a Deployment, so that Pods come and go on every node. */
async function keepBusy({ client, clock }: TestCluster): Promise<void> {
  const { metadata, spec } = deployment("web", { replicas: 9, image: "app:1" });
  await client.create(deployments, { metadata: { name: metadata.name, namespace: web.namespace }, spec });
  for (const replicas of [6, 9]) {
    const template = { metadata: { annotations: { replicas: String(replicas) } } };
    await client.patch(deployments, web, { type: "merge", body: { spec: { replicas, template } } });
    await clock.advance((minutes / 2) * minuteMs);
  }
}

test.for<{ name: string; pass: (cluster: TestCluster) => Promise<void> }>([
  { name: "quiet", pass: ({ clock }) => clock.advance(minutes * minuteMs) },
  { name: "busy", pass: keepBusy },
])(
  "in ten $name minutes nobody writes a node, so that who reads it first can still update it",
  async ({ pass }) => {
    const cluster = await startedCluster();
    const { client, store } = cluster;
    const read = await client.get(nodes, { name: "node-1" });
    let writes = 0;
    store.collection("nodes").subscribe({ of: "all" }, (changes) => (writes += changes.length));
    await pass(cluster);
    expect(writes).toBe(0);
    const labels = { ...read.metadata.labels, rack: "7" };
    await client.update(nodes, { ...read, metadata: { ...read.metadata, labels } });
  },
);

test("a node that is cordoned and uncordoned has an event of each", async () => {
  const { client, clock } = await startedCluster();
  for (const unschedulable of [true, false]) {
    await client.patch(nodes, { name: "node-1" }, { type: "merge", body: { spec: { unschedulable } } });
    await clock.advance(minuteMs);
  }
  const { items } = await client.list(events, { namespace: "default" });
  const said = items.filter(({ involvedObject }) => involvedObject.kind === "Node");
  expect(said.map(({ type, reason, message }) => `${type} ${reason}: ${message}`)).toEqual([
    "Normal NodeNotSchedulable: Node node-1 status is now: NodeNotSchedulable",
    "Normal NodeSchedulable: Node node-1 status is now: NodeSchedulable",
  ]);
});
