import { afterEach, expect, test } from "vitest";
import { events, pods, replicaSets } from "../../../api/resources.ts";
import { kindByPlural } from "../../../api/schema/table.ts";
import type { NodeMetrics, PodMetrics } from "../../../api/generated/metrics-v1beta1.ts";
import type { Resource } from "../../../api/resource.ts";
import { testCluster, type TestCluster } from "../../../testing/test-cluster.ts";

let cluster: TestCluster;
afterEach(() => cluster.stop());

const podMetrics = kindByPlural("metrics.k8s.io", "v1beta1", "pods") as Resource as Resource<PodMetrics>;
const nodeMetrics = kindByPlural("metrics.k8s.io", "v1beta1", "nodes") as Resource as Resource<NodeMetrics>;
const labels = { app: "web" };

async function start(load: string, replicas = 4, podAnnotations: object = {}): Promise<void> {
  cluster = await testCluster({ nodes: 2 });
  const containers = [
    { name: "app", image: "app:1", resources: { limits: { cpu: "2", memory: "1Gi" } } },
    { name: "sidecar", image: "sidecar:1" },
  ];
  await cluster.client.create(replicaSets, {
    metadata: { name: "web", namespace: "default", annotations: { "sim.trimtab.dev/load": load } },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels, annotations: { ...podAnnotations } }, spec: { containers } },
    },
  });
}

const usages = async () =>
  (await cluster.client.list(podMetrics, { namespace: "default" })).items.map(({ containers }) => containers);

test("a load is divided among the ready Pods, once they have run for the time that is measured", async () => {
  await start("{ cpu: { total: 2, idle: 10m }, memory: { perPod: 100Mi } }");
  await cluster.clock.advance(14_000);
  expect(await usages()).toEqual([]);
  await cluster.clock.advance(3000);
  const idle = { name: "sidecar", usage: { cpu: "0", memory: "0" } };
  const busy = { name: "app", usage: { cpu: "510m", memory: "100Mi" } };
  expect(await usages()).toEqual(Array.from({ length: 4 }, () => [busy, idle]));
});

test("no container uses more than its limit", async () => {
  await start("{ cpu: { total: 40 }, memory: { perPod: 2Gi } }");
  await cluster.clock.advance(20_000);
  expect((await usages())[0]?.[0]?.usage).toEqual({ cpu: "2", memory: "1Gi" });
});

test("nodes use what their Pods use", async () => {
  await start("{ cpu: { total: 3, container: sidecar } }");
  await cluster.clock.advance(20_000);
  const { items } = await cluster.client.list(nodeMetrics, {});
  expect(items.map(({ metadata, usage }) => [metadata.name, usage])).toEqual([
    ["node-1", { cpu: "1500m", memory: "0" }],
    ["node-2", { cpu: "1500m", memory: "0" }],
  ]);
  const node = await cluster.client.get(nodeMetrics, { name: "node-1" });
  expect(node).toMatchObject({ kind: "NodeMetrics", window: "15s" });
});

test("Pods are found by name and by labels, and what is not measured is not found", async () => {
  await start("{}", 1);
  await cluster.clock.advance(20_000);
  const [pod] = (await cluster.client.list(pods, {})).items;
  const name = { namespace: "default", name: pod?.metadata.name ?? "" };
  expect(await cluster.client.get(podMetrics, name)).toMatchObject({ metadata: { ...name, labels } });
  expect((await cluster.client.list(podMetrics, { labelSelector: "app=shop" })).items).toEqual([]);
  await expect(cluster.client.get(podMetrics, { ...name, name: "none" })).rejects.toThrow(
    'podmetrics.metrics.k8s.io "default/none" not found',
  );
});

test("load by weight goes to the Pods that have weights", async () => {
  await start("cpu: { total: 1, distribution: ByWeight }", 2);
  await cluster.clock.advance(20_000);
  const [first] = (await cluster.client.list(pods, {})).items;
  const annotations = { "sim.trimtab.dev/loadWeight": "3" };
  await cluster.client.patch(pods, first?.metadata ?? { name: "" }, {
    type: "merge",
    body: { metadata: { annotations } },
  });
  const cpus = (await usages()).map(([app]) => app?.usage["cpu"]);
  expect(new Set(cpus)).toEqual(new Set(["250m", "750m"]));
});

test("a skewed load is unequal, comes to the same sum, and is the same for the same seed", async () => {
  await start("cpu: { total: 4, distribution: Skewed, skew: 1 }", 8);
  await cluster.clock.advance(20_000);
  const read = async () => (await usages()).map(([app]) => app?.usage["cpu"]);
  const cpus = await read();
  expect(new Set(cpus).size).toBe(8);
  expect(await read()).toEqual(cpus);
});

test("the kubelet says what is wrong with the load of a Pod", async () => {
  await start("{}", 1, { "sim.trimtab.dev/load": "cpu: 1", "sim.trimtab.dev/loadWeight": "much" });
  await cluster.clock.advance(5000);
  const { items } = await cluster.client.list(events, {});
  expect(items.map(({ message }) => message)).toContain(
    "sim.trimtab.dev/load cpu: Invalid value: 1: must be an object with total or perPod; " +
      "sim.trimtab.dev/loadWeight must be a number from 0 to 1000",
  );
});
