import { expect, test } from "vitest";
import { findCondition } from "../../src/api/conditions.ts";
import type { Deployment } from "../../src/api/generated/apps-v1.ts";
import type { Pod, PodSpec } from "../../src/api/generated/core-v1.ts";
import { isActive, isReady } from "../../src/api/pod-state.ts";
import type { Resource } from "../../src/api/resource.ts";
import { controllerOf } from "../../src/api/owner-references.ts";
import { deployments, nodes, podDisruptionBudgets, pods } from "../../src/api/resources.ts";
import { decidingRule } from "../../src/decisions/downscale/reason.ts";
import { oneOf, type Random, randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import { perTier } from "../tier.ts";
import type { ActionDocument } from "../../src/simulation/scenario-files/scenario-document.ts";
import { directAction } from "../../src/simulation/scenario-run/event-actions.ts";
import { type SimulatedCluster, startSimulatedCluster } from "../../src/simulation/simulated-cluster.ts";
import { objectsIn } from "../../src/simulation/snapshot/load-snapshot.ts";
import { readSnapshot } from "../../src/simulation/snapshot/read-snapshot.ts";
import { type Snapshot, takeSnapshot, writeSnapshot } from "../../src/simulation/snapshot/snapshot.ts";
import { runWhatIf } from "../../src/simulation/what-if/run-what-if.ts";
import type { WhatIfReport } from "../../src/simulation/what-if/what-if-report.ts";
import { finishDrain } from "../../src/user-actions/drain-nodes.ts";
import { nodeNamesOf, performAction } from "../../src/user-actions/perform-action.ts";

const namespace = "default";
const sizes = { web: 6, api: 3 };
type Name = keyof typeof sizes;

/** A cluster, and why its Pods go: the rule or the reason of the disruption, by UID. */
interface WatchedCluster extends SimulatedCluster {
  readonly reasons: ReadonlyMap<string, string>;
}

async function watchedCluster(seed: number, random: Random): Promise<WatchedCluster> {
  const reasons = new Map<string, string>();
  const cluster = await startSimulatedCluster({
    seed: `actual ${seed}`,
    nodes: 4 + randomInt(random, 4),
    zones: 1 + randomInt(random, 3),
    recording: "none",
    decided: {
      removal({ choice }) {
        for (const victim of choice.victims) reasons.set(victim.pod.metadata.uid, decidingRule(victim));
      },
    },
    committed(collection, { record }) {
      if (collection !== "pods") return;
      const { metadata, status } = record.object as unknown as Pod;
      const { reason } = findCondition(status?.conditions, "DisruptionTarget") ?? {};
      if (reason !== undefined && !reasons.has(metadata.uid)) reasons.set(metadata.uid, reason);
    },
  });
  return { ...cluster, reasons };
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
async function randomChange(cluster: SimulatedCluster, random: Random): Promise<ActionDocument> {
  const name = oneOf(Object.keys(sizes), random) ?? "web";
  const workload = `deployment/${name}`;
  const pod = await oneName(cluster, pods, random);
  switch (pod === "" ? 7 : randomInt(random, 8)) {
    case 0:
      return { restart: { workload } };
    case 1:
      return { drain: { node: await oneName(cluster, nodes, random) } };
    case 2:
      return { delete: { object: `pod/${pod}` } };
    case 3:
      return { setImage: { workload, container: name, image: oneOf(["app:2", "app:404"], random) ?? "" } };
    default:
      return { scale: { workload, replicas: randomInt(random, 10) } };
  }
}

/** The cluster as a file has it. */
function snapshotOf({ store, clock }: SimulatedCluster): Snapshot {
  const text = writeSnapshot(takeSnapshot(objectsIn(store), { now: clock.now() }), "json");
  const read = readSnapshot(text, "cluster.json");
  if (!read.ok) throw new Error(read.problems.join("\n"));
  return read.snapshot;
}

type Outcome = Pick<WhatIfReport, "stable" | "went" | "came" | "workloads">;

/** A workload that wants no Pods, before and after, is not in a report. */
const isReported =
  ({ objects }: Snapshot) =>
  ({ metadata, spec }: Deployment) =>
    spec.replicas !== 0 ||
    objects.deployments.some((each) => each.metadata.name === metadata.name && each.spec.replicas !== 0);

/** Makes the change to the cluster itself and lists what came of it, without anything that a what-if is made of. */
async function act(cluster: WatchedCluster, change: ActionDocument, snapshot: Snapshot) {
  const { client, clock, reasons, store, untilStable } = cluster;
  const action = directAction(change);
  if (action === undefined) throw new Error("each change is one action");
  const ending = new AbortController();
  const started = await performAction(action, { client, clock });
  if (action.action === "drain")
    void finishDrain(await nodeNamesOf(action, { client, clock }), started, {
      client,
      clock,
      signal: ending.signal,
    });
  const stable = await untilStable();
  ending.abort();
  const left = objectsIn(store);
  const active = left.pods.filter(isActive);
  const idsOf = (all: readonly Pod[]) => new Set(all.map(({ metadata }) => metadata.uid));
  const [remaining, known] = [idsOf(active), idsOf(snapshot.objects.pods)];
  const gone = snapshot.objects.pods.filter((pod) => isActive(pod) && !remaining.has(pod.metadata.uid));
  return {
    stable,
    went: gone.map(({ metadata: { name, uid } }) => ({ pod: name, rule: reasons.get(uid) ?? "deleted" })),
    came: active.filter(({ metadata }) => !known.has(metadata.uid)),
    workloads: left.deployments.filter(isReported(snapshot)).map((deployment) => {
      const own = active.filter(({ metadata }) => metadata.labels?.["app"] === deployment.metadata.name);
      const after = {
        wanted: deployment.spec.replicas,
        pods: own.length,
        ready: own.filter(isReady).length,
      };
      return { name: deployment.metadata.name, after };
    }),
  };
}

/**
 * What does not depend on chance. Where new Pods land is drawn among equal nodes, and two ReplicaSets of a Deployment that
 * shrink at the same instant see each other's Pods or no longer do. So of the Pods that were there the names and rules
 * count where neither is the case, and else how many went.
 */
function certain(
  { went, came, workloads, stable }: Outcome | Awaited<ReturnType<typeof act>>,
  { objects }: Snapshot,
) {
  const owners = new Map(objects.pods.map((pod) => [pod.metadata.name, controllerOf(pod)?.name]));
  const gone = went.filter(({ pod }) => owners.has(pod));
  const isCertain = came.length === 0 && new Set(gone.map(({ pod }) => owners.get(pod))).size === 1;
  return {
    stable,
    went: isCertain ? gone.map(({ pod, rule }) => `${pod} ${rule}`).sort() : gone.length,
    workloads: workloads.map(({ name, after: { wanted, pods: count, ready } }) => ({
      name,
      wanted,
      count,
      ready,
    })),
  };
}

const { groups, clusters, changes, kinds } = perTier({
  unit: { groups: 1, clusters: 1, changes: 4, kinds: [] },
  full: { groups: 10, clusters: 5, changes: 20, kinds: ["delete", "drain", "setImage", "restart", "scale"] },
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
        const actual = await act(cluster, change, snapshot);
        const [told, done] = [certain(predicted, snapshot), certain(actual, snapshot)];
        expect({ seed, count, change, ...told }).toEqual({ seed, count, change, ...done });
        for (const kind of Object.keys(change)) seen.add(kind);
        if (Array.isArray(done.went)) removals += done.went.length;
      }
      await cluster.stop();
    }
    expect([...seen]).toEqual(expect.arrayContaining(kinds));
    expect(removals).toBeGreaterThan(0);
  },
);
