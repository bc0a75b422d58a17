import type { Deployment } from "../src/api/generated/apps-v1.ts";
import type { Draft } from "../src/api/object.ts";
import { deployments, pods } from "../src/api/resources.ts";
import { startSimulatedCluster, type SimulatedCluster } from "../src/simulation/simulated-cluster.ts";
import { podTemplate } from "../src/testing/deployment.ts";

/** What a run did, by name; the same for the same code, whatever machine it runs on. */
export type Counts = Readonly<Record<string, number>>;

const size = 200;
const web = { namespace: "default", name: "web" };
const labels = { app: "web" };
const minutesMs = 5 * 60_000;

/**
 * Counts what a Deployment costs in virtual time while it is created, rolled and removed: each object that is written, each
 * write of a Pod, and the bytes of JSON that a watcher of everything would be sent. Time is not counted.
 */
export async function guardCounts(): Promise<Counts> {
  let written = new Map<string, number>();
  let bytes = 0;
  const cluster = await startSimulatedCluster({
    seed: "guard",
    nodes: 20,
    recording: "none",
    committed: (collection, event) => {
      written.set(collection, (written.get(collection) ?? 0) + 1);
      bytes += JSON.stringify(event.record.object).length;
    },
  });
  const counts: Record<string, number> = {};
  const count = async (phase: string, change: () => Promise<unknown>, podsLeft: number) => {
    written = new Map();
    bytes = 0;
    await change();
    await cluster.advance(minutesMs);
    await expectPods(cluster, podsLeft);
    for (const [collection, writes] of [...written].toSorted(([one], [other]) => (one < other ? -1 : 1)))
      counts[`${size} Pods ${phase}: writes of ${collection}`] = writes;
    counts[`${size} Pods ${phase}: kB in events of watches`] = Math.ceil(bytes / 1000);
  };
  await cluster.advance(minutesMs);
  await count("created", () => cluster.client.create(deployments, deployment), size);
  await count("rolled", () => patch(cluster, { template: podTemplate("registry.example/app:2") }), size);
  await count("removed", () => patch(cluster, { replicas: 0 }), 0);
  await cluster.stop();
  return counts;
}

const deployment: Draft<Deployment> = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: web,
  spec: { replicas: size, selector: { matchLabels: labels }, template: podTemplate() },
};

const patch = ({ client }: SimulatedCluster, spec: object) =>
  client.patch(deployments, web, { type: "merge", body: { spec: { ...spec } } });

async function expectPods({ client }: SimulatedCluster, count: number): Promise<void> {
  const { items } = await client.list(pods, {});
  if (items.length !== count) throw new Error(`${items.length} Pods are left, not ${count}`);
}
