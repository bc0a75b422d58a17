import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Pod } from "../src/api/generated/core-v1.ts";
import { isReady } from "../src/api/pod-state.ts";
import { pods } from "../src/api/resources.ts";
import { type Cluster, startCluster } from "../src/cluster/start-cluster.ts";
import { WallClock } from "../src/machinery/clock/wall-clock.ts";
import { seededRandom } from "../src/machinery/random/random.ts";
import type { Measure } from "./measure.ts";

const nodes = 1000;
const held = 20_000;
const passing = 2000;
const idleMs = 10_000;

/** The simulated nodes and Pods: what holding them costs, and how fast Pods come and go. In wall time, like `trimtab up`. */
export async function kubelet(): Promise<readonly Measure[]> {
  const before = process.memoryUsage().rss;
  const cluster = await startCluster({ clock: new WallClock(), random: seededRandom("bench"), nodes });
  await pause(1000);
  const loop = monitorEventLoopDelay({ resolution: 5 });
  loop.enable();
  const filled = await timed(async () => {
    await create(cluster, "held", held);
    await until(() => count(cluster, (pod) => isReady(pod)) === held);
  });
  loop.disable();
  const { idle, idleLoop } = await atRest();
  const rss = process.memoryUsage().rss - before;
  const passed = await timed(async () => {
    await create(cluster, "passing", passing);
    await until(() => count(cluster, (pod) => isReady(pod)) === held + passing);
    await cluster.client.deleteCollection(pods, { namespace: "default", labelSelector: "app=passing" }, {});
    await until(() => count(cluster, () => true) === held);
  });
  await cluster.stop();
  const what = "1,000 nodes and 20,000 Pods";
  return [
    { what: `${what}: from create to ready`, value: filled, unit: "ms" },
    { what: `${what}: loop delay meanwhile, 99th percentile`, value: loop.percentile(99) / 1e6, unit: "ms" },
    { what: `${what} held: memory`, value: rss / 1e6, unit: "MB" },
    { what: `${what} held: CPU at rest`, value: idle, unit: "%" },
    { what: `${what} held: longest loop delay at rest`, value: idleLoop, unit: "ms" },
    { what: "2,000 more Pods: created, ready, deleted, gone", value: passed, unit: "ms" },
  ];
}

/** Measures how busy the process is without requests. */
async function atRest(): Promise<{ readonly idle: number; readonly idleLoop: number }> {
  await pause(15_000); // events are written late, and disruption budgets and endpoints follow
  const loop = monitorEventLoopDelay({ resolution: 5 });
  loop.enable();
  const before = process.cpuUsage();
  await pause(idleMs);
  const { user, system } = process.cpuUsage(before);
  loop.disable();
  return { idle: ((user + system) / 1000 / idleMs) * 100, idleLoop: loop.max / 1e6 };
}

async function create({ client }: Cluster, app: string, number: number): Promise<void> {
  for (let index = 0; index < number; index++) {
    const metadata = { name: `${app}-${index}`, namespace: "default", labels: { app } };
    await client.create(pods, { metadata, spec: { containers: [{ name: "web", image: "nginx" }] } });
  }
}

function count({ store }: Cluster, matches: (pod: Pod) => boolean): number {
  let number = 0;
  for (const { object } of store.collection("pods").records())
    if (matches(object as unknown as Pod)) number++;
  return number;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(100);
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
