import { existsSync, readFileSync } from "node:fs";
import type { ReplicaSet } from "../src/api/generated/apps-v1.ts";
import { replicaSets } from "../src/api/resources.ts";
import { template } from "../test/deployment/builders.ts";
import { makeNamespace } from "../test/embedded-cluster.ts";
import { eventually } from "../test/real-cluster/eventually.ts";
import {
  missingControlPlane,
  type RealCluster,
  startRealCluster,
} from "../test/real-cluster/real-cluster.ts";
import { requestCounts, requestsBetween } from "../test/real-cluster/request-counts.ts";
import { prepareSteer, startSteer } from "../test/real-cluster/steer-program.ts";
import { type Measure, percentile } from "./measure.ts";

const [size, left] = [1000, 900];
const labels = { app: "big" };
const steered = { "trimtab.dev/removal-order": "trimtab" };

/** How long updates of ReplicaSets take on a real API server while `trimtab steer` holds them, and by themselves. */
export async function realSteering(): Promise<readonly Measure[]> {
  const problem = missingControlPlane();
  if (problem !== undefined) {
    console.error(`real-steering: ${problem}`);
    return [];
  }
  const cluster = await startRealCluster({
    controllers: "all",
    nodes: 10,
    controllerManagerFlags: ["--kube-api-qps=1000", "--kube-api-burst=1000"],
  });
  try {
    return await measured(cluster);
  } finally {
    await cluster.stop();
  }
}

async function measured(cluster: RealCluster): Promise<readonly Measure[]> {
  const steer = await startSteer(await prepareSteer(cluster));
  await makeNamespace(cluster.client, "bench");
  await create(cluster, "big", steered);
  // Its Pods are to stay: every round is of 1,000.
  await cluster.runControllers("none");
  await rounds(cluster, "big", 5);
  const before = await requestCounts(cluster);
  const kubeApiServer = cluster.apiServer();
  if (kubeApiServer === undefined) throw new Error("kube-apiserver does not run");
  const programs = [steer, kubeApiServer, cluster.etcd];
  const started = programs.map(processorMs);
  const times = await rounds(cluster, "big", 20);
  const [own, apiServer, etcd] = programs.map(
    (program, index) => (processorMs(program) - (started[index] ?? 0)) / times.length,
  );
  const requests = requestsBetween(before, await requestCounts(cluster));
  await change(cluster, "big", { metadata: { annotations: { "trimtab.dev/removal-order": null } } });
  const alone = await rounds(cluster, "big", 20);
  const each = (sort: string) => (requests.get(sort) ?? 0) / times.length;
  return [
    {
      what: "p99 of an update that shrinks a ReplicaSet of 1,000 Pods by 100, steered",
      value: percentile(times, 0.99),
      unit: "ms",
      bar: 300,
    },
    { what: "median of the same", value: percentile(times, 0.5), unit: "ms" },
    { what: "median of the same, not steered", value: percentile(alone, 0.5), unit: "ms" },
    // Unlike the others, these do not depend on what else the machine does.
    { what: "processor time of steer for it", value: own ?? Number.NaN, unit: "ms" },
    { what: "processor time of kube-apiserver for it", value: apiServer ?? Number.NaN, unit: "ms" },
    { what: "processor time of etcd for it", value: etcd ?? Number.NaN, unit: "ms" },
    { what: "patches of Pods for it", value: each("PATCH pods"), unit: "writes" },
    { what: "lists of Pods for it", value: each("LIST pods"), unit: "writes" },
    { what: "reads of the ReplicaSet for it", value: each("GET replicasets"), unit: "writes" },
  ];
}

const tickMs = 10;

/** How long a program has run on a processor, as Linux counts it; elsewhere not known. */
function processorMs({ pid }: { readonly pid: number }): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  const [, ...fields] = readFileSync(file, "utf8").split(") ");
  const [user, system] = fields.join(") ").split(" ").slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) * tickMs;
}

const at = (name: string) => ({ namespace: "bench", name });

function change({ client }: RealCluster, name: string, body: object): Promise<ReplicaSet> {
  return client.patch(replicaSets, at(name), { type: "merge", body: body as never });
}

async function create(
  { client }: RealCluster,
  name: string,
  annotations: Readonly<Record<string, string>>,
): Promise<void> {
  const spec = {
    replicas: size,
    selector: { matchLabels: labels },
    template: template({ startsIn: "0s" }, labels),
  };
  await client.create(replicaSets, { metadata: { ...at(name), annotations }, spec });
  await eventually("all Pods are ready", async () => {
    const { status } = await client.get(replicaSets, at(name));
    return status?.readyReplicas === size ? true : undefined;
  });
}

/** Shrinks a ReplicaSet and gives it its size back, so often; returns the milliseconds of the shrinking. */
async function rounds(cluster: RealCluster, name: string, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < count; round++) {
    const start = performance.now();
    await change(cluster, name, { spec: { replicas: left } });
    times.push(performance.now() - start);
    await change(cluster, name, { spec: { replicas: size } });
  }
  return times;
}
