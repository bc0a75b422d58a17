import { expect, test } from "vitest";
import { pods, replicaSets } from "../../src/api/resources.ts";
import { failure } from "../../src/testing/fake-store.ts";
import {
  activePods,
  allPods,
  asked,
  at,
  create,
  createRunning,
  namesOf,
  poke,
  report,
  scale,
  statusOf,
  workload,
} from "./workload.ts";
import type { StartReplicaSetFixture } from "./fixture.ts";

/** A ReplicaSet has as many Pods as it wants, neither more nor fewer, whatever happens to them. */
export function describeCounting(start: StartReplicaSetFixture): void {
  test("a ReplicaSet gets the Pods it wants", async () => {
    const world = await start();
    await createRunning(world, "web", { replicas: 3 });
    expect(await activePods(world)).toHaveLength(3);
    expect(world.events().map(({ reason }) => reason)).toEqual(Array(3).fill("SuccessfulCreate"));
    expect(world.events()[0]?.message).toMatch(/^Created pod: web-[a-z0-9]{5}$/);
  });

  test("a ReplicaSet that has its Pods is left in peace", async () => {
    const world = await start();
    await createRunning(world, "web", { replicas: 2 });
    const before = world.controller.requests.length;
    await poke(world, "web");
    await world.clock.advance(1000);
    expect(world.controller.requests.slice(before)).toEqual([]);
  });

  test("it follows every change of size", async () => {
    const world = await start();
    await createRunning(world, "web", { replicas: 2 });
    for (const replicas of [3, 0, 2]) {
      await scale(world, "web", replicas);
      await world.clock.advance(2000);
      expect(await allPods(world)).toHaveLength(replicas);
    }
  });

  test("one Pod is what is meant when nothing is said", async () => {
    const world = await start();
    const { spec, metadata } = workload("web");
    const { replicas: _unsaid, ...rest } = spec;
    await world.client.create(replicaSets, { metadata, spec: rest });
    await world.clock.settle();
    expect(await activePods(world)).toHaveLength(1);
  });

  test("a Pod that is being deleted and one that has failed are replaced, and both are still there", async () => {
    const world = await start();
    await createRunning(world, "web", { replicas: 2, templateFinalizers: ["example.com/wait"] });
    const [first, second] = namesOf(await allPods(world));
    await world.client.delete(pods, at(first ?? ""));
    await report(world, second ?? "", { phase: "Failed" });
    await world.clock.advance(2000);
    expect(await activePods(world)).toHaveLength(2);
    expect(await allPods(world)).toHaveLength(4);
  });

  test("a Pod that is being deleted is replaced at once, not when it is gone", async () => {
    const world = await start();
    await createRunning(world, "web", {
      templateAnnotations: { "sim.trimtab.dev/stuckTerminating": "true" },
    });
    await world.client.delete(pods, at(namesOf(await allPods(world))[0] ?? ""));
    await world.clock.settle();
    expect(await activePods(world)).toHaveLength(1);
    expect(await allPods(world)).toHaveLength(2);
  });

  test("no more is done until what was done has been seen", async () => {
    const world = await start({ nodes: 0 });
    world.controller.holdWatches(pods);
    await create(world, "web", { replicas: 2 });
    await poke(world, "web");
    await scale(world, "web", 4);
    expect(asked(world, "create pods")).toBe(2);
    const unread = { group: "", resource: "pods" };
    expect(world.metrics.value("replicaset_controller_stale_sync_skips_total", unread)).toBeGreaterThan(0);

    world.controller.releaseWatches();
    await world.clock.advance(1000);
    expect(asked(world, "create pods")).toBe(4);
    expect(await statusOf(world, "web")).toMatchObject({ replicas: 4, observedGeneration: 2 });
  });

  test("what was done and is never seen is waited for five minutes, and no longer", async () => {
    const world = await start({ nodes: 0 });
    world.controller.holdWatches(pods);
    await create(world, "web");
    // Created and deleted between two looks: nobody will ever tell.
    await world.client.delete(pods, at(namesOf(await allPods(world))[0] ?? ""));
    world.controller.releaseWatches(failure(410, "Expired"));
    await world.clock.advance(5 * 60_000);
    expect(await allPods(world)).toEqual([]);
    await world.clock.advance(10);
    expect(await activePods(world)).toHaveLength(1);
  });

  test(
    "at most 500 Pods are created in one go, and the rest when those have been seen",
    { timeout: 30_000 },
    async () => {
      const world = await start({ nodes: 0 });
      world.controller.holdWatches(pods);
      await create(world, "web", { replicas: 501 });
      await poke(world, "web");
      expect(asked(world, "create pods")).toBe(500);
      world.controller.releaseWatches();
      await world.clock.advance(1000);
      expect(asked(world, "create pods")).toBe(501);
      expect(await activePods(world)).toHaveLength(501);

      world.controller.holdWatches(pods);
      await scale(world, "web", 0);
      await poke(world, "web");
      expect(asked(world, "delete pods")).toBe(500);
      world.controller.releaseWatches();
      await world.clock.advance(1000);
      expect(asked(world, "delete pods")).toBe(501);
      expect(await allPods(world)).toEqual([]);
    },
  );

  test("a ReplicaSet that is created again under its name starts afresh", async () => {
    const world = await start({ nodes: 0 });
    world.controller.holdWatches(pods);
    await create(world, "web", { replicas: 2 });
    await world.client.delete(replicaSets, at("web"), { propagationPolicy: "Orphan" });
    await world.clock.settle();
    expect(asked(world, "create pods")).toBe(2);

    world.controller.releaseWatches();
    await world.client.delete(replicaSets, at("web")).catch(() => undefined);
    await world.client.deleteCollection(pods, { namespace: "default" });
    await world.clock.advance(1000);
    world.controller.holdWatches(pods);
    await create(world, "web", { replicas: 2 });
    expect(asked(world, "create pods")).toBe(4);
  });

  test("ReplicaSets that select the same Pods keep to their own", async () => {
    const world = await start();
    await createRunning(world, "one", { replicas: 1 });
    await createRunning(world, "two", { replicas: 2 });
    expect(await allPods(world)).toHaveLength(3);
    const before = world.controller.requests.length;
    await poke(world, "one");
    await poke(world, "two");
    expect(world.controller.requests.slice(before)).toEqual([]);
  });

  test("a ReplicaSet that is being deleted gets no new Pods, and still reports", async () => {
    const world = await start();
    await createRunning(world, "web", { replicas: 2, finalizers: ["example.com/wait"] });
    await world.client.delete(replicaSets, at("web"), { propagationPolicy: "Orphan" });
    await world.clock.settle();
    await world.client.delete(pods, at(namesOf(await allPods(world))[0] ?? ""));
    await world.clock.advance(2000);
    expect(await allPods(world)).toHaveLength(1);
    expect(asked(world, "create pods")).toBe(2);
  });

  test("the Pods of a ReplicaSet go with it, unless they are to be left behind", async () => {
    const world = await start();
    await createRunning(world, "gone", { replicas: 2, labels: { app: "gone" } });
    await createRunning(world, "left", { replicas: 2, labels: { app: "left" } });
    await world.client.delete(replicaSets, at("gone"), { propagationPolicy: "Background" });
    await world.client.delete(replicaSets, at("left"), { propagationPolicy: "Orphan" });
    await world.clock.advance(5000);
    expect((await world.client.list(replicaSets, {})).items).toEqual([]);
    const remaining = await allPods(world);
    expect(remaining.map(({ metadata }) => metadata.labels?.["app"])).toEqual(["left", "left"]);
    expect(remaining.flatMap(({ metadata }) => metadata.ownerReferences ?? [])).toEqual([]);
  });
}
