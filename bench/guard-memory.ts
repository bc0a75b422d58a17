import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { GCProfiler, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { deployments, pods } from "../src/api/resources.ts";
import { startSimulatedCluster } from "../src/simulation/simulated-cluster.ts";
import { podTemplate } from "../src/testing/deployment.ts";
import type { Counts } from "./guard-counts.ts";

const size = 1000;
const labels = { app: "web" };
const minutesMs = 5 * 60_000;
/** One thread, nothing that is compiled in the background, and no compiler that leaves allocations out. */
const predictable = ["--predictable", "--no-opt", "--hash-seed=1", "--random-seed=1"];

const self = fileURLToPath(import.meta.url);

/**
 * What a Pod costs in memory while a Deployment is created in virtual time: the bytes that are allocated for it, and those
 * that stay. In a process of its own, interpreted only, where they differ by less than a thousandth between runs; other
 * versions of Node lay objects out otherwise.
 */
export function memoryCounts(): Counts {
  const { stdout, stderr, status } = spawnSync(process.execPath, [...predictable, self], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the memory of a Pod could not be counted: ${stderr}`);
  return JSON.parse(stdout) as Counts;
}

/** Every collection of garbage says how much there was before it and after it; what grew between two was allocated. */
async function countMemory(): Promise<Counts> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const cluster = await startSimulatedCluster({ seed: "guard", nodes: 100, recording: "none" });
  await cluster.advance(minutesMs);
  collect();
  const profiler = new GCProfiler();
  profiler.start();
  collect();
  await cluster.client.create(deployments, {
    metadata: { namespace: "default", name: "web" },
    spec: { replicas: size, selector: { matchLabels: labels }, template: podTemplate() },
  });
  await cluster.advance(minutesMs);
  const { items } = await cluster.client.list(pods, {});
  if (items.length !== size) throw new Error(`there are ${items.length} Pods, not ${size}`);
  collect();
  const collections = profiler.stop().statistics;
  await cluster.stop();
  const used = collections.map(({ beforeGC, afterGC }) => ({
    before: beforeGC.heapStatistics.usedHeapSize,
    after: afterGC.heapStatistics.usedHeapSize,
  }));
  const allocated = used.slice(1).map(({ before }, index) => before - (used[index]?.after ?? 0));
  const [first, last] = [used[0]?.after ?? 0, used.at(-1)?.after ?? 0];
  return {
    "kB allocated for a Pod": kilobytes(allocated.reduce((sum, bytes) => sum + bytes, 0) / size),
    "kB that stay of a Pod": kilobytes((last - first) / size),
  };
}

/** With one digit: what a hundredth of a kilobyte says is chance. */
const kilobytes = (bytes: number): number => Math.round(bytes / 100) / 10;

if (process.argv[1] === self) console.log(JSON.stringify(await countMemory()));
