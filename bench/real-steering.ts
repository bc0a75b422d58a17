import type { ReplicaSet } from "../src/api/generated/apps-v1.ts";
import type { Pod } from "../src/api/generated/core-v1.ts";
import { pods, replicaSets } from "../src/api/resources.ts";
import { markPatch } from "../src/decisions/stock/mark-patch.ts";
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
import { onLoadedMachine } from "./load.ts";
import { type Measure, percentile, processorMs } from "./measure.ts";

const [size, left] = [1000, 900];
const labels = { app: "big" };
const steered = { "trimtab.dev/removal-order": "trimtab" };

/**
 * How long updates of ReplicaSets take on a real API server while `trimtab steer` holds them, and by themselves: at rest,
 * and on a loaded machine (`onLoadedMachine`). The control plane, steer and the busy programs share its cores.
 */
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
  const atRest = await rounds(cluster, "big", 25);
  const [own, apiServer, etcd] = programs.map(
    (program, index) => (processorMs(program) - (started[index] ?? 0)) / atRest.length,
  );
  const requests = requestsBetween(before, await requestCounts(cluster));
  const loaded = await onLoadedMachine(() => rounds(cluster, "big", 25));
  await change(cluster, "big", { metadata: { annotations: { "trimtab.dev/removal-order": null } } });
  const alone = await rounds(cluster, "big", 20);
  // What is left is the part of the API server.
  await steer.stop();
  const hundred = (await cluster.client.list(pods, { namespace: "bench", limit: size - left })).items;
  await marks(cluster, hundred, 3);
  const marksAtRest = await marks(cluster, hundred, 15);
  const marksLoaded = await onLoadedMachine(() => marks(cluster, hundred, 15));
  const each = (sort: string) => (requests.get(sort) ?? 0) / atRest.length;
  const shrinking = "an update that shrinks a ReplicaSet of 1,000 Pods by 100, steered";
  const bare = "the same 100 patches of Pods by themselves";
  return [
    {
      what: `p99 of ${shrinking}, beside a busy program per core`,
      value: percentile(loaded, 0.99),
      unit: "ms",
      bar: 300,
    },
    { what: "median of the same", value: percentile(loaded, 0.5), unit: "ms" },
    { what: `p99 of ${bare}, beside the same`, value: percentile(marksLoaded, 0.99), unit: "ms" },
    { what: "median of the same", value: percentile(marksLoaded, 0.5), unit: "ms" },
    { what: `p99 of ${shrinking}, at rest`, value: percentile(atRest, 0.99), unit: "ms", bar: 300 },
    { what: "median of the same", value: percentile(atRest, 0.5), unit: "ms" },
    { what: `p99 of ${bare}, at rest`, value: percentile(marksAtRest, 0.99), unit: "ms" },
    { what: "median of the same", value: percentile(marksAtRest, 0.5), unit: "ms" },
    { what: "median of the update, not steered, at rest", value: percentile(alone, 0.5), unit: "ms" },
    // Unlike the others, these hardly depend on what else the machine does.
    { what: "processor time of steer for it", value: own ?? Number.NaN, unit: "ms" },
    { what: "processor time of kube-apiserver for it", value: apiServer ?? Number.NaN, unit: "ms" },
    { what: "processor time of etcd for it", value: etcd ?? Number.NaN, unit: "ms" },
    { what: "patches of Pods for it", value: each("PATCH pods"), unit: "writes" },
    { what: "lists of Pods for it", value: each("LIST pods"), unit: "writes" },
    { what: "reads of the ReplicaSet for it", value: each("GET replicasets"), unit: "writes" },
  ];
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

let marked = 0;

/** Marks Pods as steer would, and nothing else, so often; returns the milliseconds of each time. */
async function marks(
  { client }: RealCluster,
  hundred: readonly Pod[],
  count: number,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < count; round++) {
    const by = { decision: "abcdef", generation: ++marked, cost: -1 };
    const waiting = [...hundred];
    const work = async () => {
      for (let pod = waiting.pop(); pod !== undefined; pod = waiting.pop())
        await client.patch(pods, pod.metadata, { type: "merge", body: markPatch(pod, by) ?? {} });
    };
    const start = performance.now();
    // As many at a time as steer sends.
    await Promise.all(Array.from({ length: 50 }, work));
    times.push(performance.now() - start);
  }
  return times;
}
