import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { deployments, pods } from "../src/api/resources.ts";
import { loadKubeconfig } from "../src/machinery/client/connection/kubeconfig.ts";
import { HttpsClient } from "../src/machinery/client/http/https-client.ts";
import { WallClock } from "../src/machinery/clock/wall-clock.ts";
import { template } from "../test/deployment/builders.ts";
import { type Program, startProgram, untilReady } from "../test/real-cluster/program.ts";
import { missingControlPlane, startRealCluster } from "../test/real-cluster/real-cluster.ts";
import { trimtabFile } from "../test/real-cluster/trimtab-program.ts";
import { podOf } from "./apiserver.ts";
import { runLoad } from "./apiserver-load.ts";
import { type Measure, memoryMb, percentile, processorMs } from "./measure.ts";

const clock = new WallClock();
const nodes = 500;
const replicas = 3000;
const creates = 3000;
const warmUps = 750;
const rounds = Number(process.env.TRIMTAB_BENCH_ROUNDS ?? "3");
const namespace = "default";
const web = { namespace, name: "web" };
const longestMs = 180_000;

/** A cluster that is reached over HTTPS, and the programs that it consists of. */
interface Served {
  readonly client: HttpsClient;
  readonly access: { readonly url: string; readonly ca: string; readonly token: string };
  readonly programs: readonly Program[];
  readonly stop: () => Promise<void>;
}

interface Outcome {
  readonly tookMs: number;
  /** Of all programs. */
  readonly processorMs: number;
  readonly memoryMb: number;
}

interface Creates {
  readonly perSecond: number;
  /** Of all programs, for each Pod. */
  readonly processorUs: number;
}

/**
 * What a client outside sees: a Deployment from 0 to 3,000 Pods on 500 nodes until all are bound, and Pods that 64
 * connections create while the scheduler binds them. With `trimtab up`, and with the programs of Kubernetes where there are any.
 * The nodes of the latter are simulated by the process of the bench, whose processor time and memory are not theirs.
 */
export async function endToEnd(): Promise<readonly Measure[]> {
  const problem = missingControlPlane();
  if (problem !== undefined) console.error(`end-to-end: without Kubernetes: ${problem}`);
  const theirs = problem === undefined ? await measured(startKubernetes) : undefined;
  const ours: Awaited<ReturnType<typeof measured>>[] = [];
  for (let round = 0; round < rounds; round++) ours.push(await measured(startTrimtabUp));
  const row = (
    what: string,
    of: (each: Awaited<ReturnType<typeof measured>>) => number,
    measure: Pick<Measure, "unit" | "bar" | "goal">,
  ): Measure => ({
    what,
    value: percentile(ours.map(of), 0.5),
    ...measure,
    ...(theirs !== undefined && { kubernetes: of(theirs) }),
  });
  const scaled = `Deployment 0 → ${replicas.toLocaleString("en")} on ${nodes} nodes over HTTPS, all bound`;
  return [
    row(scaled, ({ scaleUp }) => scaleUp.tookMs, { unit: "ms", bar: 2300, goal: 1500 }),
    row("the same: processor time", ({ scaleUp }) => scaleUp.processorMs, { unit: "ms" }),
    row("the same: memory then", ({ scaleUp }) => scaleUp.memoryMb, { unit: "MB", bar: 120, goal: 85 }),
    row(
      "Pod creates over HTTPS while they are scheduled, 64 connections",
      ({ created }) => created.perSecond,
      {
        unit: "per s",
        bar: 2000,
        goal: 2800,
      },
    ),
    row("the same: processor time of a Pod until it is bound", ({ created }) => created.processorUs, {
      unit: "µs",
    }),
  ];
}

/** On a cluster of its own for each, since one that has worked is slower or faster. */
async function measured(start: () => Promise<Served>) {
  const scaleUp = await onCluster(start, scaledUp);
  return { scaleUp, created: await onCluster(start, createdWhileScheduled) };
}

async function onCluster<T>(start: () => Promise<Served>, run: (cluster: Served) => Promise<T>): Promise<T> {
  const cluster = await start();
  try {
    return await run(cluster);
  } finally {
    await cluster.stop();
  }
}

async function scaledUp({ client, programs }: Served): Promise<Outcome> {
  const labels = { app: "web" };
  const quick = template({ startsIn: "0s", endsIn: "0s" });
  await client.create(deployments, {
    metadata: web,
    spec: { replicas: 0, selector: { matchLabels: labels }, template: quick },
  });
  await untilTrue(async () => (await client.get(deployments, web)).status?.observedGeneration === 1);
  const [start, before] = [performance.now(), sum(programs, processorMs)];
  await client.patch(deployments, web, { type: "merge", body: { spec: { replicas } } });
  await untilTrue(async () => (await client.get(deployments, web)).status?.replicas === replicas);
  await untilTrue(() => everyPodIsBound(client));
  return {
    tookMs: performance.now() - start,
    processorMs: sum(programs, processorMs) - before,
    memoryMb: sum(programs, memoryMb),
  };
}

/** Until the last is created and, for the processor time, until the last is bound. */
async function createdWhileScheduled({ client, access, programs }: Served): Promise<Creates> {
  const before = sum(programs, processorMs);
  const bodies = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, index) => JSON.stringify(podOf(`${prefix}-${index}`)));
  const { tookMs } = await runLoad(access, {
    kind: "creates",
    path: `/api/v1/namespaces/${namespace}/pods`,
    warmUp: bodies(warmUps, "warm"),
    bodies: bodies(creates, "timed"),
  });
  await untilTrue(() => everyPodIsBound(client));
  return {
    perSecond: (creates * 1000) / tookMs,
    processorUs: (1000 * (sum(programs, processorMs) - before)) / (creates + warmUps),
  };
}

async function everyPodIsBound(client: HttpsClient): Promise<boolean> {
  const { items } = await client.list(pods, { namespace, fieldSelector: "spec.nodeName=", limit: 1 });
  return items.length === 0;
}

async function untilTrue(isTrue: () => Promise<boolean>): Promise<void> {
  const start = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - start > longestMs) throw new Error(`not within ${longestMs / 1000} s`);
    await clock.sleep(20);
  }
}

const sum = (programs: readonly Program[], of: (program: Program) => number): number =>
  programs.reduce((total, program) => total + of(program), 0);

/** `trimtab up` as a person starts it. */
async function startTrimtabUp(): Promise<Served> {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-bench-"));
  const kubeconfig = path.join(folder, "kubeconfig");
  const flags = [trimtabFile(), "up", "--nodes", String(nodes), "--port", "0", "--kubeconfig", kubeconfig];
  const program = startProgram({ name: "trimtab-up", file: process.execPath, flags, folder });
  await untilReady(program, async () => readFileSync(program.logFile, "utf8").includes("trimtab is ready"));
  const loaded = loadKubeconfig({ paths: [kubeconfig] });
  if (!loaded.ok) throw new Error(loaded.errors.join("; "));
  const { server, credential, tls } = loaded.connection;
  if (credential.type !== "token" || tls.ca === undefined) throw new Error("the kubeconfig has no token");
  const client = new HttpsClient({ connection: loaded.connection, clock, userAgent: "bench" });
  return {
    client,
    access: { url: server, ca: tls.ca, token: credential.token },
    programs: [program],
    async stop() {
      await client.close();
      await program.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** etcd, kube-apiserver, kube-controller-manager and kube-scheduler, without limits of their own to how often they ask. */
async function startKubernetes(): Promise<Served> {
  const unlimited = ["--kube-api-qps=5000", "--kube-api-burst=5000"];
  const cluster = await startRealCluster({
    controllers: "all",
    scheduler: true,
    nodes,
    controllerManagerFlags: unlimited,
    schedulerFlags: unlimited,
  });
  const programs = [cluster.etcd, cluster.apiServer(), cluster.controllers(), cluster.scheduler()];
  return {
    client: cluster.client,
    access: cluster.access,
    programs: programs.filter((program) => program !== undefined),
    stop: cluster.stop,
  };
}
