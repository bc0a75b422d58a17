import { deployments } from "../src/api/resources.ts";
import { startSimulatedCluster } from "../src/simulation/simulated-cluster.ts";
import { anonymise } from "../src/simulation/snapshot/anonymise.ts";
import { objectsIn } from "../src/simulation/snapshot/load-snapshot.ts";
import { readSnapshot } from "../src/simulation/snapshot/read-snapshot.ts";
import { type Snapshot, takeSnapshot, writeSnapshot } from "../src/simulation/snapshot/snapshot.ts";
import type { ActionDocument } from "../src/simulation/scenario-files/scenario-document.ts";
import { runWhatIf } from "../src/simulation/what-if/run-what-if.ts";
import { seededRandom } from "../src/machinery/random/random.ts";
import type { Measure } from "./measure.ts";

const size = 1000;
const web = { namespace: "default", name: "web" };

/** Snapshots and what-ifs of a cluster of 100 nodes and 1,000 Pods. */
export async function whatif(): Promise<readonly Measure[]> {
  const snapshot = await largeSnapshot();
  const json = writeSnapshot(snapshot, "json");
  const yaml = writeSnapshot(snapshot, "yaml");
  const read = (text: string) => () => readSnapshot(text, "cluster");
  const ask = (change: ActionDocument) => () => runWhatIf({ snapshot, changes: [change], seed: 1 });
  return [
    {
      what: "take a snapshot, 1,000 Pods on 100 nodes",
      value: await took(() => takeSnapshot(snapshot.objects, { now: snapshot.takenAt })),
      unit: "ms",
    },
    { what: "anonymise it", value: await took(() => anonymise(snapshot, seededRandom(1))), unit: "ms" },
    { what: "write it as YAML", value: await took(() => writeSnapshot(snapshot, "yaml")), unit: "ms" },
    { what: "read it from YAML", value: await took(read(yaml)), unit: "ms" },
    { what: "read it from JSON", value: await took(read(json)), unit: "ms" },
    {
      what: "what if it is scaled from 1,000 to 900 Pods",
      value: await took(ask({ scale: { workload: "deployment/web", replicas: size - 100 } })),
      unit: "ms",
    },
    {
      what: "what if one of three zones fails",
      value: await took(ask({ down: { zone: "zone-a" } })),
      unit: "ms",
    },
  ];
}

async function took(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function largeSnapshot(): Promise<Snapshot> {
  const cluster = await startSimulatedCluster({ seed: "bench", nodes: 100, recording: "none" });
  const labels = { app: "web" };
  const { namespace, name } = web;
  await cluster.client.create(deployments, {
    metadata: { namespace, name },
    spec: {
      replicas: size,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name, image: "nginx" }] } },
    },
  });
  await cluster.advance(120_000);
  const snapshot = takeSnapshot(objectsIn(cluster.store), { now: cluster.clock.now() });
  if (snapshot.objects.pods.length !== size) throw new Error(`${snapshot.objects.pods.length} Pods`);
  await cluster.stop();
  return snapshot;
}
