import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import type { Pod } from "../api/generated/core-v1.ts";
import { configMaps, pods, replicaSets } from "../api/resources.ts";
import { deepFreeze } from "../testing/deep-freeze.ts";
import { startSimulatedCluster, type SimulatedCluster } from "./simulated-cluster.ts";

async function start(seed: string | number = 1): Promise<SimulatedCluster> {
  const cluster = await startSimulatedCluster({ seed, nodes: 3, guard: deepFreeze });
  onTestFinished(() => cluster.stop());
  return cluster;
}

const labels = { app: "web" };
const webOf = (replicas: number) => ({
  metadata: { name: "web", namespace: "default" },
  spec: {
    replicas,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "web" }] } },
  },
});

/** An hour in which a ReplicaSet is made, grows and shrinks. */
async function playHour(cluster: SimulatedCluster): Promise<SimulatedCluster> {
  await cluster.client.create(replicaSets, webOf(4));
  for (const replicas of [6, 2, 5]) {
    await cluster.advance(20 * 60_000);
    await cluster.client.patch(
      replicaSets,
      { namespace: "default", name: "web" },
      { type: "merge", body: { spec: { replicas } } },
    );
  }
  await cluster.untilStable();
  return cluster;
}

/** The names and UIDs that the Pods of a new ReplicaSet get. */
async function identities(cluster: SimulatedCluster): Promise<readonly string[]> {
  await cluster.client.create(replicaSets, webOf(3));
  await cluster.untilStable();
  const { items } = await cluster.client.list(pods, {});
  return items.map(({ metadata }) => `${metadata.name} ${metadata.uid}`);
}

test("objects of another kind do not change the names and UIDs of Pods", async () => {
  const [plain, other] = [await start(), await start()];
  for (const name of ["a", "b"])
    await other.client.create(configMaps, { metadata: { name, namespace: "default" } });
  expect(await identities(other)).toEqual(await identities(plain));
});

test("a cluster that begins with objects of the same seed gives new ones other UIDs", async () => {
  const earlier = await identities(await start());
  const kept = await startSimulatedCluster({
    seed: 1,
    nodes: 3,
    load: (store) => void store.collection("configmaps").put("default/kept", keptConfigMap),
  });
  onTestFinished(() => kept.stop());
  const later = await identities(kept);
  expect(later.filter((each) => earlier.includes(each))).toEqual([]);
});
const keptConfigMap = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "kept", namespace: "default", uid: "k" },
};

test("the same seed gives the same bytes, another seed others", async () => {
  const [first, second, other] = [
    await playHour(await start()),
    await playHour(await start()),
    await playHour(await start(2)),
  ];
  expect([...second.recording.lines()]).toEqual([...first.recording.lines()]);
  expect(second.recording.digest()).toBe(first.recording.digest());
  expect(other.recording.digest()).not.toBe(first.recording.digest());
});

test("a recording knows the state of the store at any instant that is over, and every decision", async () => {
  const cluster = await start();
  const states = new Map<number, readonly unknown[]>();
  await cluster.client.create(replicaSets, webOf(4));
  for (const replicas of [4, 1]) {
    await cluster.client.patch(
      replicaSets,
      { namespace: "default", name: "web" },
      { type: "merge", body: { spec: { replicas } } },
    );
    for (let step = 0; step < 8; step++) {
      await cluster.advance(300);
      states.set(cluster.clock.now(), stored(cluster));
    }
    await cluster.advance(1);
  }
  await cluster.untilStable();
  expect(states.size).toBe(16);
  for (const [at, objects] of states) expect(recorded(cluster, at)).toEqual(objects);
  expect(recorded(cluster, cluster.clock.now())).toEqual(stored(cluster));
  const decisions = cluster.recording.entries.filter(({ kind }) => kind === "decision");
  expect(decisions).toMatchObject([
    ...Array.from({ length: 4 }, () => ({ by: "default-scheduler", what: { feasible: 3, of: 3 } })),
    { by: "ReplicaSet", what: { workload: "default/web", removing: 3, of: 4 } },
  ]);
});

const stored = ({ store }: SimulatedCluster) =>
  [...store.collection("pods").records()].map(({ object }) => object as unknown as Pod);
const recorded = ({ recording }: SimulatedCluster, at: number) =>
  [...(recording.stateAt(at).get("pods") ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pod]) => pod);

test("a quiet cluster has nothing to run: no microtask, no timer that is due", async () => {
  const cluster = await start();
  await cluster.client.create(pods, {
    metadata: { name: "web", namespace: "default" },
    spec: { containers: [{ name: "c", image: "web" }] },
  });
  const before = cluster.clock.now();
  const done: string[] = [];
  void Promise.resolve()
    .then(() => Promise.resolve())
    .then(() => cluster.clock.after(0, () => void Promise.resolve().then(() => done.push("timer"))));
  cluster.clock.after(1, () => done.push("later"));
  await cluster.untilIdle();
  expect(done).toEqual(["timer"]);
  expect(cluster.clock.now()).toBe(before);
  const revision = cluster.store.revision();
  await cluster.untilIdle();
  expect(cluster.store.revision()).toBe(revision);
});

test("a cluster is not quiet while work that has left the process is under way", async () => {
  const cluster = await start();
  const done: string[] = [];
  const flush = readFile(fileURLToPath(import.meta.url)).then(() => done.push("flushed"));
  void cluster.clock.hold(flush);
  cluster.clock.after(1, () => done.push("later"));
  await cluster.untilIdle();
  expect(done).toEqual(["flushed"]);
});

test("a stable cluster stays as it is", async () => {
  const cluster = await playHour(await start());
  const before = cluster.lastWriteAt();
  await cluster.advance(24 * 3_600_000);
  expect(cluster.lastWriteAt()).toBe(before);
});

test("a component that is started again goes on where the first one was", async () => {
  const cluster = await start();
  await cluster.client.create(replicaSets, webOf(3));
  await cluster.advance(5000);
  await cluster.components.find(({ name }) => name === "replicaset")?.stop();
  await cluster.client.patch(
    replicaSets,
    { namespace: "default", name: "web" },
    { type: "merge", body: { spec: { replicas: 5 } } },
  );
  await cluster.advance(5000);
  expect(stored(cluster)).toHaveLength(3);
  cluster.startComponent("replicaset");
  await cluster.advance(5000);
  expect(stored(cluster)).toHaveLength(5);
});
