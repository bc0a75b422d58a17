import type { Deployment, ReplicaSet } from "../src/api/generated/apps-v1.ts";
import { isBeingDeleted } from "../src/api/object.ts";
import { deployments, pods, replicaSets } from "../src/api/resources.ts";
import { deferredText, readDeferred } from "../src/decisions/stock/deferred-shrink.ts";
import { template } from "../test/deployment/builders.ts";
import { makeNamespace } from "../test/embedded-cluster.ts";
import { eventually } from "../test/real-cluster/eventually.ts";
import {
  missingControlPlane,
  type RealCluster,
  startRealCluster,
} from "../test/real-cluster/real-cluster.ts";
import { prepareSteer, startSteer } from "../test/real-cluster/steer-program.ts";
import type { TrimtabProgram } from "../test/real-cluster/trimtab-program.ts";
import { onLoadedMachine } from "./load.ts";
import { type Measure, percentile, processorMs } from "./measure.ts";
import { slowPickers } from "./real-steering-pickers.ts";
import { rolloutTimes } from "./real-steering-rollouts.ts";

const [size, left] = [1000, 900];
const order = { "trimtab.dev/removal-order": "trimtab" };
const policy = { "trimtab.dev/pod-replacement-policy": "TerminationComplete" };

/**
 * What `trimtab steer` costs on a real API server: how long it takes to answer a request that changes a size, and how long
 * until Pods are removed, with steer and without. The control plane, steer and, where said, busy programs share the cores.
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
    const steer = await startSteer(await prepareSteer(cluster));
    await makeNamespace(cluster.client, "bench");
    return [
      ...(await slowPickers(cluster)),
      ...(await rolloutTimes(cluster)),
      ...(await removals(cluster, steer)),
      ...(await answers(cluster)),
      ...(await growth(cluster)),
    ];
  } finally {
    await cluster.stop();
  }
}

const at = (name: string) => ({ namespace: "bench", name });
const labelsOf = (app: string) => ({ app });

async function msOf(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

function resize({ client }: RealCluster, name: string, replicas: number): Promise<ReplicaSet> {
  return client.patch(replicaSets, at(name), { type: "merge", body: { spec: { replicas } } });
}

/** Creates a Deployment of 1,000 Pods; resolves to its ReplicaSet when all are ready. */
async function create({ client }: RealCluster, name: string, annotations: object): Promise<ReplicaSet> {
  const spec = {
    replicas: size,
    selector: { matchLabels: labelsOf(name) },
    template: template({ startsIn: "0s", endsIn: "0s" }, labelsOf(name)),
    strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: "50%" } },
  };
  await client.create(deployments, { metadata: { ...at(name), annotations: { ...annotations } }, spec });
  return eventually("all Pods are ready", async () => {
    const { items } = await client.list(replicaSets, { namespace: "bench" });
    return items.find(
      ({ metadata, status }) => metadata.labels?.["app"] === name && status?.readyReplicas === size,
    );
  });
}

/** From the request that shrinks a Deployment by 100 of 1,000 Pods until the last of them is being deleted. */
async function removals(cluster: RealCluster, steer: TrimtabProgram): Promise<readonly Measure[]> {
  const { client } = cluster;
  const { metadata } = await create(cluster, "cut", order);
  const scale = (replicas: number): Promise<Deployment> =>
    client.patch(deployments, at("cut"), { type: "merge", body: { spec: { replicas } } });
  const activePods = async () =>
    (await client.list(pods, { namespace: "bench", labelSelector: "app=cut" })).items.filter(
      (pod) => !isBeingDeleted(pod),
    ).length;
  const rounds = async (count: number) => {
    const times: number[] = [];
    for (let round = 0; round < count; round++) {
      const ms = await msOf(async () => {
        await scale(left);
        await eventually("100 Pods are removed", async () =>
          (await activePods()) <= left ? true : undefined,
        );
      });
      times.push(ms);
      await scale(size);
      await eventually("all Pods are back, and no mark is left", async () => {
        const { status } = await client.get(replicaSets, metadata);
        return status?.readyReplicas === size && (await activePods()) === size ? true : undefined;
      });
    }
    return times;
  };
  await rounds(1);
  const before = processorMs(steer);
  const steered = await rounds(7);
  const own = (processorMs(steer) - before) / steered.length;
  const body = { metadata: { annotations: { "trimtab.dev/removal-order": null } } };
  await client.patch(deployments, at("cut"), { type: "merge", body });
  await eventually("its ReplicaSet is steered no more", async () =>
    (await client.get(replicaSets, metadata)).metadata.annotations?.["trimtab.dev/removal-order"] ===
    undefined
      ? true
      : undefined,
  );
  const stock = await rounds(7);
  await client.delete(deployments, at("cut"));
  const [median, without] = [percentile(steered, 0.5), percentile(stock, 0.5)];
  const what = "a Deployment shrinks by 100 of 1,000 Pods, until all of them are being deleted";
  return [
    { what: `median: ${what}, steered`, value: median, unit: "ms", bar: without + 1500 },
    { what: "the same, not steered", value: without, unit: "ms" },
    { what: "processor time of steer for it, growing again included", value: own, unit: "ms" },
  ];
}

/** How long the request takes that shrinks a ReplicaSet: it is deferred, and cancelled afterwards. */
async function answers(cluster: RealCluster): Promise<readonly Measure[]> {
  const { client } = cluster;
  const made = await create(cluster, "big", {});
  // Its own from here on, so that nobody else asks; its Pods stay.
  await client.delete(deployments, at("big"), { propagationPolicy: "Orphan" });
  const { name } = made.metadata;
  const annotate = (value: string | null) =>
    client.patch(replicaSets, at(name), {
      type: "merge",
      body: { metadata: { annotations: { "trimtab.dev/removal-order": value } } },
    });
  const isDeferred = (replicaSet: ReplicaSet) => readDeferred(deferredText(replicaSet)) !== undefined;
  await cluster.runControllers("none");
  const rounds = async (count: number, isSteered: boolean) => {
    const times: number[] = [];
    for (let round = 0; round < count; round++) {
      let shrunk: ReplicaSet | undefined;
      times.push(await msOf(async () => (shrunk = await resize(cluster, name, left))));
      if (shrunk !== undefined && isDeferred(shrunk) !== isSteered) throw new Error("not what was measured");
      await resize(cluster, name, size);
    }
    return times;
  };
  const alone = await rounds(200, false);
  await annotate("trimtab");
  await rounds(5, true);
  const atRest = await rounds(200, true);
  const loaded = await onLoadedMachine(() => rounds(200, true));
  await annotate(null);
  const aloneLoaded = await onLoadedMachine(() => rounds(200, false));
  await client.delete(replicaSets, at(name));
  const what = "the request that shrinks a ReplicaSet of 1,000 Pods by 100";
  return [
    {
      what: `p99: ${what}, beside a busy program per core`,
      value: percentile(loaded, 0.99),
      unit: "ms",
      bar: 20,
    },
    { what: "median of the same", value: percentile(loaded, 0.5), unit: "ms" },
    { what: "p99 of the same, not steered", value: percentile(aloneLoaded, 0.99), unit: "ms" },
    { what: `p99: ${what}, at rest`, value: percentile(atRest, 0.99), unit: "ms", bar: 20 },
    { what: "median of the same", value: percentile(atRest, 0.5), unit: "ms" },
    { what: "median of the same, not steered", value: percentile(alone, 0.5), unit: "ms" },
  ];
}

/** How long the request takes that lets a ReplicaSet of 1,000 Pods grow: all its Pods are listed for it. */
async function growth(cluster: RealCluster): Promise<readonly Measure[]> {
  await cluster.runControllers("all");
  const { metadata } = await create(cluster, "grow", policy);
  await cluster.runControllers("none");
  const body = { spec: { replicas: size + 100 } };
  await cluster.client.patch(deployments, at("grow"), { type: "merge", body });
  const rounds = async (count: number) => {
    const times: number[] = [];
    for (let round = 0; round < count; round++) {
      times.push(await msOf(() => resize(cluster, metadata.name, size + 50)));
      await resize(cluster, metadata.name, size);
    }
    return times;
  };
  await rounds(5);
  const atRest = await rounds(50);
  const loaded = await onLoadedMachine(() => rounds(50));
  const what = "the request that lets a ReplicaSet of 1,000 Pods grow under TerminationComplete";
  return [
    {
      what: `p99: ${what}, beside a busy program per core`,
      value: percentile(loaded, 0.99),
      unit: "ms",
      bar: 200,
    },
    { what: `p99: ${what}, at rest`, value: percentile(atRest, 0.99), unit: "ms", bar: 200 },
    { what: "median of the same", value: percentile(atRest, 0.5), unit: "ms" },
  ];
}
