import type { Deployment } from "../src/api/generated/apps-v1.ts";
import type { JsonObject } from "../src/api/json.ts";
import type { Draft } from "../src/api/object.ts";
import { deployments } from "../src/api/resources.ts";
import { startEmbeddedCluster } from "../src/cluster/embedding/start-embedded-cluster.ts";
import type { Client } from "../src/machinery/client/client.ts";
import { deployment } from "../src/testing/deployment.ts";
import { type Answers, startInnocentClient } from "./innocent-client.ts";
import { type Measure, memoryMb } from "./measure.ts";
import { inProcessOfItsOwn } from "./run-bench.ts";

const podsPerDeployment = 1000;
const podsPerNode = 10;
const namespace = "default";

/**
 * How long a client outside waits for an answer that costs nothing, while Deployments of 1,000 Pods are created, rolled and
 * removed, each size in a process of its own. `TRIMTAB_BENCH_PODS` changes the sizes, separated by commas.
 */
export async function fairness(): Promise<readonly Measure[]> {
  const sizes = (process.env.TRIMTAB_BENCH_PODS ?? "10000,50000,100000").split(",");
  const [only, ...others] = sizes;
  if (others.length === 0) return answersBeside(Number(only));
  return sizes.flatMap((size) => inProcessOfItsOwn("fairness", { TRIMTAB_BENCH_PODS: size }));
}

async function answersBeside(pods: number): Promise<readonly Measure[]> {
  const cluster = await startEmbeddedCluster({
    https: true,
    nodes: Math.ceil(pods / podsPerNode),
    seed: "fairness",
  });
  const innocent = startInnocentClient(cluster.access);
  const names = Array.from({ length: Math.round(pods / podsPerDeployment) }, (_, index) => `web-${index}`);
  const measures: Measure[] = [];
  const during = async (
    what: string,
    change: (name: string) => Promise<unknown>,
    size: number,
  ): Promise<void> => {
    await innocent.answers();
    const [start, processor] = [performance.now(), process.cpuUsage()];
    await Promise.all(names.map(change));
    await allAt(cluster.client, size);
    const tookMs = performance.now() - start;
    const { user, system } = process.cpuUsage(processor);
    const name = `${pods.toLocaleString("en")} Pods ${what}`;
    measures.push(
      { what: name, value: tookMs, unit: "ms" },
      { what: `${name}: processor time of a Pod`, value: (user + system) / 1000 / pods, unit: "ms" },
      ...answerMeasures(name, await innocent.answers()),
    );
  };
  try {
    await during("created", (name) => cluster.client.create(deployments, sized(name)), podsPerDeployment);
    const rolled = { spec: { template: { metadata: { annotations: { rolled: "yes" } } } } };
    const patch = (name: string, body: JsonObject) =>
      cluster.client.patch(deployments, { namespace, name }, { type: "merge", body });
    measures.push(memoryMeasure(pods));
    await during("rolled", (name) => patch(name, rolled), podsPerDeployment);
    await during("removed", (name) => patch(name, { spec: { replicas: 0 } }), 0);
  } finally {
    await innocent.stop();
    await cluster.stop();
  }
  return measures;
}

/** Of the process with all that it has, the client of the bench included, however much of it is garbage. */
function memoryMeasure(pods: number): Measure {
  const what = `memory of the process with ${pods.toLocaleString("en")} Pods`;
  const bars = pods === 100_000 ? { bar: 1000, goal: 600 } : {};
  return { what, value: memoryMb(process), unit: "MB", ...bars };
}

/** A Deployment whose Pods are its own. */
function sized(name: string): Draft<Deployment> {
  const { metadata: _made, spec, ...type } = deployment(name, { replicas: podsPerDeployment });
  const labels = { app: name };
  const template = { ...spec.template, metadata: { labels } };
  return {
    ...type,
    metadata: { namespace, name },
    spec: { ...spec, selector: { matchLabels: labels }, template },
  };
}

/** Resolves when every Deployment reports its current generation with so many Pods, all of them available. */
async function allAt(client: Client, size: number): Promise<void> {
  for (;;) {
    const { items } = await client.list(deployments, { namespace });
    if (items.every((each) => isAt(each, size))) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function isAt({ metadata, status = {} }: Deployment, size: number): boolean {
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0, observedGeneration } = status;
  return (
    observedGeneration === metadata.generation &&
    [replicas, updatedReplicas, availableReplicas].every((count) => count === size)
  );
}

function answerMeasures(what: string, { count, p50, p99, longest }: Answers): readonly Measure[] {
  return [
    { what: `${what}: median of ${count} answers to an innocent client`, value: p50, unit: "ms" },
    { what: `${what}: 99th percentile`, value: p99, unit: "ms" },
    { what: `${what}: longest`, value: longest, unit: "ms", bar: 250, goal: 100 },
  ];
}
