import { expect, test } from "vitest";
import type { PodSpec } from "../../src/api/generated/core-v1.ts";
import type { Resource } from "../../src/api/resource.ts";
import { controllerOf } from "../../src/api/owner-references.ts";
import { deployments, nodes, podDisruptionBudgets, pods } from "../../src/api/resources.ts";
import { oneOf, type Random, randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import { perTier } from "../tier.ts";
import { type SimulatedCluster, startSimulatedCluster } from "../../src/simulation/simulated-cluster.ts";
import { objectsIn } from "../../src/simulation/snapshot/load-snapshot.ts";
import { readSnapshot } from "../../src/simulation/snapshot/read-snapshot.ts";
import { type Snapshot, takeSnapshot } from "../../src/simulation/snapshot/snapshot.ts";
import { writeSnapshot } from "../../src/simulation/snapshot/write-snapshot.ts";
import { applyChange, type Change } from "../../src/simulation/what-if/change.ts";
import { drainNode } from "../../src/simulation/what-if/drain-node.ts";
import { PodHistories } from "../../src/simulation/what-if/pod-histories.ts";
import { runWhatIf } from "../../src/simulation/what-if/run-what-if.ts";
import { reportOf } from "../../src/simulation/what-if/report-of.ts";
import type { WhatIfReport } from "../../src/simulation/what-if/what-if-report.ts";
import { WorkloadCounts } from "../../src/simulation/what-if/workload-counts.ts";

const namespace = "default";
const sizes = { web: 6, api: 3 };
type Name = keyof typeof sizes;

/** What is watched from the moment of a snapshot on. */
interface Watched {
  readonly histories: PodHistories;
  readonly counts: WorkloadCounts;
}

interface WatchedCluster extends SimulatedCluster {
  watch: (watched: Watched) => void;
}

async function watchedCluster(seed: number, random: Random): Promise<WatchedCluster> {
  let watched: Watched | undefined;
  const cluster: SimulatedCluster = await startSimulatedCluster({
    seed: `actual ${seed}`,
    nodes: 4 + randomInt(random, 4),
    zones: 1 + randomInt(random, 3),
    recording: "none",
    decided: {
      removal: (decision) => watched?.histories.observer.removal?.(decision),
      placement: (decision) => watched?.histories.observer.placement?.(decision),
    },
    committed: (collection, event) => {
      if (watched === undefined) return;
      if (collection === "pods") watched.histories.committed(event, cluster.clock.now());
      watched.counts.committed(collection, event, cluster.clock.now());
    },
  });
  return { ...cluster, watch: (next) => void (watched = next) };
}

async function populate({ client, untilStable }: SimulatedCluster, random: Random): Promise<void> {
  for (const name of Object.keys(sizes) as readonly Name[]) {
    const labels = { app: name };
    await client.create(deployments, {
      metadata: { namespace, name },
      spec: {
        replicas: sizes[name],
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name, image: "app:1" }], ...spread(labels, random) },
        },
      },
    });
  }
  const matchLabels = { app: "web" };
  await client.create(podDisruptionBudgets, {
    metadata: { namespace, name: "web" },
    spec: { maxUnavailable: 1, selector: { matchLabels } },
  });
  await untilStable();
}

function spread(matchLabels: Readonly<Record<string, string>>, random: Random): Partial<PodSpec> {
  const topologyKey = "topology.kubernetes.io/zone";
  const whenUnsatisfiable = oneOf(["DoNotSchedule", "ScheduleAnyway"], random) ?? "";
  if (random.next() < 0.4) return {};
  return {
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey, whenUnsatisfiable, labelSelector: { matchLabels } },
    ],
  };
}

async function oneName({ client }: SimulatedCluster, resource: Resource, random: Random): Promise<string> {
  const { items } = await client.list(resource, resource.namespaced ? { namespace } : {});
  return oneOf(items, random)?.metadata.name ?? "";
}

/** Something to do; most of it leaves the cluster able to go on. */
async function randomChange(cluster: SimulatedCluster, random: Random): Promise<Change> {
  const name = oneOf(Object.keys(sizes), random) ?? "web";
  const workload = { kind: "Deployment", namespace, name } as const;
  const pod = await oneName(cluster, pods, random);
  switch (pod === "" ? 7 : randomInt(random, 8)) {
    case 0:
      return { kind: "restart", workload };
    case 1:
      return { kind: "drain", node: await oneName(cluster, nodes, random) };
    case 2:
      return { kind: "delete", namespace, pod };
    case 3:
      return { kind: "image", workload, container: name, image: oneOf(["app:2", "app:404"], random) ?? "" };
    default:
      return { kind: "scale", workload, replicas: randomInt(random, 10) };
  }
}

/** The cluster as a file has it. */
function snapshotOf({ store, clock }: SimulatedCluster): Snapshot {
  const text = writeSnapshot(takeSnapshot(objectsIn(store), { now: clock.now() }), "json");
  const read = readSnapshot(text, "cluster.json");
  if (!read.ok) throw new Error(read.problems.join("\n"));
  return read.snapshot;
}

/** Makes the change to the cluster itself and reports what came of it. */
async function act(
  cluster: WatchedCluster,
  changes: readonly Change[],
  snapshot: Snapshot,
): Promise<WhatIfReport> {
  const { takenAt, objects: before } = snapshot;
  const histories = new PodHistories(
    before.pods,
    changes.flatMap((change) => (change.kind === "delete" ? [`${change.namespace}/${change.pod}`] : [])),
  );
  const counts = new WorkloadCounts(before, takenAt);
  cluster.watch({ histories, counts });
  const ending = new AbortController();
  for (const change of changes) await applyChange(change, cluster);
  const drains = changes.flatMap((change) =>
    change.kind === "drain" ? [drainNode(cluster, change.node, ending.signal)] : [],
  );
  const isStable = await cluster.untilStable();
  ending.abort();
  const after = objectsIn(cluster.store);
  const drained = await cluster.clock.runUntilSettled(Promise.all(drains));
  return reportOf({
    changes,
    refusedEvictions: new Map(drained.flatMap(({ refused }) => [...refused])),
    takenAt,
    before,
    after,
    histories,
    counts,
    isStable,
    endedAt: cluster.lastWriteAt(),
    assumptions: [],
  });
}

/**
 * What does not depend on chance. Where new Pods land is drawn among equal nodes, and two ReplicaSets of a Deployment that
 * shrink at the same instant see each other's Pods or no longer do. So of the Pods that were there the names and rules
 * count where neither is the case, and else how many went.
 */
function certain({ went, came, workloads, stable }: WhatIfReport, { objects }: Snapshot) {
  const owners = new Map(objects.pods.map((pod) => [pod.metadata.name, controllerOf(pod)?.name]));
  const gone = went.filter(({ pod }) => owners.has(pod));
  const isCertain = came.length === 0 && new Set(gone.map(({ pod }) => owners.get(pod))).size === 1;
  return {
    stable,
    went: isCertain ? gone.map(({ pod, rule }) => `${pod} ${rule}`).sort() : gone.length,
    workloads: workloads.map(({ name, after: { wanted: size, pods: count, ready } }) => ({
      name,
      size,
      count,
      ready,
    })),
  };
}

const { groups, clusters, changes, kinds } = perTier({
  unit: { groups: 1, clusters: 1, changes: 4, kinds: [] },
  full: { groups: 10, clusters: 5, changes: 20, kinds: ["delete", "drain", "image", "restart", "scale"] },
});
const seeds = Array.from({ length: groups }, (_, group) =>
  Array.from({ length: clusters }, (_seed, index) => group * clusters + index),
);

test.for(seeds)(
  `what ${clusters * changes} what-ifs say is what the controllers then do, from seed %i on`,
  {
    timeout: 900_000,
  },
  async (group) => {
    const seen = new Set<string>();
    let removals = 0;
    for (const seed of group) {
      const random = seededRandom(`prediction ${seed}`);
      const cluster = await watchedCluster(seed, random);
      await populate(cluster, random);
      for (let count = 0; count < changes; count++) {
        const change = await randomChange(cluster, random);
        const snapshot = snapshotOf(cluster);
        const predicted = await runWhatIf({ snapshot, changes: [change], seed });
        const actual = await act(cluster, [change], snapshot);
        const [told, done] = [certain(predicted, snapshot), certain(actual, snapshot)];
        expect({ seed, count, change, ...told }).toEqual({ seed, count, change, ...done });
        seen.add(change.kind);
        if (Array.isArray(done.went)) removals += done.went.length;
      }
      await cluster.stop();
    }
    expect([...seen]).toEqual(expect.arrayContaining(kinds));
    expect(removals).toBeGreaterThan(0);
  },
);
