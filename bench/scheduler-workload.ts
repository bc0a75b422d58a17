import { defaultFeatureGates, type FeatureGates } from "../src/api/feature-gates.ts";
import type { Node, Pod, PodSpec, Taint } from "../src/api/generated/core-v1.ts";
import type { Draft } from "../src/api/object.ts";
import { namespaces, nodes, pods, serviceAccounts, services } from "../src/api/resources.ts";
import { zoneLabel } from "../src/api/well-known.ts";
import { createApiServer } from "../src/cluster/apiserver/create-api-server.ts";
import { MemoryStore } from "../src/cluster/store/memory-store.ts";
import type { Client } from "../src/machinery/client/client.ts";
import { VirtualClock } from "../src/machinery/clock/virtual-clock.ts";
import { ClientEventRecorder } from "../src/machinery/events/event-recorder.ts";
import { InformerFactory } from "../src/machinery/informer/informer-factory.ts";
import { silentLogger } from "../src/machinery/log/logger.ts";
import { type Metrics, silentMetrics } from "../src/machinery/metrics/metrics.ts";
import { seededRandom } from "../src/machinery/random/random.ts";
import { defaultSchedulerConfig } from "../src/scheduler/configuration/scheduler-config.ts";
import { createScheduler } from "../src/scheduler/create-scheduler.ts";

/** A workload of upstream's scheduler_perf: nodes, Pods that are there already, and Pods whose scheduling is measured. */
export interface Workload {
  readonly nodes: number;
  /** How many of the nodes are tainted. */
  readonly tainted?: number;
  readonly initPods: number;
  readonly pods: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: Partial<PodSpec>;
  /** A Service selects the Pods by their labels, so that default constraints apply. */
  readonly withService?: boolean;
  readonly gates?: FeatureGates;
  /** Whether placements are kept for `/debug/placements`. */
  readonly records?: boolean;
}

export interface WorkloadResult {
  readonly perSecond: number;
  /** The CPU time of the whole process, in µs: unlike the pods per second, it hardly depends on what else runs. */
  readonly cpuPerPod: number;
  /** Durations in ms of every attempt, by extension point. */
  readonly points: ReadonlyMap<string, readonly number[]>;
}

/** Virtual time for everything that waits, and real time for what is measured. */
class MeasuringClock extends VirtualClock {
  elapsed(): number {
    return performance.now();
  }
}

/** Schedules the Pods of a workload with an API server and a scheduler, without any other component. */
export async function runWorkload(workload: Workload): Promise<WorkloadResult> {
  const { gates = defaultFeatureGates, records = true } = workload;
  const clock = new MeasuringClock();
  const random = seededRandom("bench");
  const store = new MemoryStore({ clock });
  const { client } = createApiServer({ clock, random, store, gates: () => gates, log: silentLogger });
  await prepare(client, workload);

  const points = new Map<string, number[]>();
  const informers = new InformerFactory({ client, clock, random });
  const scheduler = createScheduler({
    client,
    clock,
    random,
    informers,
    config: defaultSchedulerConfig(gates),
    recorder: (component) => new ClientEventRecorder({ client, clock, random, component }),
    claims: "simulated",
    metrics: pointMetrics(points),
    ...(records ? {} : { records: "none" }),
  });
  const ending = new AbortController();
  const parts = [scheduler.run(ending.signal), informers.run(ending.signal)];
  await clock.settle();
  await createPods(client, clock, { workload, prefix: "init", count: workload.initPods });

  points.clear();
  const [start, cpuAtStart] = [performance.now(), process.cpuUsage()];
  await createPods(client, clock, { workload, prefix: "pod", count: workload.pods });
  const [took, cpu] = [performance.now() - start, process.cpuUsage(cpuAtStart)];
  await expectBound(client, workload.initPods + workload.pods);
  ending.abort(new Error("measured"));
  await Promise.allSettled(parts);
  return {
    perSecond: workload.pods / (took / 1000),
    cpuPerPod: (cpu.user + cpu.system) / workload.pods,
    points,
  };
}

async function prepare(client: Client, { nodes: count, tainted = 0, ...workload }: Workload): Promise<void> {
  await client.create(namespaces, { metadata: { name: "default" }, spec: {} });
  await client.create(serviceAccounts, { metadata: { name: "default", namespace: "default" } });
  if (workload.withService === true)
    await client.create(services, {
      metadata: { name: "service", namespace: "default" },
      spec: { selector: workload.labels ?? {}, ports: [{ port: 80 }] },
    });
  const taints: readonly Taint[] = [{ key: "foo", value: "bar", effect: "NoSchedule" }];
  for (let index = 0; index < count; index++)
    await client.create(nodes, benchNode(index, index < tainted ? taints : []));
}

interface PodBatch {
  readonly workload: Workload;
  readonly prefix: string;
  readonly count: number;
}

async function createPods(client: Client, clock: VirtualClock, batch: PodBatch): Promise<void> {
  const { labels = {}, spec } = batch.workload;
  for (let index = 0; index < batch.count; index++)
    await client.create(pods, benchPod(`${batch.prefix}-${index}`, labels, spec));
  await clock.advance(60_000);
}

/** The nodes of upstream's own benchmarks. */
function benchNode(index: number, taints: readonly Taint[]): Draft<Node> {
  const name = `node-${index}`;
  const allocatable = { cpu: "4", memory: "32Gi", pods: "110" };
  const labels = { "kubernetes.io/hostname": name, [zoneLabel]: `moon-${(index % 3) + 1}` };
  const conditions = [{ type: "Ready", status: "True" }];
  return {
    metadata: { name, labels },
    spec: { taints },
    status: { capacity: allocatable, allocatable, conditions },
  };
}

function benchPod(
  name: string,
  labels: Readonly<Record<string, string>>,
  spec: Partial<PodSpec> = {},
): Draft<Pod> {
  const requests = { cpu: "100m", memory: "500Mi" };
  return {
    metadata: { name, namespace: "default", labels },
    spec: {
      containers: [{ name: "pause", image: "registry.example/pause:3", resources: { requests } }],
      ...spec,
    },
  };
}

/** Metrics that keep the durations of extension points and nothing else. */
function pointMetrics(points: Map<string, number[]>): Metrics {
  return {
    ...silentMetrics,
    histogram: (spec) => ({
      observe(labels: Readonly<Record<string, string>>, seconds) {
        if (spec.name !== "scheduler_framework_extension_point_duration_seconds") return;
        const point = labels["extension_point"] ?? "";
        const durations = points.get(point);
        if (durations === undefined) points.set(point, [seconds * 1000]);
        else durations.push(seconds * 1000);
      },
    }),
  };
}

async function expectBound(client: Client, count: number): Promise<void> {
  const { items } = await client.list(pods, {});
  const bound = items.filter(({ spec }) => spec.nodeName !== undefined).length;
  if (bound !== count) throw new Error(`${bound} of ${count} Pods were bound`);
}
