import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { pods } from "../src/api/resources.ts";
import { openDataDirectory } from "../src/cluster/data-directory/open-data-directory.ts";
import { startCluster } from "../src/cluster/start-cluster.ts";
import type { Store } from "../src/cluster/store/store.ts";
import { WallClock } from "../src/machinery/clock/wall-clock.ts";
import { seededRandom } from "../src/machinery/random/random.ts";
import { live, newServer, podOf } from "./apiserver.ts";
import type { Measure } from "./measure.ts";

/** What durability costs: writes that are acknowledged when they are on disk, and a restart. */
export async function durable(): Promise<readonly Measure[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "trimtab-bench-"));
  try {
    return [
      ...(await inProcess(path.join(folder, "lives"))),
      ...(await restart(path.join(folder, "restart"))),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The store of a data directory. */
export async function openStore(folder: string): Promise<Store> {
  const { store } = await openDataDirectory(folder, {
    clock: new WallClock(),
    random: seededRandom("bench"),
  });
  return store;
}

/** How many Pods live at a time: controllers have many writes under way, which share a flush. */
const parallel = 256;

async function inProcess(folder: string): Promise<readonly Measure[]> {
  const store = await openStore(folder);
  const { client } = await newServer(store);
  const lives = async (count: number, prefix: string) => {
    const start = performance.now();
    let next = 0;
    const worker = async () => {
      while (next < count) await live(client, `${prefix}-${next++}`);
    };
    await Promise.all(Array.from({ length: parallel }, worker));
    return (count * 5 * 1000) / (performance.now() - start);
  };
  await lives(2000, "warm");
  const value = await lives(8000, "timed");
  await store.close();
  return [
    {
      what: `in-process writes, durable (lives of Pods, ${parallel} at a time)`,
      value,
      unit: "per s",
      bar: 12_000,
      goal: 20_000,
    },
  ];
}

const objects = 50_000;

async function restart(folder: string): Promise<readonly Measure[]> {
  const before = await openStore(folder);
  const server = await newServer(before);
  for (let index = 0; index < objects; index += 500)
    await Promise.all(
      Array.from({ length: 500 }, (_, each) => server.client.create(pods, podOf(`p-${index + each}`))),
    );
  await server.close();
  await before.close();

  const lag = monitorEventLoopDelay({ resolution: 1 });
  lag.enable();
  const start = performance.now();
  const store = await openStore(folder);
  const readMs = performance.now() - start;
  // Without the controllers that would begin to work on 50,000 Pods.
  const cluster = await startCluster({
    clock: new WallClock(),
    random: seededRandom("bench"),
    store,
    without: ["scheduler", "kubelet", "garbage-collector"],
  });
  const access = await cluster.server.listen({ port: 0 });
  const readyMs = performance.now() - start;
  lag.disable();
  await access.close();
  await cluster.stop();
  return [
    { what: `restart with ${objects} Pods, until they are read`, value: readMs, unit: "ms" },
    { what: `restart with ${objects} Pods, until ready`, value: readyMs, unit: "ms" },
    { what: `restart with ${objects} Pods, longest stall of the loop`, value: lag.max / 1e6, unit: "ms" },
  ];
}
