import { expect, test } from "vitest";
import { pods, replicaSets } from "../../src/api/resources.ts";
import { apiFailure } from "../../src/machinery/client/api-error.ts";
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
    const fixture = await start();
    await createRunning(fixture, "web", { replicas: 3 });
    expect(await activePods(fixture)).toHaveLength(3);
    expect(fixture.events().map(({ reason }) => reason)).toEqual(Array(3).fill("SuccessfulCreate"));
    expect(fixture.events()[0]?.message).toMatch(/^Created pod: web-[a-z0-9]{5}$/);
  });

  test("a ReplicaSet that has its Pods is left in peace", async () => {
    const fixture = await start();
    await createRunning(fixture, "web", { replicas: 2 });
    const before = fixture.controller.requests.length;
    await poke(fixture, "web");
    await fixture.clock.advance(1000);
    expect(fixture.controller.requests.slice(before)).toEqual([]);
  });

  test("it follows every change of size", async () => {
    const fixture = await start();
    await createRunning(fixture, "web", { replicas: 2 });
    for (const replicas of [3, 0, 2]) {
      await scale(fixture, "web", replicas);
      await fixture.clock.advance(2000);
      expect(await allPods(fixture)).toHaveLength(replicas);
    }
  });

  test("one Pod is what is meant when nothing is said", async () => {
    const fixture = await start();
    const { spec, metadata } = workload("web");
    const { replicas: _unsaid, ...rest } = spec;
    await fixture.client.create(replicaSets, { metadata, spec: rest });
    await fixture.clock.settle();
    expect(await activePods(fixture)).toHaveLength(1);
  });

  test("a Pod that is being deleted and one that has failed are replaced, and both are still there", async () => {
    const fixture = await start();
    await createRunning(fixture, "web", { replicas: 2, templateFinalizers: ["example.com/wait"] });
    const [first, second] = namesOf(await allPods(fixture));
    await fixture.client.delete(pods, at(first ?? ""));
    await report(fixture, second ?? "", { phase: "Failed" });
    await fixture.clock.advance(2000);
    expect(await activePods(fixture)).toHaveLength(2);
    expect(await allPods(fixture)).toHaveLength(4);
  });

  test("a Pod that is being deleted is replaced at once, not when it is gone", async () => {
    const fixture = await start();
    await createRunning(fixture, "web", {
      templateAnnotations: { "sim.trimtab.dev/stuckTerminating": "true" },
    });
    await fixture.client.delete(pods, at(namesOf(await allPods(fixture))[0] ?? ""));
    await fixture.clock.settle();
    expect(await activePods(fixture)).toHaveLength(1);
    expect(await allPods(fixture)).toHaveLength(2);
  });

  test("no more is done until what was done has been seen", async () => {
    const fixture = await start({ nodes: 0 });
    fixture.controller.holdWatches(pods);
    await create(fixture, "web", { replicas: 2 });
    await poke(fixture, "web");
    await scale(fixture, "web", 4);
    expect(asked(fixture, "create pods")).toBe(2);
    const unread = { group: "", resource: "pods" };
    expect(fixture.metrics.value("replicaset_controller_stale_sync_skips_total", unread)).toBeGreaterThan(0);

    fixture.controller.releaseWatches();
    await fixture.clock.advance(1000);
    expect(asked(fixture, "create pods")).toBe(4);
    expect(await statusOf(fixture, "web")).toMatchObject({ replicas: 4, observedGeneration: 2 });
  });

  test("what was done and is never seen is waited for five minutes, and no longer", async () => {
    const fixture = await start({ nodes: 0 });
    fixture.controller.holdWatches(pods);
    await create(fixture, "web");
    // Created and deleted between two reads: no event will ever show it.
    await fixture.client.delete(pods, at(namesOf(await allPods(fixture))[0] ?? ""));
    fixture.controller.releaseWatches(apiFailure(410, "Expired"));
    await fixture.clock.advance(5 * 60_000);
    expect(await allPods(fixture)).toEqual([]);
    await fixture.clock.advance(10);
    expect(await activePods(fixture)).toHaveLength(1);
  });

  test(
    "at most 500 Pods are created in one go, and the rest when those have been seen",
    { timeout: 30_000 },
    async () => {
      const fixture = await start({ nodes: 0 });
      fixture.controller.holdWatches(pods);
      await create(fixture, "web", { replicas: 501 });
      await poke(fixture, "web");
      expect(asked(fixture, "create pods")).toBe(500);
      fixture.controller.releaseWatches();
      await fixture.clock.advance(1000);
      expect(asked(fixture, "create pods")).toBe(501);
      expect(await activePods(fixture)).toHaveLength(501);

      fixture.controller.holdWatches(pods);
      await scale(fixture, "web", 0);
      await poke(fixture, "web");
      expect(asked(fixture, "delete pods")).toBe(500);
      fixture.controller.releaseWatches();
      await fixture.clock.advance(1000);
      expect(asked(fixture, "delete pods")).toBe(501);
      expect(await allPods(fixture)).toEqual([]);
    },
  );

  test("a ReplicaSet that is created again under its name starts afresh", async () => {
    const fixture = await start({ nodes: 0 });
    fixture.controller.holdWatches(pods);
    await create(fixture, "web", { replicas: 2 });
    await fixture.client.delete(replicaSets, at("web"), { propagationPolicy: "Orphan" });
    await fixture.clock.settle();
    expect(asked(fixture, "create pods")).toBe(2);

    fixture.controller.releaseWatches();
    await fixture.client.delete(replicaSets, at("web")).catch(() => undefined);
    await fixture.client.deleteCollection(pods, { namespace: "default" });
    await fixture.clock.advance(1000);
    fixture.controller.holdWatches(pods);
    await create(fixture, "web", { replicas: 2 });
    expect(asked(fixture, "create pods")).toBe(4);
  });

  test("ReplicaSets that select the same Pods keep to their own", async () => {
    const fixture = await start();
    await createRunning(fixture, "one", { replicas: 1 });
    await createRunning(fixture, "two", { replicas: 2 });
    expect(await allPods(fixture)).toHaveLength(3);
    const before = fixture.controller.requests.length;
    await poke(fixture, "one");
    await poke(fixture, "two");
    expect(fixture.controller.requests.slice(before)).toEqual([]);
  });

  test("a ReplicaSet that is being deleted gets no new Pods, and still reports", async () => {
    const fixture = await start();
    await createRunning(fixture, "web", { replicas: 2, finalizers: ["example.com/wait"] });
    await fixture.client.delete(replicaSets, at("web"), { propagationPolicy: "Orphan" });
    await fixture.clock.settle();
    await fixture.client.delete(pods, at(namesOf(await allPods(fixture))[0] ?? ""));
    await fixture.clock.advance(2000);
    expect(await allPods(fixture)).toHaveLength(1);
    expect(asked(fixture, "create pods")).toBe(2);
  });

  test("the Pods of a ReplicaSet go with it, unless they are to be left behind", async () => {
    const fixture = await start();
    await createRunning(fixture, "gone", { replicas: 2, labels: { app: "gone" } });
    await createRunning(fixture, "left", { replicas: 2, labels: { app: "left" } });
    await fixture.client.delete(replicaSets, at("gone"), { propagationPolicy: "Background" });
    await fixture.client.delete(replicaSets, at("left"), { propagationPolicy: "Orphan" });
    await fixture.clock.advance(5000);
    expect((await fixture.client.list(replicaSets, {})).items).toEqual([]);
    const remaining = await allPods(fixture);
    expect(remaining.map(({ metadata }) => metadata.labels?.["app"])).toEqual(["left", "left"]);
    expect(remaining.flatMap(({ metadata }) => metadata.ownerReferences ?? [])).toEqual([]);
  });
}
