import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import type { Node, Pod } from "../../src/api/generated/core-v1.ts";
import { isReady, readySince } from "../../src/api/pod-state.ts";
import { nodes, pods, replicaSets } from "../../src/api/resources.ts";
import { logBucket } from "../../src/decisions/downscale/log-bucket.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { startSimulatedCluster, type SimulatedCluster } from "../../src/simulation/simulated-cluster.ts";

/** One telling of the story. */
export interface StoryParameters {
  /** How old the youngest Pods are when the ReplicaSet shrinks, as a share of the age of the oldest. */
  readonly ratio: number;
  readonly seed: number;
  readonly buckets: boolean;
  /** Whether the gate `TopologyAwareScaleDown` is on; absent: it is not. */
  readonly spreads?: boolean;
}

/** What came of it. */
export interface StoryResult extends StoryParameters {
  /** Whether the youngest and the oldest were in one bucket when the ReplicaSet shrank, each time. */
  readonly shared: readonly boolean[];
  /** How many Pods each zone has left, after each time. */
  readonly left: readonly (readonly number[])[];
  /** How many Pods any node had at most when the ReplicaSet shrank. */
  readonly perNode: number;
}

/** The proposal's N: so many Pods in each of three zones. */
export const perZone = 6;
/** So many times the ReplicaSet grows and shrinks once the zone is back. */
const rounds = 3;

const all = 3 * perZone;
const few = 2 * perZone;
/** Enough for one Pod a node, even while a zone is away: else rule 6b would decide before time does. */
const nodesPerZone = (3 * perZone) / 2;
const zoneLabel = "topology.kubernetes.io/zone";
const minuteMs = 60_000;
const web = { namespace: "default", name: "web" };
const idle = ["deployment", "replicationmanager", "namespace", "root-ca"];

/**
 * The proposal's first user story: a zone fails and recovers, then its ReplicaSet shrinks and grows again and again.
 * Ages keep their ratio from round to round, and how they lie to the edges of buckets is left to chance.
 */
export async function runStory(telling: StoryParameters): Promise<StoryResult> {
  const gates = {
    ...defaultFeatureGates,
    LogarithmicScaleDown: telling.buckets,
    TopologyAwareScaleDown: telling.spreads === true,
  };
  const cluster = await startSimulatedCluster({
    seed: telling.seed,
    nodes: 3 * nodesPerZone,
    zones: 3,
    gates: () => gates,
    without: idle,
    recording: "none",
  });
  const age = minuteMs * 2 ** seededRandom(`age ${telling.seed}`).next();
  await cluster.client.create(replicaSets, replicaSet);
  await cluster.advance(age);
  await failZone(cluster, "zone-c");
  await scale(cluster, few);

  const shared: boolean[] = [];
  const left: (readonly number[])[] = [];
  let perNode = 0;
  for (let round = 0; round < rounds; round++) {
    await scale(cluster, all);
    await waitForRatio(cluster, telling.ratio);
    shared.push(isOneBucket(cluster));
    perNode = Math.max(perNode, ...countsBy(podsIn(cluster), nodeOf).values());
    await scale(cluster, few);
    left.push(podsPerZone(cluster));
  }
  await cluster.stop();
  return { ...telling, shared, left, perNode };
}

const labels = { app: "web" };
const replicaSet = {
  metadata: web,
  spec: {
    replicas: all,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        containers: [{ name: "web", image: "registry.example/web:1" }],
        topologySpreadConstraints: [
          spread("kubernetes.io/hostname", "DoNotSchedule"),
          spread(zoneLabel, "ScheduleAnyway"),
        ],
      },
    },
  },
} as const;

function spread<W extends string>(topologyKey: string, whenUnsatisfiable: W) {
  return { maxSkew: 1, topologyKey, whenUnsatisfiable, labelSelector: { matchLabels: labels } };
}

async function scale(cluster: SimulatedCluster, replicas: number): Promise<void> {
  await cluster.client.patch(replicaSets, web, { type: "merge", body: { spec: { replicas } } });
  const isThere = () => {
    const present = podsIn(cluster);
    return present.length === replicas && present.every(isReady);
  };
  const deadline = cluster.clock.now() + minuteMs;
  if (!(await cluster.clock.runWhile(() => !isThere(), deadline)))
    throw new Error(`${podsIn(cluster).length} Pods instead of ${replicas}`);
}

/** The zone takes no Pods for a moment, and loses those it has; others come in their stead, elsewhere. */
async function failZone(cluster: SimulatedCluster, zone: string): Promise<void> {
  const lost = (await cluster.client.list(nodes, { labelSelector: `${zoneLabel}=${zone}` })).items;
  const cordon = (unschedulable: true | null) =>
    ({ type: "merge", body: { spec: { unschedulable } } }) as const;
  for (const { metadata } of lost) await cluster.client.patch(nodes, metadata, cordon(true));
  const names = new Set(lost.map(({ metadata }) => metadata.name));
  for (const { metadata, spec } of podsIn(cluster))
    if (names.has(spec.nodeName ?? ""))
      await cluster.client.delete(pods, metadata, { gracePeriodSeconds: 0 });
  await cluster.advance(5000);
  for (const { metadata } of lost) await cluster.client.patch(nodes, metadata, cordon(null));
}

/** Waits until the youngest Pods are so old, compared with the oldest. */
async function waitForRatio(cluster: SimulatedCluster, ratio: number): Promise<void> {
  const [oldest, youngest] = agesIn(cluster);
  // (youngest + wait) / (oldest + wait) = ratio
  await cluster.advance(Math.max(0, (ratio * oldest - youngest) / (1 - ratio)));
}

function agesIn(cluster: SimulatedCluster): readonly [oldest: number, youngest: number] {
  const now = cluster.clock.now();
  const ages = podsIn(cluster).map((pod) => now - (readySince(pod) ?? now));
  return [Math.max(...ages), Math.min(...ages)];
}

function isOneBucket(cluster: SimulatedCluster): boolean {
  const now = cluster.clock.now();
  return new Set(podsIn(cluster).map((pod) => logBucket(readySince(pod), now))).size === 1;
}

function podsPerZone(cluster: SimulatedCluster): readonly number[] {
  const zones = new Map(
    (objectsIn(cluster, "nodes") as readonly Node[]).map(({ metadata }) => [
      metadata.name,
      metadata.labels?.[zoneLabel] ?? "",
    ]),
  );
  const counts = countsBy(podsIn(cluster), (pod) => zones.get(nodeOf(pod)) ?? "");
  return [...new Set(zones.values())].toSorted().map((zone) => counts.get(zone) ?? 0);
}

function countsBy(items: readonly Pod[], of: (pod: Pod) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(of(item), (counts.get(of(item)) ?? 0) + 1);
  return counts;
}

function nodeOf({ spec }: Pod): string {
  return spec.nodeName ?? "";
}

function podsIn(cluster: SimulatedCluster): readonly Pod[] {
  return objectsIn(cluster, "pods") as readonly Pod[];
}

function objectsIn({ store }: SimulatedCluster, collection: string): readonly unknown[] {
  return [...store.collection(collection).records()].map(({ object }) => object);
}
