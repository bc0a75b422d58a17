import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { CustomResourceDefinition } from "../src/api/generated/apiextensions-v1.ts";
import type { JsonObject } from "../src/api/json.ts";
import type { Draft } from "../src/api/object.ts";
import { customResourceDefinitions } from "../src/api/resources.ts";
import { createManifest } from "../src/cluster/embedding/create-manifests.ts";
import { startCluster } from "../src/cluster/start-cluster.ts";
import type { Store } from "../src/cluster/store/store.ts";
import { WallClock } from "../src/machinery/clock/wall-clock.ts";
import { seededRandom } from "../src/machinery/random/random.ts";
import { newServer } from "./apiserver.ts";
import { openStore } from "./durable.ts";
import { definitionOf } from "./kind-definition.ts";
import type { Measure } from "./measure.ts";

const text: JsonObject = { type: "string", maxLength: 63 };
const integer: JsonObject = { type: "integer", minimum: 0 };

const many = 100;
const bytesEach = 100_000;

/** Schemas of different fields, as long as those of large operators. */
function largeDefinition(index: number): Draft<CustomResourceDefinition> {
  const fields: Record<string, JsonObject> = {};
  const one = {
    type: "object",
    description: "What it is for, and what happens without it.",
    properties: { value: text, count: integer },
  };
  const length = JSON.stringify(one).length + 20;
  for (let field = 0; field * length < bytesEach; field++) fields[`field${index}x${field}`] = one;
  return definitionOf(`Large${index}`, { type: "object", properties: fields });
}

/** What a hundred large definitions cost a cluster that starts with them. */
export async function manyKinds(): Promise<readonly Measure[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "trimtab-bench-"));
  try {
    await started(path.join(folder, "warm"));
    const empty = await started(path.join(folder, "empty"));
    await writeMany(await openStore(path.join(folder, "kinds")));
    const { startMs, processorMs, keptMb } = await started(path.join(folder, "kinds"));
    return [
      { what: `start from disk with ${many} definitions of 100 kB`, value: startMs, unit: "ms", bar: 1000 },
      { what: "processor time of that", value: processorMs, unit: "ms" },
      { what: "processor time of a start without", value: empty.processorMs, unit: "ms" },
      { what: "memory that they take", value: keptMb - empty.keptMb, unit: "MB", bar: 40 },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts a cluster over a folder and stops it: how long that takes, and what is kept in memory meanwhile. */
async function started(folder: string) {
  const [before, cpu] = [performance.now(), process.cpuUsage()];
  const store = await openStore(folder);
  const cluster = await startCluster({
    clock: new WallClock(),
    random: seededRandom("bench"),
    store,
    without: ["scheduler", "kubelet"],
  });
  const access = await cluster.server.listen({ port: 0 });
  const startMs = performance.now() - before;
  const { user, system } = process.cpuUsage(cpu);
  const keptMb = keptMegabytes();
  await access.close();
  await cluster.stop();
  await store.close();
  return { startMs, processorMs: (user + system) / 1000, keptMb };
}

async function writeMany(store: Store): Promise<void> {
  const server = await newServer(store);
  for (let index = 0; index < many; index++)
    await createManifest({ client: server.client, store }, customResourceDefinitions, largeDefinition(index));
  await server.close();
  await store.close();
}

/** What is kept after a collection of garbage, on the heap and beside it. */
function keptMegabytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}
