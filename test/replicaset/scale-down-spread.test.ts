import { expect, onTestFinished, test } from "vitest";
import { deployments, events, nodes, pods, replicaSets } from "../../src/api/resources.ts";
import { isActive } from "../../src/api/pod-state.ts";
import { type TestCluster, testCluster, type TestClusterOptions } from "../../src/testing/test-cluster.ts";
import { web } from "../deployment/builders.ts";

const zone = "topology.kubernetes.io/zone";
const name = { namespace: "default", name: "web" };
const annotation = "trimtab.dev/scale-down-spread";
const spreadGates = { TopologyAwareScaleDown: true };

/** A Deployment with three Pods in each zone, those of the last zone the youngest. */
async function start(annotations: Readonly<Record<string, string>>, options: TestClusterOptions = {}) {
  const cluster = await testCluster({ nodes: 9, zones: 3, ...options });
  onTestFinished(() => cluster.stop());
  const { client, clock } = cluster;
  await clock.advance(1000);
  const closed = (await client.list(nodes, { labelSelector: `${zone}=zone-c` })).items;
  const close = async (unschedulable: true | null) => {
    for (const { metadata } of closed)
      await client.patch(nodes, metadata, { type: "merge", body: { spec: { unschedulable } } });
  };
  await close(true);
  await client.create(deployments, web({ replicas: 6, annotations }));
  await clock.advance(3_600_000);
  await close(null);
  await scale(cluster, 9);
  expect(await podsPerZone(cluster)).toEqual({ "zone-a": 3, "zone-b": 3, "zone-c": 3 });
  return cluster;
}

async function scale({ client, clock }: TestCluster, replicas: number): Promise<void> {
  await client.patch(deployments, name, { type: "merge", body: { spec: { replicas } } });
  await clock.advance(60_000);
}

async function podsPerZone({ client }: TestCluster): Promise<Readonly<Record<string, number>>> {
  const zones = new Map(
    (await client.list(nodes, {})).items.map(({ metadata }) => [
      metadata.name,
      metadata.labels?.[zone] ?? "",
    ]),
  );
  const counts: Record<string, number> = {};
  for (const { spec } of (await client.list(pods, {})).items.filter(isActive)) {
    const at = zones.get(spec.nodeName ?? "") ?? "";
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}

const even = { "zone-a": 1, "zone-b": 1, "zone-c": 1 };

test.for([
  { name: "the annotation asks for it", annotations: { [annotation]: "true" }, options: {}, isEven: true },
  { name: "the gate is on", annotations: {}, options: { gates: spreadGates }, isEven: true },
  { name: "the gate is off", annotations: {}, options: {}, isEven: false },
  {
    name: "the annotation declines what the gate says",
    annotations: { [annotation]: "false" },
    options: { gates: spreadGates },
    isEven: false,
  },
])("zones stay even or the youngest go: $name", async ({ annotations, options, isEven }) => {
  const cluster = await start(annotations, options);
  await scale(cluster, 3);
  const counts = await podsPerZone(cluster);
  if (isEven) expect(counts).toEqual(even);
  else expect(counts).not.toHaveProperty("zone-c");
});

test("the record of a removal has the levels of the Pods, and the counts of every zone before and after it", async () => {
  const cluster = await start({ [annotation]: "true" });
  await scale(cluster, 3);
  const [owner] = (await cluster.client.list(replicaSets, {})).items;
  const [record] = cluster.decisions.removals.find({
    namespace: "default",
    name: owner?.metadata.name ?? "",
  });
  const [zones] = record?.spread?.constraints ?? [];
  expect(zones).toMatchObject({ topologyKey: zone, source: "built-in" });
  expect(zones?.domains).toEqual(Object.keys(even).map((domain) => ({ domain, before: 3, after: 1 })));
  const level = record?.rules.findIndex(({ topologyKey }) => topologyKey === zone) ?? -1;
  expect(record?.candidates.map(({ keys }) => keys[level])).toEqual([3, 3, 3, 2, 2, 2, 1, 1, 1]);
});

test("a value that makes no sense is an event on the Deployment and its ReplicaSet, and leaves the normal order", async () => {
  const cluster = await start({ [annotation]: "perhaps" });
  await scale(cluster, 3);
  expect(await podsPerZone(cluster)).not.toHaveProperty("zone-c");
  const told = (await cluster.client.list(events, {})).items.filter(
    ({ reason }) => reason === "InvalidScaleDownSpread",
  );
  expect(new Set(told.map(({ involvedObject }) => involvedObject.kind))).toEqual(
    new Set(["Deployment", "ReplicaSet"]),
  );
});

test("own constraints that make no sense are ignored, and the event of every Pod says so", async () => {
  const cluster = await start({ [annotation]: "true" });
  const constraints = [{ maxSkew: 1, topologyKey: zone, whenUnsatisfiable: "ScheduleAnyway" }];
  const spec = { template: { spec: { topologySpreadConstraints: constraints } } };
  await cluster.client.patch(deployments, name, { type: "merge", body: { spec } });
  await cluster.clock.advance(120_000);
  await scale(cluster, 3);
  const messages = (await cluster.client.list(events, {})).items.map(({ message = "" }) => message);
  const note = "(ignored: topologySpreadConstraints[0]: it has no labelSelector)";
  expect(messages.filter((message) => message.includes(note)).length).toBeGreaterThan(0);
});

test("the annotation leaves the ReplicaSet with the Deployment's, and the youngest go again", async () => {
  const cluster = await start({ [annotation]: "true" });
  const body = { metadata: { annotations: { [annotation]: null } } };
  await cluster.client.patch(deployments, name, { type: "merge", body });
  await scale(cluster, 3);
  const [owner] = (await cluster.client.list(replicaSets, {})).items;
  expect(owner?.metadata.annotations).not.toHaveProperty([annotation]);
  expect(await podsPerZone(cluster)).not.toHaveProperty("zone-c");
});
