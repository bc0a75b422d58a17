import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Deployment, ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { controllerOf } from "../../src/api/owner-references.ts";
import { isActive, isReady } from "../../src/api/pod-state.ts";
import {
  deployments,
  nodes as nodeResource,
  pods as podResource,
  replicaSets,
} from "../../src/api/resources.ts";
import { startEmbeddedCluster } from "../../src/cluster/embedding/start-embedded-cluster.ts";
import { isNotFound } from "../../src/machinery/client/api-error.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import type { Clock } from "../../src/machinery/clock/clock.ts";
import { type Random, randomInt, seededRandom } from "../../src/machinery/random/random.ts";

export interface SoakOptions {
  readonly clock: Clock;
  readonly forMs: number;
  readonly nodes: number;
  /** On average. */
  readonly pods: number;
  readonly seed: string;
}

export interface SoakReport {
  readonly tookMs: number;
  readonly changes: number;
  readonly pods: number;
  /** In MB, after collection: when the cluster was full, and then again and again. */
  readonly heaps: readonly number[];
  readonly stallMs: number;
  /** What was inconsistent when everything had come to rest. */
  readonly problems: readonly string[];
}

const podsEach = 100;
const looks = 10;
const pauseMs = 200;
const restMs = 300_000;
const longestRestMs = 1_800_000;

/** Fills a cluster, changes its workloads for a while, lets it come to rest, and checks it. */
export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const { clock, forMs, nodes, pods, seed } = options;
  const began = clock.now();
  const cluster = await startEmbeddedCluster({ nodes, seed });
  const random = seededRandom(`soak ${seed}`);
  const delay = monitorEventLoopDelay({ resolution: 10 });
  try {
    const { client } = cluster;
    const names = Array.from(
      { length: Math.max(1, Math.round(pods / podsEach)) },
      (_, index) => `app-${index}`,
    );
    for (const name of names) await client.create(deployments, deploymentNamed(name));
    const filled = await untilRest(client, clock);
    const heaps = [heapMegabytes()];
    delay.enable();
    let changes = 0;
    for (let look = 1; look <= looks; look++) {
      const until = clock.now() + forMs / looks;
      while (clock.now() < until) {
        await change(client, names, random);
        changes += 1;
        await clock.sleep(pauseMs);
      }
      delay.disable(); // collecting is a stall of our own
      heaps.push(heapMegabytes());
      delay.enable();
    }
    const rested = await untilRest(client, clock);
    delay.disable();
    const problems = [...filled, ...rested, ...(await inconsistenciesAtRest(client, clock))];
    const { items } = await client.list(podResource, {});
    heaps.push(heapMegabytes());
    return {
      tookMs: clock.now() - began,
      changes,
      pods: items.length,
      heaps,
      stallMs: delay.max / 1e6,
      problems,
    };
  } finally {
    await cluster.stop();
  }
}

function deploymentNamed(name: string) {
  const labels = { app: name };
  return {
    metadata: { name, namespace: "default" },
    spec: {
      replicas: podsEach,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image: "app:1" }] } },
    },
  };
}

/** Scales a workload, rolls it out, or deletes some of its Pods. */
async function change(client: Client, names: readonly string[], random: Random): Promise<void> {
  const name = names[randomInt(random, names.length)] ?? "";
  const at = { namespace: "default", name };
  const patch = (spec: object) => client.patch(deployments, at, { type: "merge", body: { spec } as never });
  switch (randomInt(random, 3)) {
    case 0:
      await patch({ replicas: podsEach / 2 + randomInt(random, podsEach) });
      break;
    case 1:
      await patch({ template: { metadata: { annotations: { build: String(randomInt(random, 1e6)) } } } });
      break;
    default: {
      const query = { namespace: "default", labelSelector: `app=${name}`, limit: 5 };
      const { items } = await client.list(podResource, query);
      await Promise.all(items.map(({ metadata }) => deleted(client, metadata)));
    }
  }
}

/** Deletes a Pod, unless something else was faster. */
async function deleted(client: Client, metadata: Pod["metadata"]): Promise<void> {
  try {
    await client.delete(podResource, metadata);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Waits until every Deployment is as it should be; says which is not, if none has changed for long, or it takes too long. */
async function untilRest(client: Client, clock: Clock): Promise<readonly string[]> {
  const lastAt = clock.now() + longestRestMs;
  let giveUpAt = clock.now() + restMs;
  let seen = "";
  for (;;) {
    const { items } = await client.list(deployments, {});
    const open = items.filter((each) => !isAtRest(each));
    if (open.length === 0) return [];
    const versions = open.map(({ metadata }) => metadata.resourceVersion).join();
    // A busy machine is slow; what is stuck does not move.
    if (versions !== seen) giveUpAt = Math.min(lastAt, clock.now() + restMs);
    seen = versions;
    if (clock.now() > giveUpAt)
      return open.map(({ metadata }) => `Deployment ${metadata.name} came to no rest`);
    await clock.sleep(500);
  }
}

function isAtRest({ metadata, spec, status = {} }: Deployment): boolean {
  const counts = [status.replicas, status.updatedReplicas, status.availableReplicas];
  const isSeen = (status.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  return (
    isSeen &&
    counts.every((count) => (count ?? 0) === spec.replicas) &&
    (status.terminatingReplicas ?? 0) === 0
  );
}

/** What stays inconsistent: Pods that still end, and statuses that follow, are given time. */
async function inconsistenciesAtRest(client: Client, clock: Clock): Promise<readonly string[]> {
  const giveUpAt = clock.now() + restMs;
  for (;;) {
    const found = await inconsistencies(client);
    if (found.length === 0 || clock.now() > giveUpAt) return found;
    await clock.sleep(1000);
  }
}

/** Pods that nobody asked for, that are nowhere, or that are missing. */
async function inconsistencies(client: Client): Promise<readonly string[]> {
  const [all, sets, nodes] = await Promise.all([
    client.list(podResource, {}),
    client.list(replicaSets, {}),
    client.list(nodeResource, {}),
  ]);
  const nodeNames = new Set(nodes.items.map(({ metadata }) => metadata.name));
  const bySet = new Map<string, number>();
  for (const pod of all.items.filter(isActive)) {
    const uid = controllerOf(pod)?.uid ?? "";
    bySet.set(uid, (bySet.get(uid) ?? 0) + 1);
  }
  const known = new Set(sets.items.map(({ metadata }) => metadata.uid));
  return [
    ...all.items.flatMap((pod) => wrongWith(pod, { nodeNames, known })),
    ...sets.items.flatMap((set) => wrongSize(set, bySet.get(set.metadata.uid) ?? 0)),
  ];
}

interface Known {
  readonly nodeNames: ReadonlySet<string>;
  /** The UIDs of ReplicaSets. */
  readonly known: ReadonlySet<string>;
}

function wrongWith(pod: Pod, { nodeNames, known }: Known): readonly string[] {
  const { name } = pod.metadata;
  return [
    ...(nodeNames.has(pod.spec.nodeName ?? "") ? [] : [`Pod ${name} is on no node`]),
    ...(known.has(controllerOf(pod)?.uid ?? "") ? [] : [`Pod ${name} belongs to nobody`]),
    ...(isReady(pod) ? [] : [`Pod ${name} is not ready`]),
  ];
}

function wrongSize({ metadata, spec }: ReplicaSet, count: number): readonly string[] {
  return spec.replicas === count
    ? []
    : [`ReplicaSet ${metadata.name} has ${count} Pods instead of ${spec.replicas}`];
}

/** Collects first: what is left is what is held. */
function heapMegabytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed / 1e6;
}
