import { setTimeout as wait } from "node:timers/promises";
import type { Deployment } from "../src/api/generated/apps-v1.ts";
import { deployments, pods } from "../src/api/resources.ts";
import { template, web } from "../test/deployment/builders.ts";
import { eventually } from "../test/real-cluster/eventually.ts";
import type { RealCluster } from "../test/real-cluster/real-cluster.ts";
import type { Measure } from "./measure.ts";

const endsSeconds = 5;
const traits = { startsIn: "100ms", endsIn: `${endsSeconds}s` };
const policy = { "trimtab.dev/pod-replacement-policy": "TerminationComplete" };

/** Shapes of rollouts, and how many terminations in a row each waits for by design. */
const shapes = [
  { name: "eight-two-two", replicas: 8, maxSurge: 2, maxUnavailable: 2, waits: 1 },
  { name: "three-quarters", replicas: 3, maxSurge: "25%", maxUnavailable: "25%", waits: 2 },
  { name: "twelve-quarters", replicas: 12, maxSurge: "25%", maxUnavailable: "25%", waits: 1 },
] as const;

/** How long rollouts take whose Pods end in five seconds, under `TerminationComplete` and without. */
export async function rolloutTimes(cluster: RealCluster): Promise<readonly Measure[]> {
  const measures: Measure[] = [];
  for (const shape of shapes) {
    const stock = await rolloutMs(cluster, shape, {});
    const steered = await rolloutMs(cluster, shape, policy);
    const { replicas, maxSurge, maxUnavailable, waits } = shape;
    const what = `a rollout of ${replicas} Pods at ${maxSurge}/${maxUnavailable}, each of which ends in ${endsSeconds} s`;
    const bar = 1.5 * stock + waits * endsSeconds * 1000;
    measures.push({ what: `${what}, steered`, value: steered, unit: "ms", bar });
    measures.push({ what: "the same, not steered", value: stock, unit: "ms" });
  }
  return measures;
}

async function rolloutMs(
  { client }: RealCluster,
  { name, replicas, maxSurge, maxUnavailable }: (typeof shapes)[number],
  annotations: Readonly<Record<string, string>>,
): Promise<number> {
  const at = { namespace: "bench", name };
  const draft = web({ replicas, maxSurge, maxUnavailable, annotations, ...traits });
  await client.create(deployments, { ...draft, metadata: { ...draft.metadata, ...at } });
  const isDone = async (image: string) => {
    const { metadata, status = {} }: Deployment = await client.get(deployments, at);
    const counts = [status.replicas, status.updatedReplicas, status.availableReplicas];
    const { items } = await client.list(pods, { namespace: "bench", labelSelector: "app=web" });
    const isNew = items.length === replicas && items.every(({ spec }) => spec.containers[0]?.image === image);
    const isObserved = status.observedGeneration === metadata.generation;
    return isNew && isObserved && counts.every((count) => count === replicas) ? true : undefined;
  };
  await eventually("all Pods are available", () => isDone("web:1"));
  await wait(1000);
  const start = performance.now();
  const body = { spec: { template: template({ image: "web:2", ...traits }) } };
  await client.patch(deployments, at, { type: "merge", body: body as never });
  await eventually("all Pods are new", () => isDone("web:2"));
  const ms = performance.now() - start;
  await client.delete(deployments, at);
  await eventually("all Pods are gone", async () => {
    const { items } = await client.list(pods, { namespace: "bench", labelSelector: "app=web" });
    return items.length === 0 ? true : undefined;
  });
  return ms;
}
