import { expect, test } from "vitest";
import { isReady } from "../../api/pod-state.ts";
import { nodes, pods } from "../../api/resources.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { startCluster } from "../start-cluster.ts";

test("a Pod runs on a fake node that has nothing but a name and capacity", async () => {
  const clock = new VirtualClock();
  const { client, stop } = await startCluster({ clock, random: seededRandom("bare"), nodes: 0 });
  await client.create(nodes, {
    metadata: { name: "bare", annotations: { "kwok.x-k8s.io/node": "fake" } },
    spec: {},
    status: { allocatable: { pods: "10", cpu: "1", memory: "1Gi" } },
  });
  await clock.advance(1000);
  const web = { name: "web", namespace: "default" };
  await client.create(pods, { metadata: web, spec: { containers: [{ name: "web", image: "nginx" }] } });
  await clock.advance(5000);
  expect(isReady(await client.get(pods, web))).toBe(true);
  await stop();
});

test("a node of another kubelet gets Pods when it reports that it is ready", async () => {
  const clock = new VirtualClock();
  const { client, stop } = await startCluster({ clock, random: seededRandom("joining"), nodes: 0 });
  const condition = (status: string) => ({ conditions: [{ type: "Ready", status }] });
  const allocatable = { pods: "10", cpu: "1", memory: "1Gi" };
  const name = { name: "real" };
  await client.create(nodes, { metadata: name, spec: {}, status: { allocatable, ...condition("False") } });
  const web = { name: "web", namespace: "default" };
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
