import { expect, test } from "vitest";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { isBeingDeleted } from "../../src/api/object.ts";
import { controllerOf } from "../../src/api/owner-references.ts";
import { isActive, isReady } from "../../src/api/pod-state.ts";
import { daemonSets, nodes, pods, statefulSets } from "../../src/api/resources.ts";
import { oneOf, type Random, randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import type { ActionDocument } from "../../src/simulation/scenario-files/scenario-document.ts";
import { directAction } from "../../src/simulation/scenario-run/event-actions.ts";
import { type SimulatedCluster, startSimulatedCluster } from "../../src/simulation/simulated-cluster.ts";
import { objectsIn } from "../../src/simulation/snapshot/load-snapshot.ts";
import { readSnapshot } from "../../src/simulation/snapshot/read-snapshot.ts";
import { type Snapshot, takeSnapshot, writeSnapshot } from "../../src/simulation/snapshot/snapshot.ts";
import { runWhatIf } from "../../src/simulation/what-if/run-what-if.ts";
import { performAction } from "../../src/user-actions/perform-action.ts";

// What a what-if says about StatefulSets and DaemonSets is held against what the controllers do in the cluster itself.

const namespace = "default";
const at = (name: string) => ({ namespace, name });

interface WatchedCluster extends SimulatedCluster {
  /** The Pods of sets whose deletion began since this was emptied, in order. */
  readonly gone: string[];
}

/** Ordinals have names; a daemon Pod is known by its node. */
const subjectOf = (pod: string, node: string | undefined) =>
  pod.startsWith("agent-") ? `agent on ${node}` : pod;

async function startCluster(seed: number, random: Random): Promise<WatchedCluster> {
  const gone: string[] = [];
  const going = new Set<string>();
  const cluster = await startSimulatedCluster({
    seed: `sets ${seed}`,
    nodes: 4 + randomInt(random, 3),
    zones: 3,
    recording: "none",
    committed(collection, { type, record }) {
      if (collection !== pods.plural) return;
      const pod = record.object as unknown as Pod;
      const { uid, name } = pod.metadata;
      if (going.has(uid) || !(isBeingDeleted(pod) || type === "DELETED")) return;
      going.add(uid);
      gone.push(subjectOf(name, pod.spec?.nodeName));
    },
  });
  return { ...cluster, gone };
}

async function populate({ client, untilStable }: SimulatedCluster, random: Random): Promise<void> {
  const specOf = (name: string) => ({
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name, image: `${name}:1` }] } },
  });
  const claim = {
    metadata: { name: "data" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  };
  const retained = () => oneOf(["Retain", "Delete"], random) ?? "Retain";
  await client.create(statefulSets, {
    metadata: at("db"),
    spec: {
      ...specOf("db"),
      replicas: 3,
      serviceName: "db",
      podManagementPolicy: oneOf(["OrderedReady", "Parallel"], random) ?? "",
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: randomInt(random, 3) } },
      persistentVolumeClaimRetentionPolicy: { whenScaled: retained(), whenDeleted: retained() },
      volumeClaimTemplates: [claim as never],
    },
  });
  const rollingUpdate = oneOf([{ maxUnavailable: 2 }, { maxSurge: 1, maxUnavailable: 0 }], random) ?? {};
  await client.create(daemonSets, {
    metadata: at("agent"),
    spec: { ...specOf("agent"), updateStrategy: { type: "RollingUpdate", rollingUpdate } },
  });
  await untilStable();
}

/** Something to do; a broken image may leave an ordered set stuck, which is to be foretold, too. */
async function randomChange({ client }: SimulatedCluster, random: Random): Promise<ActionDocument> {
  const workload = oneOf(["statefulset/db", "daemonset/agent"], random) ?? "";
  const container = workload === "statefulset/db" ? "db" : "agent";
  const image = oneOf(["app:2", "app:3", "app:404"], random) ?? "";
  const { items } = await client.list(pods, { namespace });
  const pod = oneOf(items.filter(isActive), random)?.metadata.name;
  const node = oneOf((await client.list(nodes, {})).items, random)?.metadata.name ?? "";
  const changes: readonly ActionDocument[] = [
    { restart: { workload } },
    { setImage: { workload, container, image } },
    { scale: { workload: "statefulset/db", replicas: randomInt(random, 6) } },
    { scale: { workload: "statefulset/db", replicas: randomInt(random, 6) } },
    { cordon: { node } },
    ...(pod === undefined ? [] : [{ delete: { object: `pod/${pod}` } }]),
  ];
  return oneOf(changes, random) ?? { restart: { workload } };
}

function snapshotOf({ store, clock }: SimulatedCluster): Snapshot {
  const text = writeSnapshot(takeSnapshot(objectsIn(store), { now: clock.now() }), "json");
  const read = readSnapshot(text, "cluster.json");
  if (!read.ok) throw new Error(read.problems.join("\n"));
  return read.snapshot;
}

/** Pods of the Parallel policy and of several nodes go at once: then their order says nothing. */
async function foretold(snapshot: Snapshot, change: ActionDocument, seed: number) {
  const report = await runWhatIf({ snapshot, changes: [change], seed });
  return {
    stable: report.stable,
    went: report.went.map(({ pod, node }) => subjectOf(pod, node)),
    sets: Object.fromEntries(
      report.workloads.map(({ name, after: { pods: count, ready } }) => [name, { count, ready }]),
    ),
  };
}

async function done(cluster: WatchedCluster, change: ActionDocument) {
  const action = directAction(change);
  if (action === undefined) throw new Error("each change is one action");
  cluster.gone.length = 0;
  await performAction(action, cluster);
  const stable = await cluster.untilStable();
  const active = objectsIn(cluster.store).pods.filter(isActive);
  const countsOf = (name: string) => {
    const own = active.filter((pod) => controllerOf(pod)?.name === name);
    return { count: own.length, ready: own.filter(isReady).length };
  };
  return { stable, went: [...cluster.gone], sets: { agent: countsOf("agent"), db: countsOf("db") } };
}

type Outcome = Awaited<ReturnType<typeof done>> | Awaited<ReturnType<typeof foretold>>;

const comparable = ({ stable, went, sets }: Outcome, isOrdered: boolean) => ({
  stable,
  ordinals: isOrdered ? went.filter(isOrdinal) : went.filter(isOrdinal).toSorted(),
  onNodes: went.filter((subject) => !isOrdinal(subject)).toSorted(),
  // A set that wants no Pods, before and after, is not in a report.
  sets: Object.fromEntries(Object.entries(sets).filter(([, { count }]) => count > 0)),
});
const isOrdinal = (subject: string) => subject.startsWith("db-");

test.for([0, 1, 2, 3, 4, 5])(
  "what what-ifs say about sets is what the controllers then do (%i)",
  async (seed) => {
    const random = seededRandom(`sets prediction ${seed}`);
    const cluster = await startCluster(seed, random);
    await populate(cluster, random);
    const { spec } = await cluster.client.get(statefulSets, at("db"));
    const isOrdered = spec.podManagementPolicy === "OrderedReady";
    let removed = 0;
    for (let count = 0; count < 12; count++) {
      const change = await randomChange(cluster, random);
      const told = comparable(await foretold(snapshotOf(cluster), change, seed), isOrdered);
      const actual = comparable(await done(cluster, change), isOrdered);
      expect({ seed, count, change, ...told }).toEqual({ seed, count, change, ...actual });
      removed += actual.ordinals.length + actual.onNodes.length;
    }
    expect(removed).toBeGreaterThan(4);
    await cluster.stop();
  },
);
