import type { Deployment } from "../src/api/generated/apps-v1.ts";
import type { Draft } from "../src/api/object.ts";
import { deployments, pods } from "../src/api/resources.ts";
import { template } from "../test/deployment/builders.ts";
import { makeNamespace } from "../test/embedded-cluster.ts";
import { eventually } from "../test/real-cluster/eventually.ts";
import type { Program } from "../test/real-cluster/program.ts";
import {
  missingControlPlane,
  type RealCluster,
  startRealCluster,
} from "../test/real-cluster/real-cluster.ts";
import { startTrimtab } from "../test/real-cluster/trimtab-program.ts";
import { type Measure, percentile } from "./measure.ts";
import { processorMs } from "./processor-time.ts";

const count = 300;
const rounds = 3;

/**
 * `trimtab controllers` and kube-controller-manager on one real API server, in turn: how long a Deployment takes to be
 * created, rolled out and scaled to zero, and the processor time of all three.
 */
export async function realCluster(): Promise<readonly Measure[]> {
  const problem = missingControlPlane();
  if (problem !== undefined) {
    console.error(`real-cluster: ${problem}`);
    return [];
  }
  const cluster = await startRealCluster({
    controllers: "all",
    nodes: 6,
    // Its defaults, 20 requests a second, would measure the limit.
    controllerManagerFlags: ["--kube-api-qps=1000", "--kube-api-burst=1000"],
  });
  try {
    const stock = await measured(cluster, "stock", []);
    await cluster.runControllers("without-workloads");
    const { folder, kubeconfig } = cluster;
    const flags = ["--no-lease", "--log-level", "error"];
    const trimtab = await startTrimtab({ command: "controllers", kubeconfig, flags, folder });
    cluster.alsoStop(trimtab);
    const ours = await measured(cluster, "ours", [trimtab]);
    return [...times(stock, ours), ...processorTimes(stock, ours)];
  } finally {
    await cluster.stop();
  }
}

const stages = ["created", "rolled", "removed"] as const;

type Stages = Readonly<Record<(typeof stages)[number], number>>;

interface Measured {
  readonly times: readonly Stages[];
  /** Per round: of kube-controller-manager, and of the programs beside it. */
  readonly managerMs: number;
  readonly othersMs: number;
}

function times(stock: Measured, ours: Measured): readonly Measure[] {
  return stages.flatMap((stage) => {
    const median = (each: Measured) =>
      percentile(
        each.times.map((round) => round[stage]),
        0.5,
      );
    const bar = median(stock);
    return [
      { what: `${count} Pods ${stage}, kube-controller-manager`, value: bar, unit: "ms" },
      { what: `${count} Pods ${stage}, trimtab controllers`, value: median(ours), unit: "ms", bar },
    ];
  });
}

/** What its other controllers take, garbage collection among them, is known from the rounds in which only they run. */
function processorTimes(stock: Measured, ours: Measured): readonly Measure[] {
  const ofWorkloads = stock.managerMs - ours.managerMs;
  return [
    { what: "processor time of its workload controllers", value: ofWorkloads, unit: "ms" },
    { what: "processor time of its other controllers", value: ours.managerMs, unit: "ms" },
    { what: "processor time of trimtab controllers", value: ours.othersMs, unit: "ms", bar: 2 * ofWorkloads },
  ];
}

const labels = { app: "web" };
const quick = { startsIn: "0s", endsIn: "0s" };

const draftIn = (namespace: string): Draft<Deployment> => ({
  metadata: { namespace, name: "web" },
  spec: {
    replicas: count,
    selector: { matchLabels: labels },
    strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" } },
    template: template(quick),
  },
});

/** Some rounds, after one that warms up. */
async function measured(cluster: RealCluster, name: string, others: readonly Program[]): Promise<Measured> {
  await round(cluster, `warm-up-${name}`);
  const manager = [cluster.controllers()].flatMap((each) => each ?? []);
  const [managerBefore, othersBefore] = [totalMs(manager), totalMs(others)];
  const times: Stages[] = [];
  for (let index = 0; index < rounds; index++) times.push(await round(cluster, `${name}-${index}`));
  return {
    times,
    managerMs: (totalMs(manager) - managerBefore) / rounds,
    othersMs: (totalMs(others) - othersBefore) / rounds,
  };
}

const totalMs = (programs: readonly Program[]) =>
  programs.reduce((total, each) => total + processorMs(each), 0);

/** A Deployment is made, its template changed, and scaled to zero. */
async function round({ client }: RealCluster, namespace: string): Promise<Stages> {
  await makeNamespace(client, namespace);
  const at = { namespace, name: "web" };
  const change = (spec: object) => client.patch(deployments, at, { type: "merge", body: { spec } as never });
  const available = async () => {
    const { metadata, status = {} } = await client.get(deployments, at);
    const counts = [status.replicas, status.updatedReplicas, status.availableReplicas];
    const isDone =
      status.observedGeneration === metadata.generation && counts.every((each) => each === count);
    return isDone ? true : undefined;
  };
  const gone = async () =>
    (await client.list(pods, { namespace, limit: 1 })).items.length === 0 ? true : undefined;
  const timed = async (change: () => Promise<unknown>, done: () => Promise<true | undefined>) => {
    const start = performance.now();
    await change();
    await eventually("the work is done", done, 120_000);
    return performance.now() - start;
  };
  return {
    created: await timed(() => client.create(deployments, draftIn(namespace)), available),
    rolled: await timed(() => change({ template: template({ ...quick, image: "web:2" }) }), available),
    removed: await timed(() => change({ replicas: 0 }), gone),
  };
}
