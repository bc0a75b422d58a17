import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { DownscalePodPicker } from "../src/api/generated/apps-v1.ts";
import type { Pod } from "../src/api/generated/core-v1.ts";
import { replicaSets } from "../src/api/resources.ts";
import { isReady } from "../src/api/pod-state.ts";
import { localPickers } from "../src/cluster/network-pickers.ts";
import { startCluster } from "../src/cluster/start-cluster.ts";
import { MemoryStore } from "../src/cluster/store/memory-store.ts";
import type { StoreEvent } from "../src/cluster/store/store.ts";
import { WallClock } from "../src/machinery/clock/wall-clock.ts";
import { seededRandom } from "../src/machinery/random/random.ts";
import { emptyAllowList } from "../src/picker/addresses/address-policy.ts";
import { type Measure, percentile } from "./measure.ts";

/** Pod pickers on this machine, asked by a whole cluster in this process, in real time. */
export async function picker(): Promise<readonly Measure[]> {
  const cluster = await startBenchCluster();
  const pickers = await startPickers();
  try {
    const ask = (path: string, timeoutSeconds = 1): DownscalePodPicker => ({
      http: { host: "127.0.0.1", port: pickers.port, path },
      timeoutSeconds,
    });
    const dead: DownscalePodPicker = { http: { host: "127.0.0.1", port: 1 } };
    const first = "from scale to the first delete, 10 of 100 Pods";
    const measures: Measure[] = [];
    for (const [name, setting] of [
      ["without a picker", undefined],
      ["with a fast picker", ask("/fast")],
      ["with a picker that is not there", dead],
      ["with a picker that hangs, 1 s allowed", ask("/hang")],
    ] as const) {
      measures.push({
        what: `${first}, ${name}`,
        value: await cluster.firstDelete(name, setting),
        unit: "ms",
      });
    }
    const writes = await cluster.writesOf("counted", ask("/fast"));
    measures.push({
      what: "API writes to scale down by 10 of 100 Pods, with a picker",
      value: writes,
      unit: "writes",
    });
    const alone = await cluster.othersP99("alone");
    const beside = await cluster.othersP99("beside", ask("/hang", 30));
    const p99 = "p99 from scale to delete of 200 ReplicaSets scaled at once";
    measures.push({ what: p99, value: alone, unit: "ms" });
    measures.push({ what: `${p99}, while 100 pickers hang`, value: beside, unit: "ms" });
    return measures;
  } finally {
    await cluster.stop();
    await pickers.close();
  }
}

/** Answers at `/fast`; says nothing anywhere else. */
async function startPickers() {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.url !== "/fast") return;
      const asked = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, number & string[]>;
      const chosen = asked["candidate_pods"]?.slice(0, asked["number_of_pods_requested"]);
      response.end(JSON.stringify({ chosen_pods: chosen }));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { port: (server.address() as AddressInfo).port, close };
}

/** What the store has seen of the Pods of each workload. */
class Sightings {
  readonly ready = new Map<string, number>();
  readonly deletedAt = new Map<string, number>();
  writes = 0;

  readonly see = (collection: string, { record, previous }: StoreEvent): void => {
    this.writes++;
    if (collection !== "pods") return;
    const pod = record.object as unknown as Pod;
    const app = pod.metadata.labels?.["app"] ?? "";
    if (isReady(pod) && !wasReady(previous)) this.ready.set(app, (this.ready.get(app) ?? 0) + 1);
    if (pod.metadata.deletionTimestamp !== undefined && !this.deletedAt.has(app))
      this.deletedAt.set(app, performance.now());
  };
}

function wasReady(previous: StoreEvent["previous"]): boolean {
  return previous !== undefined && isReady(previous.object as unknown as Pod);
}

async function startBenchCluster() {
  const clock = new WallClock();
  const seen = new Sightings();
  const store = new MemoryStore({ clock, onCommit: seen.see });
  const pickerReach = localPickers({ allowed: emptyAllowList });
  const cluster = await startCluster({
    clock,
    random: seededRandom("bench"),
    store,
    nodes: 20,
    pickerConnector: pickerReach,
  });
  const { client } = cluster;

  const until = async (holds: () => boolean) => {
    while (!holds()) await clock.sleep(1);
  };
  const run = async (name: string, replicas: number, setting?: DownscalePodPicker) => {
    const labels = { app: name };
    await client.create(replicaSets, {
      metadata: { namespace: "default", name },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: "app", image: "registry.example/app:1" }] },
        },
        ...(setting !== undefined && { downscalePodPicker: setting }),
      },
    });
  };
  const scale = (name: string, replicas: number) =>
    client.patch(
      replicaSets,
      { namespace: "default", name },
      { type: "merge", body: { spec: { replicas } } },
    );
  const isReadyAt = (name: string, count: number) => (seen.ready.get(name) ?? 0) >= count;

  return {
    async firstDelete(title: string, setting?: DownscalePodPicker) {
      const name = title.replaceAll(/[^a-z0-9]+/g, "-");
      await run(name, 100, setting);
      await until(() => isReadyAt(name, 100));
      const start = performance.now();
      await scale(name, 90);
      await until(() => seen.deletedAt.has(name));
      return (seen.deletedAt.get(name) ?? Number.NaN) - start;
    },

    /** All that is committed from the scale on until nothing happens any more, but for what kubelets write. */
    async writesOf(name: string, setting: DownscalePodPicker) {
      await run(name, 100, setting);
      await until(() => isReadyAt(name, 100));
      await clock.sleep(500);
      const before = seen.writes;
      await scale(name, 90);
      await until(() => seen.deletedAt.has(name));
      await clock.sleep(200);
      return seen.writes - before;
    },

    async othersP99(prefix: string, hanging?: DownscalePodPicker) {
      const plain = Array.from({ length: 200 }, (_, index) => `${prefix}-${index}`);
      const slow =
        hanging === undefined ? [] : Array.from({ length: 100 }, (_, index) => `${prefix}-slow-${index}`);
      for (const name of plain) await run(name, 2);
      for (const name of slow) await run(name, 2, hanging);
      await until(() => [...plain, ...slow].every((name) => isReadyAt(name, 2)));
      for (const name of slow) await scale(name, 1);
      const starts = new Map<string, number>();
      await Promise.all(
        plain.map((name) => {
          starts.set(name, performance.now());
          return scale(name, 1);
        }),
      );
      await until(() => plain.every((name) => seen.deletedAt.has(name)));
      const times = plain.map((name) => (seen.deletedAt.get(name) ?? 0) - (starts.get(name) ?? 0));
      return percentile(times, 0.99);
    },

    stop: () => cluster.stop(),
  };
}
