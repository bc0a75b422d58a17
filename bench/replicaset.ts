import { defaultFeatureGates } from "../src/api/feature-gates.ts";
import { namespaces, nodes, pods, replicaSets, serviceAccounts, services } from "../src/api/resources.ts";
import { createApiServer } from "../src/cluster/apiserver/create-api-server.ts";
import { MemoryStore } from "../src/cluster/store/memory-store.ts";
import { removalEncoder } from "../src/decisions/explain/removal-record.ts";
import { DecisionLog } from "../src/machinery/diagnostics/decision-log.ts";
import { replicaSetController } from "../src/controllers/replicaset/controller.ts";
import { VirtualClock } from "../src/machinery/clock/virtual-clock.ts";
import { runController } from "../src/machinery/controller.ts";
import { Informer } from "../src/machinery/informer/informer.ts";
import { silentLogger } from "../src/machinery/log/logger.ts";
import { silentMetrics } from "../src/machinery/metrics/metrics.ts";
import { seededRandom } from "../src/machinery/random/random.ts";
import { type Measure, percentile } from "./measure.ts";

/** The ReplicaSet controller against an API server in the same process, and nothing else. */
export async function replicaset(): Promise<readonly Measure[]> {
  const large = await startWorkload();
  await large.scaleTo(5000);
  for (let round = 0; round < 20; round++) await large.sync(); // a warm-up
  const sync = await medianOf(51, () => large.sync());
  const shrink = await timeOf(() => large.scaleTo(10));
  await large.stop();

  const small = await startWorkload();
  const grow = await timeOf(() => small.scaleTo(3000));
  await small.stop();
  return [
    {
      what: "one sync of a ReplicaSet with 5,000 Pods, nothing to do",
      value: sync,
      unit: "ms",
      bar: 5,
      goal: 0.5,
    },
    { what: "creating 3,000 Pods of a ReplicaSet", value: grow, unit: "ms" },
    { what: "scaling a ReplicaSet from 5,000 Pods to 10", value: shrink, unit: "ms" },
  ];
}

const at = { namespace: "default", name: "web" };
const labels = { app: "web" };

/** One ReplicaSet without Pods, its controller, and time that passes only when nothing else can. */
async function startWorkload() {
  const clock = new VirtualClock();
  const random = seededRandom("bench");
  const store = new MemoryStore({ clock });
  const gates = () => defaultFeatureGates;
  const { client } = createApiServer({ clock, random, store, gates, log: silentLogger });
  await client.create(namespaces, { metadata: { name: "default" }, spec: {} });
  await client.create(serviceAccounts, { metadata: { namespace: "default", name: "default" } });
  await client.create(replicaSets, {
    metadata: at,
    spec: {
      replicas: 0,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "app", image: "registry.example/app:1" }] },
      },
    },
  });
  const options = { client, clock, random, log: silentLogger };
  const owners = new Informer({ ...options, resource: replicaSets });
  const podInformer = new Informer({ ...options, resource: pods });
  const nodeInformer = new Informer({ ...options, resource: nodes });
  const serviceInformer = new Informer({ ...options, resource: services });
  const spec = replicaSetController({
    ...options,
    owners,
    pods: podInformer,
    nodes: nodeInformer,
    services: serviceInformer,
    events: { record: () => undefined },
    records: new DecisionLog(removalEncoder),
    gates,
    metrics: silentMetrics,
  });
  const ending = new AbortController();
  const { signal } = ending;
  const runs = [
    ...[owners, podInformer, nodeInformer, serviceInformer].map((informer) => informer.run(signal)),
    runController(spec, options, signal),
  ];
  await clock.settle();
  return {
    async scaleTo(replicas: number) {
      await client.patch(replicaSets, at, { type: "merge", body: { spec: { replicas } } });
      const isThere = () =>
        podInformer.list().length === replicas && owners.get("default/web")?.status?.replicas === replicas;
      await clock.runWhile(() => !isThere(), clock.now() + 600_000);
      if (!isThere()) throw new Error(`${podInformer.list().length} Pods instead of ${replicas}`);
    },
    sync: () => spec.reconcile("default/web", signal),
    async stop() {
      ending.abort();
      await Promise.all(runs);
    },
  };
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

async function medianOf(rounds: number, run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await timeOf(run));
  return percentile(times, 0.5);
}
