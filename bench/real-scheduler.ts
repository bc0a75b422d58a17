import { nodes, pods } from "../src/api/resources.ts";
import { WallClock } from "../src/machinery/clock/wall-clock.ts";
import { template } from "../test/deployment/builders.ts";
import { makeNamespace } from "../test/embedded-cluster.ts";
import type { Program } from "../test/real-cluster/program.ts";
import {
  missingControlPlane,
  type RealCluster,
  startRealCluster,
} from "../test/real-cluster/real-cluster.ts";
import { startTrimtab } from "../test/real-cluster/trimtab-program.ts";
import { type Measure, processorMs } from "./measure.ts";
import { runLoad } from "./apiserver-load.ts";

const clock = new WallClock();
const nodeCount = 500;
const namespace = "bench";
const longestMs = 300_000;

/** What binding the Pods took, from the start of the scheduler; all but the first two are processor times. */
interface Outcome {
  readonly allBoundMs: number;
  /** Without the start of the program. */
  readonly firstToLastMs: number;
  readonly schedulerMs: number;
  readonly apiServerMs: number;
  readonly etcdMs: number;
}

/**
 * `trimtab scheduler` and kube-scheduler bind Pods that are there when they start, each on an etcd and a kube-apiserver of its
 * own: the scheduler sets the pace only where these leave it processor time, so theirs is shown. `TRIMTAB_BENCH_PODS` is how
 * many (3,000).
 */
export async function realScheduler(): Promise<readonly Measure[]> {
  const problem = missingControlPlane();
  if (problem !== undefined) {
    console.error(`real-scheduler: ${problem}`);
    return [];
  }
  const count = Number(process.env.TRIMTAB_BENCH_PODS ?? "3000");
  const theirs = await binding(count, async (cluster) => {
    await cluster.startScheduler();
    return cluster.scheduler();
  });
  const ours = await binding(count, async (cluster) => {
    const { folder, kubeconfig } = cluster;
    const flags = ["--no-lease", "--log-level", "error"];
    const trimtab = await startTrimtab({ command: "scheduler", kubeconfig, flags, folder });
    cluster.alsoStop(trimtab);
    return trimtab;
  });
  return measuresOf(`${count.toLocaleString("en")} Pods bound on ${nodeCount} nodes`, ours, theirs);
}

function measuresOf(what: string, ours: Outcome, theirs: Outcome): readonly Measure[] {
  const row = (name: string, of: (each: Outcome) => number, unit: Measure["unit"] = "ms"): Measure => ({
    what: name,
    value: of(ours),
    kubernetes: of(theirs),
    unit,
  });
  return [
    {
      ...row(`${what}, from the first to the last`, (each) => each.firstToLastMs),
      bar: theirs.firstToLastMs,
    },
    row("the same, from the start of the scheduler", (each) => each.allBoundMs),
    {
      ...row("the same: processor time of the scheduler", (each) => each.schedulerMs),
      bar: theirs.schedulerMs,
    },
    row("the same: processor time of kube-apiserver", (each) => each.apiServerMs),
    row("the same: processor time of etcd", (each) => each.etcdMs),
    row("the same: share of kube-apiserver and etcd in the three", shareOfServers, "%"),
  ];
}

function shareOfServers({ apiServerMs, etcdMs, schedulerMs }: Outcome): number {
  return (100 * (apiServerMs + etcdMs)) / (apiServerMs + etcdMs + schedulerMs);
}

/** On a cluster of its own for each, since one that has worked is slower. */
async function binding(
  count: number,
  startScheduler: (cluster: RealCluster) => Promise<Program | undefined>,
): Promise<Outcome> {
  const cluster = await startRealCluster({
    scheduler: "none",
    nodes: nodeCount,
    // Its defaults, 50 requests a second, would measure the limit.
    schedulerFlags: ["--kube-api-qps=5000", "--kube-api-burst=5000"],
  });
  try {
    await makeNamespace(cluster.client, namespace);
    await createPods(cluster, count);
    await nodesAreReady(cluster);
    const servers = [cluster.apiServer(), cluster.etcd];
    const before = servers.map(timeOf);
    const [start, bound] = [performance.now(), boundTimes(cluster, count)];
    const program = await startScheduler(cluster);
    const times = await bound;
    const [apiServerMs = 0, etcdMs = 0] = servers.map((each, index) => timeOf(each) - (before[index] ?? 0));
    return {
      allBoundMs: times.last - start,
      firstToLastMs: times.last - times.first,
      schedulerMs: timeOf(program),
      apiServerMs,
      etcdMs,
    };
  } finally {
    await cluster.stop();
  }
}

const timeOf = (program: Program | undefined): number =>
  program === undefined ? Number.NaN : processorMs(program);

/** Their containers do not start meanwhile: the kubelet's reports would take a share of the API server. */
async function createPods({ access }: RealCluster, count: number): Promise<void> {
  const { metadata, spec } = template({ startsIn: "1h" });
  const bodies = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ metadata: { ...metadata, namespace, name: `web-${index}` }, spec }),
  );
  await runLoad(access, {
    kind: "creates",
    path: `/api/v1/namespaces/${namespace}/pods`,
    warmUp: [],
    bodies,
  });
}

/** A new node has a taint until a controller has seen that it is ready. */
async function nodesAreReady({ client }: RealCluster): Promise<void> {
  const start = performance.now();
  for (;;) {
    const { items } = await client.list(nodes, {});
    if (items.length === nodeCount && items.every(({ spec }) => (spec.taints ?? []).length === 0)) return;
    if (performance.now() - start > longestMs) throw new Error("the nodes did not become ready");
    await clock.sleep(200);
  }
}

/** When the first and the last of the Pods was bound, as a watch tells it. */
async function boundTimes(
  { client }: RealCluster,
  count: number,
): Promise<{ readonly first: number; readonly last: number }> {
  const enough = new AbortController();
  const tooLong = clock.after(longestMs, () =>
    enough.abort(new Error(`${bound.size} of ${count} Pods were bound within ${longestMs / 1000} s`)),
  );
  const bound = new Set<string>();
  let first = Number.NaN;
  for await (const event of client.watch(pods, { namespace }, enough.signal)) {
    if (event.type !== "ADDED" && event.type !== "MODIFIED") continue;
    const { metadata, spec } = event.object;
    if (spec.nodeName === undefined) continue;
    if (bound.size === 0) first = performance.now();
    bound.add(metadata.uid);
    if (bound.size < count) continue;
    tooLong.cancel();
    return { first, last: performance.now() };
  }
  throw new Error("the watch of Pods ended");
}
