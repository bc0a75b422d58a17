import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isReady } from "../src/api/pod-state.ts";
import { pods } from "../src/api/resources.ts";
import { startEmbeddedCluster } from "../src/cluster/embedding/start-embedded-cluster.ts";
import { startCluster } from "../src/cluster/start-cluster.ts";
import { VirtualClock } from "../src/machinery/clock/virtual-clock.ts";
import { seededRandom } from "../src/machinery/random/random.ts";
import { trimtabFile } from "../test/real-cluster/trimtab-program.ts";
import { type Measure, percentile } from "./measure.ts";

/** Measures a whole cluster: its start, its memory, and the speed of virtual time. */
export async function cluster(): Promise<readonly Measure[]> {
  const startedMs = await startInProcess();
  return [
    {
      what: "start to ready (trimtab up, 12 nodes, a new process)",
      value: await startToReady(),
      unit: "ms",
      bar: 350,
      goal: 200,
    },
    {
      what: "startCluster, for the first time in a process",
      value: startedMs,
      unit: "ms",
      bar: 100,
      goal: 50,
    },
    ...(await fullHouse()),
    { what: "24 simulated hours at rest, 12 nodes, 100 Pods", value: await restfulDay(), unit: "ms" },
  ];
}

/** As tests of other programs start one. */
async function startInProcess(): Promise<number> {
  const start = performance.now();
  const { stop } = await startEmbeddedCluster({ nodes: 3 });
  const took = performance.now() - start;
  await stop();
  return took;
}

async function startToReady(): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 5; round++) times.push(await startOnce());
  return percentile(times, 0.5);
}

function startOnce(): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-bench-"));
  const start = performance.now();
  const child = spawn(process.execPath, [
    trimtabFile(),
    "up",
    "--port",
    "0",
    "--kubeconfig",
    path.join(folder, "kubeconfig"),
  ]);
  return new Promise((resolve) => {
    let ready = Number.NaN;
    child.stdout.once("data", () => {
      ready = performance.now() - start;
      child.kill("SIGINT");
    });
    child.once("exit", () => {
      rmSync(folder, { recursive: true, force: true });
      resolve(ready);
    });
  });
}

/** 500 nodes and 3,000 Pods that all become ready, in virtual time: work without waiting. */
async function fullHouse(): Promise<readonly Measure[]> {
  const before = process.memoryUsage().rss;
  const clock = new VirtualClock();
  const start = performance.now();
  const { client, stop } = await startCluster({ clock, random: seededRandom("bench"), nodes: 500 });
  await clock.advance(1000);
  for (let index = 0; index < 3000; index++) {
    const metadata = { name: `web-${index}`, namespace: "default", labels: { app: "web" } };
    await client.create(pods, { metadata, spec: { containers: [{ name: "web", image: "nginx" }] } });
  }
  await clock.advance(5000);
  const took = performance.now() - start;
  const { items } = await client.list(pods, {});
  if (!items.every(isReady)) throw new Error("not every Pod became ready");
  const rss = process.memoryUsage().rss;
  await stop();
  return [
    {
      what: "3,000 Pods on 500 nodes from create to ready, in process",
      value: took,
      unit: "ms",
    },
    { what: "memory of the process then", value: rss / 2 ** 20, unit: "MB", bar: 300, goal: 150 },
    { what: "of which the cluster", value: (rss - before) / 2 ** 20, unit: "MB" },
  ];
}

async function restfulDay(): Promise<number> {
  const clock = new VirtualClock();
  const { client, stop } = await startCluster({ clock, random: seededRandom("bench") });
  await clock.advance(1000);
  for (let index = 0; index < 100; index++) {
    const metadata = { name: `web-${index}`, namespace: "default" };
    await client.create(pods, { metadata, spec: { containers: [{ name: "web", image: "nginx" }] } });
  }
  await clock.advance(60_000);
  const start = performance.now();
  await clock.advance(24 * 3_600_000);
  const took = performance.now() - start;
  await stop();
  return took;
}
