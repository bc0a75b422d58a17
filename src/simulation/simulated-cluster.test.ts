import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import type { Pod } from "../api/generated/core-v1.ts";
import { pods, replicaSets } from "../api/resources.ts";
import { deepFreeze } from "../testing/deep-freeze.ts";
import { startSimulatedCluster, type SimulatedCluster } from "./simulated-cluster.ts";

async function start(seed: string | number = 1): Promise<SimulatedCluster> {
  const world = await startSimulatedCluster({ seed, nodes: 3, guard: deepFreeze });
  onTestFinished(() => world.stop());
  return world;
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
async function playHour(world: SimulatedCluster): Promise<SimulatedCluster> {
  await world.client.create(replicaSets, webOf(4));
  for (const replicas of [6, 2, 5]) {
    await world.advance(20 * 60_000);
    await world.client.patch(
      replicaSets,
      { namespace: "default", name: "web" },
      { type: "merge", body: { spec: { replicas } } },
    );
  }
  await world.untilStable();
  return world;
}

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
  const world = await start();
  const states = new Map<number, readonly unknown[]>();
  await world.client.create(replicaSets, webOf(4));
  for (const replicas of [4, 1]) {
    await world.client.patch(
      replicaSets,
      { namespace: "default", name: "web" },
      { type: "merge", body: { spec: { replicas } } },
    );
    for (let step = 0; step < 8; step++) {
      await world.advance(300);
      states.set(world.clock.now(), stored(world));
    }
    await world.advance(1);
  }
  await world.untilStable();
  expect(states.size).toBe(16);
  for (const [at, objects] of states) expect(recorded(world, at)).toEqual(objects);
  expect(recorded(world, world.clock.now())).toEqual(stored(world));
  const decisions = world.recording.entries.filter(({ kind }) => kind === "decision");
  expect(decisions).toMatchObject([
    ...Array.from({ length: 4 }, () => ({ by: "default-scheduler", what: { feasible: 3, of: 3 } })),
    { by: "ReplicaSet", what: { workload: "default/web", removing: 3, of: 4 } },
  ]);
});

const stored = ({ store }: SimulatedCluster) =>
  [...store.collection("pods").records()].map(({ object }) => object as unknown as Pod);
const recorded = ({ recording }: SimulatedCluster, at: number) =>
  [...(recording.stateAt(at).get("pods") ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pod]) => pod);

test("a quiet world has nothing to run: no microtask, no timer that is due", async () => {
  const world = await start();
  await world.client.create(pods, {
    metadata: { name: "web", namespace: "default" },
    spec: { containers: [{ name: "c", image: "web" }] },
  });
  const before = world.clock.now();
  const done: string[] = [];
  void Promise.resolve()
    .then(() => Promise.resolve())
    .then(() => world.clock.after(0, () => void Promise.resolve().then(() => done.push("timer"))));
  world.clock.after(1, () => done.push("later"));
  await world.untilIdle();
  expect(done).toEqual(["timer"]);
  expect(world.clock.now()).toBe(before);
  const revision = world.store.revision();
  await world.untilIdle();
  expect(world.store.revision()).toBe(revision);
});

test("a world is not quiet while work that has left the process is under way", async () => {
  const world = await start();
  const done: string[] = [];
  const flush = readFile(fileURLToPath(import.meta.url)).then(() => done.push("flushed"));
  void world.clock.hold(flush);
  world.clock.after(1, () => done.push("later"));
  await world.untilIdle();
  expect(done).toEqual(["flushed"]);
});

test("a world at rest stays as it is", async () => {
  const world = await playHour(await start());
  const before = world.lastWriteAt();
  await world.advance(24 * 3_600_000);
  expect(world.lastWriteAt()).toBe(before);
});

test("a part that is started again goes on where the first one was", async () => {
  const world = await start();
  await world.client.create(replicaSets, webOf(3));
  await world.advance(5000);
  await world.components.find(({ name }) => name === "replicaset")?.stop();
  await world.client.patch(
    replicaSets,
    { namespace: "default", name: "web" },
    { type: "merge", body: { spec: { replicas: 5 } } },
  );
  await world.advance(5000);
  expect(stored(world)).toHaveLength(3);
  world.startComponent("replicaset");
  await world.advance(5000);
  expect(stored(world)).toHaveLength(5);
});
