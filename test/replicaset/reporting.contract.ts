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
  patchReplicaSet,
  poke,
  readySince,
  report,
  scale,
  statusOf,
} from "./workload.ts";
import type { StartReplicaSetFixture } from "./fixture.ts";

/** A status says what is there, soon, and no more often than it changes. */
export function describeReporting(start: StartReplicaSetFixture): void {
  test("a status has every count", async () => {
    const world = await start();
    await createRunning(world, "web", { replicas: 3 });
    expect(await statusOf(world, "web")).toEqual({
      replicas: 3,
      fullyLabeledReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      terminatingReplicas: 0,
      observedGeneration: 1,
    });
  });

  test("ready Pods become available when their time has come, with nothing else happening", async () => {
    const world = await start({ nodes: 0 });
    await create(world, "web", { replicas: 3, minReadySeconds: 3600 });
    const [first = "", second = ""] = namesOf(await activePods(world));
    await report(world, first, readySince(world.clock.now() - 3_600_000));
    await report(world, second, readySince(world.clock.now() - 3_590_000));
    expect(await statusOf(world, "web")).toMatchObject({
      replicas: 3,
      readyReplicas: 2,
      availableReplicas: 1,
    });
    await world.clock.advance(9999);
    expect(await statusOf(world, "web")).toMatchObject({ availableReplicas: 1 });
    await world.clock.advance(1);
    expect(await statusOf(world, "web")).toMatchObject({ readyReplicas: 2, availableReplicas: 2 });
  });

  test("it is the first of several Pods that is waited for", async () => {
    const world = await start({ nodes: 0 });
    await create(world, "web", { replicas: 4, minReadySeconds: 5 });
    await world.clock.advance(700);
    const names = namesOf(await activePods(world));
    for (const [index, seconds] of [0, 2, 4].entries()) {
      await report(world, names[index] ?? "", readySince(world.clock.now() - 700 - seconds * 1000));
    }
    const status = await statusOf(world, "web");
    expect(status).toMatchObject({ replicas: 4, readyReplicas: 3 });
    expect(status?.availableReplicas).toBeUndefined();
    await world.clock.advance(299);
    expect((await statusOf(world, "web"))?.availableReplicas).toBeUndefined();
    await world.clock.advance(1);
    expect((await statusOf(world, "web"))?.availableReplicas).toBe(1);
  });

  test("Pods without a new label of the template are told apart", async () => {
    const world = await start();
    await createRunning(world, "web", { replicas: 1 });
    await patchReplicaSet(world, "web", {
      spec: { replicas: 2, template: { metadata: { labels: { tier: "front" } } } },
    });
    await world.clock.advance(2000);
    expect(await statusOf(world, "web")).toMatchObject({ replicas: 2, fullyLabeledReplicas: 1 });
  });

  test("a change of the template alone is observed", async () => {
    const world = await start();
    await createRunning(world, "web");
    await patchReplicaSet(world, "web", {
      spec: { template: { metadata: { annotations: { note: "new" } } } },
    });
    expect(await statusOf(world, "web")).toMatchObject({ observedGeneration: 2 });
    expect(asked(world, "create pods")).toBe(1);
  });

  test("ending Pods are reported while the gate is on, as it is switched", async () => {
    const world = await start({ gates: { DeploymentReplicaSetTerminatingReplicas: false } });
    await createRunning(world, "web", { replicas: 5, templateFinalizers: ["example.com/wait"] });
    const [first = "", second = ""] = namesOf(await activePods(world));
    for (const name of [first, second]) {
      await world.client.delete(pods, at(name));
      await report(world, name, { phase: "Running" });
    }
    await world.clock.advance(500);
    expect(await allPods(world)).toHaveLength(7);
    const terminating = async () => (await statusOf(world, "web"))?.terminatingReplicas;
    expect(await terminating()).toBeUndefined();

    world.switchGates({ DeploymentReplicaSetTerminatingReplicas: true });
    await poke(world, "web");
    expect(await terminating()).toBe(2);
    await report(world, first, { phase: "Succeeded" });
    expect(await terminating()).toBe(1);
    world.switchGates({ DeploymentReplicaSetTerminatingReplicas: false });
    await poke(world, "web");
    expect(await terminating()).toBeUndefined();
  });

  test("an API server that does not know of ending Pods is told in vain, but not over and over", async () => {
    const world = await start({ apiServerGates: { DeploymentReplicaSetTerminatingReplicas: false } });
    await createRunning(world, "web", { replicas: 2 });
    const before = world.controller.requests.length;
    await poke(world, "web");
    await world.clock.advance(60_000);
    expect(asked(world, "update replicasets.apps/status", before)).toBe(1);
    expect((await statusOf(world, "web"))?.terminatingReplicas).toBeUndefined();
  });

  test("conditions of others survive", async () => {
    const world = await start();
    const { metadata } = await createRunning(world, "web");
    const blessed = { type: "Blessed", status: "True", reason: "Sunday" };
    const live = await world.client.get(replicaSets, at("web"));
    await world.client.update(
      replicaSets,
      {
        ...live,
        metadata: { ...live.metadata, uid: metadata.uid },
        status: { replicas: 9, conditions: [blessed] },
      },
      { subresource: "status" },
    );
    await world.clock.settle();
    expect(await statusOf(world, "web")).toMatchObject({ replicas: 1, conditions: [blessed] });
  });

  test("a status that cannot be written is written once more onto what is live, and then tried again later", async () => {
    const world = await start({ nodes: 0 });
    await create(world, "web", { replicas: 1 });
    const before = world.controller.requests.length;
    const lift = world.controller.failRequests(({ subresource }) =>
      subresource === "status" ? failure(500, "InternalError", "no") : undefined,
    );
    await scale(world, "web", 2);
    const asks = world.controller.requests.slice(before);
    const first = asks.findIndex(({ subresource }) => subresource === "status");
    expect(asks.slice(first, first + 3).map(({ verb, collection }) => `${verb} ${collection}`)).toEqual([
      "update replicasets.apps",
      "get replicasets.apps",
      "update replicasets.apps",
    ]);
    const written = asks.filter(({ subresource }) => subresource === "status").slice(0, 2);
    expect(written.map(({ body }) => body)).toEqual(
      Array(2).fill(expect.objectContaining({ status: expect.objectContaining({ observedGeneration: 2 }) })),
    );
    expect(world.metrics.value("workqueue_retries_total", { name: "replicaset" })).toBeGreaterThan(0);
    lift();
    await world.clock.advance(1000);
    expect(await statusOf(world, "web")).toMatchObject({ replicas: 2 });
  });

  test("a conflict costs one more look", async () => {
    const world = await start({ nodes: 0 });
    await create(world, "web");
    world.controller.holdWatches(replicaSets);
    await poke(world, "web"); // a version we do not know
    await report(world, namesOf(await activePods(world))[0] ?? "", readySince(world.clock.now()));
    expect(await statusOf(world, "web")).toMatchObject({ readyReplicas: 1 });
    expect(world.log.entries.filter(({ level }) => level === "warn")).toEqual([]);
  });

  test("what is known of one ReplicaSet is never said of another of its name", async () => {
    const world = await start({ nodes: 0 });
    await create(world, "web");
    const [name = ""] = namesOf(await activePods(world));
    world.controller.holdWatches(replicaSets);
    await world.client.delete(replicaSets, at("web"), { propagationPolicy: "Orphan" });
    await world.clock.advance(100);
    const { metadata } = await create(world, "web", { replicas: 0, labels: { app: "other" } });
    await report(world, name, readySince(world.clock.now()));
    const live = await world.client.get(replicaSets, at("web"));
    expect(live.metadata.uid).toBe(metadata.uid);
    expect(live.status?.readyReplicas).toBeUndefined();
  });

  test("nor is it when only the writing brings to light that there is another", async () => {
    const world = await start({ nodes: 0 });
    await create(world, "web", { templateFinalizers: ["example.com/wait"] });
    world.controller.holdWatches(replicaSets);
    await world.client.delete(replicaSets, at("web"), { propagationPolicy: "Background" });
    const { metadata } = await create(world, "web", { replicas: 0, labels: { app: "other" } });
    const before = world.controller.requests.length;
    await world.clock.advance(1000);
    // The Pod ends with its owner, of whom that would have to be reported.
    expect(asked(world, "update replicasets.apps/status", before)).toBeGreaterThan(0);
    const live = await world.client.get(replicaSets, at("web"));
    expect([live.metadata.uid, live.status?.terminatingReplicas]).toEqual([metadata.uid, undefined]);
  });

  test("a status is written once for what is seen at once", async () => {
    const world = await start({ nodes: 0 });
    world.controller.holdWatches(pods);
    await create(world, "web", { replicas: 2 });
    expect(asked(world, "update replicasets.apps/status")).toBe(1);
    world.controller.releaseWatches();
    await world.clock.settle();
    expect(asked(world, "update replicasets.apps/status")).toBe(2);
  });
}
