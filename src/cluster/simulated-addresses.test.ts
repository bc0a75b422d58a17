import { isIP } from "node:net";
import { expect, test } from "vitest";
import { isJsonObject, type Json } from "../api/json.ts";
import { deployments, nodes, pods, services } from "../api/resources.ts";
import { isReady } from "../api/pod-state.ts";
import { VirtualClock } from "../machinery/clock/virtual-clock.ts";
import { seededRandom } from "../machinery/random/random.ts";
import { type Cluster, startCluster } from "./start-cluster.ts";

/** Loopback stays on this machine; 240.0.0.0/4 is routed nowhere. */
const leadsNowhere = /^(127|24\d|25[0-5])\.\d+\.\d+\.\d+$/;

async function busyCluster(): Promise<Cluster> {
  const clock = new VirtualClock();
  const cluster = await startCluster({ clock, random: seededRandom("addresses"), nodes: 3 });
  const labels = { app: "web" };
  await cluster.client.create(deployments, {
    metadata: { name: "web", namespace: "default" },
    spec: {
      replicas: 6,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } },
    },
  });
  for (const type of ["ClusterIP", "NodePort", "LoadBalancer"]) {
    await cluster.client.create(services, {
      metadata: { name: type.toLowerCase(), namespace: "default" },
      spec: { type, selector: labels, ports: [{ port: 80 }] },
    });
  }
  await clock.advance(60_000);
  return cluster;
}

/** Every address, of any family, in any text of any stored object. */
function addressesIn({ server, store }: Cluster): readonly string[] {
  const collections = new Set(server.kinds.all.map(({ collection }) => collection));
  const texts = [...collections].flatMap((name) =>
    [...store.collection(name).records()].flatMap(({ object }) => textsIn(object)),
  );
  return texts.flatMap((text) => text.split(/[^\w.:]+/)).filter((word) => isIP(word) !== 0);
}

function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(textsIn);
  return isJsonObject(value) ? Object.entries(value).flatMap(([key, each]) => [key, ...textsIn(each)]) : [];
}

test("a tool that dials an address it reads in the cluster sends nothing off this machine", async () => {
  const cluster = await busyCluster();
  const { client, stop } = cluster;
  const running = await client.list(pods, {});
  expect(running.items.filter(isReady)).toHaveLength(6);
  const found = addressesIn(cluster);
  expect(found.filter((address) => !leadsNowhere.test(address))).toEqual([]);
  // Of nodes, Pods, their Services, and of the API server's own endpoints.
  expect(new Set(found).size).toBeGreaterThanOrEqual(3 + 6 + 4 + 1);
  await stop();
});

test("a metrics collector that asks every kubelet finds loopback and no port", async () => {
  const { client, stop } = await busyCluster();
  const { items } = await client.list(nodes, {});
  for (const { status } of items) {
    expect(status?.addresses?.find(({ type }) => type === "InternalIP")?.address).toMatch(/^127\./);
    expect(status?.daemonEndpoints?.kubeletEndpoint?.Port ?? 0).toBe(0);
  }
  await stop();
});

test.for([
  { name: "of other machines", podCIDR: "10.20.30.0/24" },
  { name: "of IPv6", podCIDR: "2001:db8::/64" },
  { name: "in part routed elsewhere", podCIDR: "192.0.0.0/2" },
])("a Pod on a labelled node with a network $name still has an address that leads nowhere", async (row) => {
  const clock = new VirtualClock();
  const { client, stop } = await startCluster({ clock, random: seededRandom("foreign"), nodes: 0 });
  await client.create(nodes, {
    metadata: { name: "own", labels: { "sim.trimtab.dev/node": "true" } },
    spec: { podCIDR: row.podCIDR, podCIDRs: [row.podCIDR] },
    status: {
      allocatable: { pods: "10", cpu: "1", memory: "1Gi" },
      conditions: [{ type: "Ready", status: "True" }],
    },
  });
  const web = { name: "web", namespace: "default" };
  const spec = { nodeName: "own", containers: [{ name: "web", image: "nginx" }] };
  await client.create(pods, { metadata: web, spec });
  await clock.advance(10_000);
  expect((await client.get(pods, web)).status?.podIP).toMatch(leadsNowhere);
  await stop();
});
