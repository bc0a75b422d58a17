import type { Deployment } from "../src/api/generated/apps-v1.ts";
import type { Draft } from "../src/api/object.ts";
import { deployments, pods } from "../src/api/resources.ts";
import { template } from "../test/deployment/builders.ts";
import { WallClock } from "../src/machinery/clock/wall-clock.ts";
import { makeNamespace } from "../test/embedded-cluster.ts";
import type { StockControllers } from "../test/real-cluster/control-plane-programs.ts";
import type { Program } from "../test/real-cluster/program.ts";
import {
  missingControlPlane,
  type RealCluster,
  startRealCluster,
} from "../test/real-cluster/real-cluster.ts";
import { startTrimtab } from "../test/real-cluster/trimtab-program.ts";
import { type Measure, percentile, processorMs } from "./measure.ts";

const clock = new WallClock();
const count = 300;
const rounds = Number(process.env.TRIMTAB_BENCH_ROUNDS ?? "5");
/** Controllers run for weeks: what their first minute costs, in which V8 compiles them, is left out. */
const warmUpRounds = Math.min(rounds, 3);
const longestStageMs = 120_000;

/**
 * `trimtab controllers` and the workload controllers of kube-controller-manager on real API servers: how long a
 * Deployment takes to be created, rolled out and scaled to zero, and the processor time of a round. Both run beside a
 * kube-controller-manager with all other controllers; a third time, that one runs all of them.
 */
export async function realCluster(): Promise<readonly Measure[]> {
  const problem = missingControlPlane();
  if (problem !== undefined) {
    console.error(`real-cluster: ${problem}`);
    return [];
  }
  const together = await onNewCluster("all", async () => undefined);
  const theirs = await onNewCluster("without-workloads", (cluster) => cluster.startWorkloadControllers());
  const ours = await onNewCluster("without-workloads", async (cluster) => {
    const { folder, kubeconfig } = cluster;
    const flags = ["--no-lease", "--log-level", "error"];
    const trimtab = await startTrimtab({ command: "controllers", kubeconfig, flags, folder });
    cluster.alsoStop(trimtab);
    return trimtab;
  });
  return [...times({ together, theirs, ours }), ...processorTimes({ together, theirs, ours })];
}

/** Measures with a program beside kube-controller-manager; on a cluster of its own, since one that has worked is slower. */
async function onNewCluster(
  controllers: StockControllers,
  startBeside: (cluster: RealCluster) => Promise<Program | undefined>,
): Promise<Measured> {
  const cluster = await startRealCluster({
    controllers,
    nodes: 6,
    // Its defaults, 20 requests a second, would measure the limit.
    controllerManagerFlags: ["--kube-api-qps=1000", "--kube-api-burst=1000"],
  });
  try {
    return await measured(cluster, await startBeside(cluster));
  } finally {
    await cluster.stop();
  }
}

const stages = ["created", "rolled", "removed"] as const;

type Stages = Readonly<Record<(typeof stages)[number], number>>;

interface Measured {
  readonly times: readonly Stages[];
  /** Per round: of kube-controller-manager, and of the program beside it. */
  readonly managerMs: number;
  readonly besideMs: number;
}

type Settings = Readonly<Record<"together" | "theirs" | "ours", Measured>>;

function times({ together, theirs, ours }: Settings): readonly Measure[] {
  return stages.flatMap((stage) => {
    const median = (each: Measured) =>
      percentile(
        each.times.map((round) => round[stage]),
        0.5,
      );
    const bar = median(theirs);
    const what = `${count} Pods ${stage}`;
    return [
      { what: `${what}, all of kube-controller-manager in one`, value: median(together), unit: "ms" },
      { what: `${what}, its workload controllers beside`, value: bar, unit: "ms" },
      { what: `${what}, trimtab controllers beside`, value: median(ours), unit: "ms", bar },
    ];
  });
}

/** What the workload controllers add to the others in one program is less than what they take alone: it reads Pods once. */
function processorTimes({ together, theirs, ours }: Settings): readonly Measure[] {
  const added = together.managerMs - ours.managerMs;
  return [
    { what: "processor time that its workload controllers add", value: added, unit: "ms" },
    { what: "processor time of its workload controllers alone", value: theirs.besideMs, unit: "ms" },
    {
      what: "processor time of trimtab controllers",
      value: ours.besideMs,
      unit: "ms",
      bar: 2 * theirs.besideMs,
    },
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

/** Some rounds, after those that warm up; `beside` is the program that runs beside kube-controller-manager. */
async function measured(cluster: RealCluster, beside: Program | undefined): Promise<Measured> {
  for (let index = 0; index < warmUpRounds; index++) await round(cluster, `warm-up-${index}`);
  const manager = cluster.controllers();
  const [managerBefore, besideBefore] = [timeOf(manager), timeOf(beside)];
  const times: Stages[] = [];
  for (let index = 0; index < rounds; index++) times.push(await round(cluster, `round-${index}`));
  return {
    times,
    managerMs: (timeOf(manager) - managerBefore) / rounds,
    besideMs: (timeOf(beside) - besideBefore) / rounds,
  };
}

const timeOf = (program: Program | undefined) => (program === undefined ? 0 : processorMs(program));

/** A Deployment is made, its template changed, and scaled to zero. */
async function round({ client }: RealCluster, namespace: string): Promise<Stages> {
  await makeNamespace(client, namespace);
  const at = { namespace, name: "web" };
  const change = (spec: object) => client.patch(deployments, at, { type: "merge", body: { spec } as never });
  const available = async () => {
    const { metadata, status = {} } = await client.get(deployments, at);
    const counts = [status.replicas, status.updatedReplicas, status.availableReplicas];
    return status.observedGeneration === metadata.generation && counts.every((each) => each === count);
  };
  const gone = async () => (await client.list(pods, { namespace, limit: 1 })).items.length === 0;
  const timed = async (change: () => Promise<unknown>, done: () => Promise<boolean>) => {
    const start = performance.now();
    await change();
    while (!(await done())) {
      if (performance.now() - start > longestStageMs)
        throw new Error(`not within ${longestStageMs / 1000} s`);
      await clock.sleep(20);
    }
    return performance.now() - start;
  };
  return {
    created: await timed(() => client.create(deployments, draftIn(namespace)), available),
    rolled: await timed(() => change({ template: template({ ...quick, image: "web:2" }) }), available),
    removed: await timed(() => change({ replicas: 0 }), gone),
  };
}
