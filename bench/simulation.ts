import { isReady } from "../src/api/pod-state.ts";
import { pods, replicaSets } from "../src/api/resources.ts";
import { seededRandom } from "../src/machinery/random/random.ts";
import { runSeeds } from "../test/chaos/run-seeds.ts";
import { startSimulatedCluster, type SimulatedCluster } from "../src/simulation/simulated-cluster.ts";
import type { Measure } from "./measure.ts";

/** The simulation: how fast a day passes, and how many scenarios run a second. */
export async function simulation(): Promise<readonly Measure[]> {
  return [
    {
      what: "24 simulated hours of a ReplicaSet of up to 1,000 Pods that scales every 5 minutes, 100 nodes",
      value: await busyDay(),
      unit: "ms",
      bar: 10_000,
      goal: 3000,
    },
    { what: "seeds of the scenario scaling, all threads", value: await seedsPerSecond(), unit: "per s" },
  ];
}

const web = { namespace: "default", name: "web" };
const labels = { app: "web" };
const intervalMs = 5 * 60_000;
const dayMs = 24 * 3_600_000;

/** Yields a daily curve with noise: most Pods at noon, fewest at night. */
function* demands(): Generator<number> {
  const random = seededRandom("demand");
  for (let at = 0; at < dayMs; at += intervalMs) {
    const daylight = (1 - Math.cos((2 * Math.PI * at) / dayMs)) / 2;
    yield Math.round(300 + 680 * daylight + 20 * random.next());
  }
}

async function busyDay(): Promise<number> {
  const cluster = await startSimulatedCluster({ seed: "bench", nodes: 100, recording: "none" });
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } };
  const spec = { replicas: 1000, selector: { matchLabels: labels }, template };
  await cluster.client.create(replicaSets, { metadata: web, spec });
  await cluster.advance(intervalMs);
  await expectReady(cluster, 1000);

  const start = performance.now();
  let replicas = 0;
  for (replicas of demands()) {
    await cluster.client.patch(replicaSets, web, { type: "merge", body: { spec: { replicas } } });
    await cluster.advance(intervalMs);
  }
  const took = performance.now() - start;
  await expectReady(cluster, replicas);
  await cluster.stop();
  return took;
}

async function expectReady({ client }: SimulatedCluster, count: number): Promise<void> {
  const ready = (await client.list(pods, {})).items.filter(isReady).length;
  if (ready !== count) throw new Error(`${ready} Pods are ready, not ${count}`);
}

async function seedsPerSecond(): Promise<number> {
  const runs = Array.from({ length: 100 }, (_, seed) => ({ scenario: "scaling", seed }));
  const start = performance.now();
  const reports = await runSeeds(runs);
  const tookMs = performance.now() - start;
  if (reports.some(({ violation, error }) => violation !== undefined || error !== undefined))
    throw new Error("an invariant was violated: npm run chaos -- --seeds 100 --scenario scaling says which");
  return reports.length / (tookMs / 1000);
}
