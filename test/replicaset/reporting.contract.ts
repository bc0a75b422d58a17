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
    const fixture = await start();
    await createRunning(fixture, "web", { replicas: 3 });
    expect(await statusOf(fixture, "web")).toEqual({
      replicas: 3,
      fullyLabeledReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      terminatingReplicas: 0,
      observedGeneration: 1,
    });
  });

  test("ready Pods become available when their time has come, with nothing else happening", async () => {
    const fixture = await start({ nodes: 0 });
    await create(fixture, "web", { replicas: 3, minReadySeconds: 3600 });
    const [first = "", second = ""] = namesOf(await activePods(fixture));
    await report(fixture, first, readySince(fixture.clock.now() - 3_600_000));
    await report(fixture, second, readySince(fixture.clock.now() - 3_590_000));
    expect(await statusOf(fixture, "web")).toMatchObject({
      replicas: 3,
      readyReplicas: 2,
      availableReplicas: 1,
    });
    await fixture.clock.advance(9999);
    expect(await statusOf(fixture, "web")).toMatchObject({ availableReplicas: 1 });
    await fixture.clock.advance(1);
    expect(await statusOf(fixture, "web")).toMatchObject({ readyReplicas: 2, availableReplicas: 2 });
  });

  test("it is the first of several Pods that is waited for", async () => {
    const fixture = await start({ nodes: 0 });
    await create(fixture, "web", { replicas: 4, minReadySeconds: 5 });
    await fixture.clock.advance(700);
    const names = namesOf(await activePods(fixture));
    for (const [index, seconds] of [0, 2, 4].entries()) {
      await report(fixture, names[index] ?? "", readySince(fixture.clock.now() - 700 - seconds * 1000));
    }
    const status = await statusOf(fixture, "web");
    expect(status).toMatchObject({ replicas: 4, readyReplicas: 3 });
    expect(status?.availableReplicas).toBeUndefined();
    await fixture.clock.advance(299);
    expect((await statusOf(fixture, "web"))?.availableReplicas).toBeUndefined();
    await fixture.clock.advance(1);
    expect((await statusOf(fixture, "web"))?.availableReplicas).toBe(1);
  });

  test("Pods without a new label of the template are counted separately", async () => {
    const fixture = await start();
    await createRunning(fixture, "web", { replicas: 1 });
    await patchReplicaSet(fixture, "web", {
      spec: { replicas: 2, template: { metadata: { labels: { tier: "front" } } } },
    });
    await fixture.clock.advance(2000);
    expect(await statusOf(fixture, "web")).toMatchObject({ replicas: 2, fullyLabeledReplicas: 1 });
  });

  test("a change of the template alone is observed", async () => {
    const fixture = await start();
    await createRunning(fixture, "web");
    await patchReplicaSet(fixture, "web", {
      spec: { template: { metadata: { annotations: { note: "new" } } } },
    });
    expect(await statusOf(fixture, "web")).toMatchObject({ observedGeneration: 2 });
    expect(asked(fixture, "create pods")).toBe(1);
  });

  test("ending Pods are reported while the gate is on, as it is switched", async () => {
    const fixture = await start({ gates: { DeploymentReplicaSetTerminatingReplicas: false } });
    await createRunning(fixture, "web", { replicas: 5, templateFinalizers: ["example.com/wait"] });
    const [first = "", second = ""] = namesOf(await activePods(fixture));
    for (const name of [first, second]) {
      await fixture.client.delete(pods, at(name));
      await report(fixture, name, { phase: "Running" });
    }
    await fixture.clock.advance(500);
    expect(await allPods(fixture)).toHaveLength(7);
    const terminating = async () => (await statusOf(fixture, "web"))?.terminatingReplicas;
    expect(await terminating()).toBeUndefined();

    fixture.switchGates({ DeploymentReplicaSetTerminatingReplicas: true });
    await poke(fixture, "web");
    expect(await terminating()).toBe(2);
    await report(fixture, first, { phase: "Succeeded" });
    expect(await terminating()).toBe(1);
    fixture.switchGates({ DeploymentReplicaSetTerminatingReplicas: false });
    await poke(fixture, "web");
    expect(await terminating()).toBeUndefined();
  });

  test("an API server that drops terminatingReplicas does not get the same status over and over", async () => {
    const fixture = await start({ apiServerGates: { DeploymentReplicaSetTerminatingReplicas: false } });
    await createRunning(fixture, "web", { replicas: 2 });
    const before = fixture.controller.requests.length;
    await poke(fixture, "web");
    await fixture.clock.advance(60_000);
    expect(asked(fixture, "update replicasets.apps/status", before)).toBe(1);
    expect((await statusOf(fixture, "web"))?.terminatingReplicas).toBeUndefined();
  });

  test("conditions of others survive", async () => {
    const fixture = await start();
    const { metadata } = await createRunning(fixture, "web");
    const blessed = { type: "Blessed", status: "True", reason: "Sunday" };
    const live = await fixture.client.get(replicaSets, at("web"));
    await fixture.client.update(
      replicaSets,
      {
        ...live,
        metadata: { ...live.metadata, uid: metadata.uid },
        status: { replicas: 9, conditions: [blessed] },
      },
      { subresource: "status" },
    );
    await fixture.clock.settle();
    expect(await statusOf(fixture, "web")).toMatchObject({ replicas: 1, conditions: [blessed] });
  });

  test("a status that cannot be written is written once more onto what is live, and then tried again later", async () => {
    const fixture = await start({ nodes: 0 });
    await create(fixture, "web", { replicas: 1 });
    const before = fixture.controller.requests.length;
    const lift = fixture.controller.failRequests(({ subresource }) =>
      subresource === "status" ? apiFailure(500, "InternalError", "no") : undefined,
    );
    await scale(fixture, "web", 2);
    const asks = fixture.controller.requests.slice(before);
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
    expect(fixture.metrics.value("workqueue_retries_total", { name: "replicaset" })).toBeGreaterThan(0);
    lift();
    await fixture.clock.advance(1000);
    expect(await statusOf(fixture, "web")).toMatchObject({ replicas: 2 });
  });

  test("a conflict costs one more look", async () => {
    const fixture = await start({ nodes: 0 });
    await create(fixture, "web");
    fixture.controller.holdWatches(replicaSets);
    await poke(fixture, "web"); // a version we do not know
    await report(fixture, namesOf(await activePods(fixture))[0] ?? "", readySince(fixture.clock.now()));
    expect(await statusOf(fixture, "web")).toMatchObject({ readyReplicas: 1 });
    expect(fixture.log.entries.filter(({ level }) => level === "warn")).toEqual([]);
  });

  test("what is known of one ReplicaSet is never said of another of its name", async () => {
    const fixture = await start({ nodes: 0 });
    await create(fixture, "web");
    const [name = ""] = namesOf(await activePods(fixture));
    fixture.controller.holdWatches(replicaSets);
    await fixture.client.delete(replicaSets, at("web"), { propagationPolicy: "Orphan" });
    await fixture.clock.advance(100);
    const { metadata } = await create(fixture, "web", { replicas: 0, labels: { app: "other" } });
    await report(fixture, name, readySince(fixture.clock.now()));
    const live = await fixture.client.get(replicaSets, at("web"));
    expect(live.metadata.uid).toBe(metadata.uid);
    expect(live.status?.readyReplicas).toBeUndefined();
  });

  test("nor is it when only the writing brings to light that there is another", async () => {
    const fixture = await start({ nodes: 0 });
    await create(fixture, "web", { templateFinalizers: ["example.com/wait"] });
    fixture.controller.holdWatches(replicaSets);
    await fixture.client.delete(replicaSets, at("web"), { propagationPolicy: "Background" });
    const { metadata } = await create(fixture, "web", { replicas: 0, labels: { app: "other" } });
    const before = fixture.controller.requests.length;
    await fixture.clock.advance(1000);
    // The Pod ends with its owner, of whom that would have to be reported.
    expect(asked(fixture, "update replicasets.apps/status", before)).toBeGreaterThan(0);
    const live = await fixture.client.get(replicaSets, at("web"));
    expect([live.metadata.uid, live.status?.terminatingReplicas]).toEqual([metadata.uid, undefined]);
  });

  test("a status is written once for what is seen at once", async () => {
    const fixture = await start({ nodes: 0 });
    fixture.controller.holdWatches(pods);
    await create(fixture, "web", { replicas: 2 });
    expect(asked(fixture, "update replicasets.apps/status")).toBe(1);
    fixture.controller.releaseWatches();
    await fixture.clock.settle();
    expect(asked(fixture, "update replicasets.apps/status")).toBe(2);
  });
}
