import { expect, test } from "vitest";
import type { Node } from "../../src/api/generated/core-v1.ts";
import { isActive, isReady } from "../../src/api/pod-state.ts";
import { nodes, pods, replicaSets } from "../../src/api/resources.ts";
import { type TestCluster, testCluster } from "../../src/testing/test-cluster.ts";
import { perTier } from "../tier.ts";

// The first story of KEP-2185, told to a cluster whose nodes fail, with what a person can type.

const perZone = 4;
const web = { namespace: "default", name: "web" };
const labels = { app: "web" };
const zoneLabel = "topology.kubernetes.io/zone";
const minuteMs = 60_000;

const spread = (topologyKey: string, whenUnsatisfiable: string) => ({
  maxSkew: 1,
  topologyKey,
  whenUnsatisfiable,
  labelSelector: { matchLabels: labels },
});

const replicaSet = {
  metadata: web,
  spec: {
    replicas: 3 * perZone,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        containers: [{ name: "web", image: "nginx" }],
        topologySpreadConstraints: [
          spread("kubernetes.io/hostname", "DoNotSchedule"),
          spread(zoneLabel, "ScheduleAnyway"),
        ],
      },
    },
  },
};

/** What happens to every node of a failure domain, and how it ends. */
interface Failure {
  readonly name: string;
  readonly fail: (cluster: TestCluster, node: Node) => Promise<unknown>;
  readonly recover: (cluster: TestCluster, node: Node) => Promise<unknown>;
}

const annotate = ({ client }: TestCluster, { metadata }: Node, setting: string, value: string | null) =>
  client.patch(nodes, metadata, {
    type: "merge",
    body: { metadata: { annotations: { [`sim.trimtab.dev/${setting}`]: value } } },
  });

const taint = ({ client }: TestCluster, { metadata }: Node, taints: Node["spec"]["taints"]) =>
  client.patch(nodes, metadata, { type: "merge", body: { spec: { taints: taints as never } } });

const failures: readonly Failure[] = [
  {
    name: "goes silent",
    fail: (cluster, node) => annotate(cluster, node, "unreachable", "true"),
    recover: (cluster, node) => annotate(cluster, node, "unreachable", null),
  },
  {
    name: "is not ready",
    fail: (cluster, node) => annotate(cluster, node, "notReady", "true"),
    recover: (cluster, node) => annotate(cluster, node, "notReady", null),
  },
  {
    name: "is shut down",
    fail: (cluster, node) => annotate(cluster, node, "shutdown", "true"),
    recover: (cluster, node) => annotate(cluster, node, "shutdown", null),
  },
  {
    name: "is tainted",
    fail: (cluster, node) => taint(cluster, node, [{ key: "broken", effect: "NoExecute" }]),
    recover: (cluster, node) => taint(cluster, node, []),
  },
  {
    name: "is deleted",
    fail: ({ client }, { metadata }) => client.delete(nodes, { name: metadata.name }),
    recover: ({ client }, { metadata: { name, labels: marks = {} } }) =>
      client.create(nodes, { metadata: { name, labels: marks }, spec: {} }),
  },
];

test.for(perTier({ unit: failures.filter(({ name }) => name === "goes silent"), full: failures }))(
  "a failure domain that $name loses its Pods to the others, gets none back, and the workload shrinks by the youngest",
  async ({ fail, recover }) => {
    const cluster = await testCluster({ nodes: 24, zones: 3 });
    const { client, clock } = cluster;
    const domain = (await client.list(nodes, { labelSelector: `${zoneLabel}=zone-c` })).items;
    await clock.advance(1000);
    await client.create(replicaSets, replicaSet);
    await clock.advance(60 * minuteMs);
    expect(await readyPerZone(cluster)).toEqual({ "zone-a": 4, "zone-b": 4, "zone-c": 4 });

    for (const node of domain) await fail(cluster, node);
    await clock.advance(10 * minuteMs);
    expect(await readyPerZone(cluster)).toEqual({ "zone-a": 6, "zone-b": 6 });

    for (const node of domain) await recover(cluster, node);
    await clock.advance(minuteMs);
    expect(await readyPerZone(cluster)).toEqual({ "zone-a": 6, "zone-b": 6 });
    expect((await client.list(pods, {})).items.filter(isActive)).toHaveLength(12);

    await scale(cluster, 2 * perZone);
    expect(await readyPerZone(cluster)).toEqual({ "zone-a": 4, "zone-b": 4 });
    await scale(cluster, 3 * perZone);
    expect(await readyPerZone(cluster)).toEqual({ "zone-a": 4, "zone-b": 4, "zone-c": 4 });
    await cluster.stop();
  },
);

async function scale({ client, clock }: TestCluster, replicas: number): Promise<void> {
  await client.patch(replicaSets, web, { type: "merge", body: { spec: { replicas } } });
  await clock.advance(minuteMs);
}

async function readyPerZone({ client }: TestCluster): Promise<Readonly<Record<string, number>>> {
  const zones = new Map(
    (await client.list(nodes, {})).items.map(({ metadata }) => [metadata.name, metadata.labels?.[zoneLabel]]),
  );
  const counts: Record<string, number> = {};
  for (const pod of (await client.list(pods, {})).items) {
    const zone = zones.get(pod.spec.nodeName ?? "") ?? "nowhere";
    if (isActive(pod) && isReady(pod)) counts[zone] = (counts[zone] ?? 0) + 1;
  }
  return counts;
}
