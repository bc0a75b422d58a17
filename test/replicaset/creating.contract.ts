import { expect, test } from "vitest";
import type { Status } from "../../src/api/generated/meta-v1.ts";
import { namespaces, pods, replicaSets } from "../../src/api/resources.ts";
import { ApiError } from "../../src/machinery/client/api-error.ts";
import { failure } from "../../src/testing/fake-store.ts";
import type { RequestFailure } from "../../src/testing/observe-client.ts";
import { activePods, asked, at, create, poke, scale, statusOf, workload } from "./workload.ts";
import type { StartReplicaSetFixture } from "./fixture.ts";

/** Pods are created carefully, and when they cannot be, people are told. */
export function describeCreating(start: StartReplicaSetFixture): void {
  test.for([
    { name: "ten wanted, none allowed: one is tried", wanted: 10, allowed: 0, calls: 1 },
    { name: "ten wanted, all allowed: ten are tried", wanted: 10, allowed: 10, calls: 10 },
    { name: "ten wanted, five allowed: seven are tried", wanted: 10, allowed: 5, calls: 7 },
    { name: "a hundred wanted, ten allowed: fifteen are tried", wanted: 100, allowed: 10, calls: 15 },
  ])("creation starts slowly: $name", async ({ wanted, allowed, calls }) => {
    const world = await start({ nodes: 0 });
    world.controller.failRequests(quota(allowed));
    world.controller.holdWatches(pods);
    await create(world, "web", { replicas: wanted });
    expect(asked(world, "create pods")).toBe(calls);
    expect(await activePods(world)).toHaveLength(allowed);
  });

  test("a failure is told in an event and a condition until the Pods can be made", async () => {
    const world = await start({ nodes: 0 });
    const lift = world.controller.failRequests(quota(2));
    await create(world, "web", { replicas: 3 });
    await world.clock.advance(100);
    expect((await statusOf(world, "web"))?.conditions).toEqual([
      expect.objectContaining({
        type: "ReplicaFailure",
        status: "True",
        reason: "FailedCreate",
        message: "exceeded quota",
      }),
    ]);
    expect(world.events()).toContainEqual(
      expect.objectContaining({
        type: "Warning",
        reason: "FailedCreate",
        message: "Error creating: exceeded quota",
      }),
    );

    await scale(world, "web", 2);
    expect((await statusOf(world, "web"))?.conditions).toBeUndefined();
    lift();
    await scale(world, "web", 3);
    expect(await activePods(world)).toHaveLength(3);
  });

  test("the condition has the words of the latest failure, and stays while nothing is tried", async () => {
    const world = await start({ nodes: 0 });
    let message = "first";
    world.controller.failRequests(({ verb, collection }) =>
      verb === "create" && collection === "pods" ? failure(403, "Forbidden", message) : undefined,
    );
    await create(world, "web", { finalizers: ["example.com/wait"] });
    const [first] = (await statusOf(world, "web"))?.conditions ?? [];
    message = "second";
    await world.clock.advance(60_000);
    expect((await statusOf(world, "web"))?.conditions).toEqual([{ ...first, message: "second" }]);

    await world.client.delete(replicaSets, at("web"), { propagationPolicy: "Orphan" });
    await poke(world, "web");
    expect((await statusOf(world, "web"))?.conditions).toEqual([{ ...first, message: "second" }]);
  });

  test("a failure with a new message each time is tried again ever more slowly all the same", async () => {
    const world = await start({ nodes: 0 });
    let tries = 0;
    world.controller.failRequests(({ verb, collection }) =>
      verb === "create" && collection === "pods" ? failure(403, "Forbidden", `try ${++tries}`) : undefined,
    );
    await create(world, "web");
    await world.clock.advance(10_000);
    // 5 ms, doubled each time: ten retries fit into ten seconds.
    expect(tries).toBe(11);
    await world.clock.advance(60_000);
    expect(tries).toBeLessThan(16);
  });

  test("creations that failed are not waited for", async () => {
    const world = await start({ nodes: 0 });
    const lift = world.controller.failRequests(quota(0));
    world.controller.holdWatches(pods);
    await create(world, "web", { replicas: 5 });
    expect(asked(world, "create pods")).toBe(1);
    lift();
    await world.clock.advance(1000);
    expect(await activePods(world)).toHaveLength(5);
    // One that says so, one that it is over; the Pods themselves have not been seen yet.
    expect(asked(world, "update replicasets.apps/status")).toBe(2);
  });

  test("a Pod that came though its creation seemed to fail is one too many, and goes again", async () => {
    const world = await start({ nodes: 0 });
    const lift = world.controller.failRequests(
      ({ verb, collection }) =>
        verb === "create" && collection === "pods" ? new Error("socket hang up") : undefined,
      "answer",
    );
    world.controller.holdWatches(pods);
    await create(world, "web");
    lift();
    await world.clock.advance(1000);
    expect(await activePods(world)).toHaveLength(2);
    world.controller.releaseWatches();
    await world.clock.advance(1000);
    expect(await activePods(world)).toHaveLength(1);
  });

  test("in a namespace that is ending nothing is told and nothing tried again", async () => {
    const world = await start({ nodes: 0 });
    world.controller.failRequests(({ verb, collection }) =>
      verb === "create" && collection === "pods" ? namespaceTerminating() : undefined,
    );
    await create(world, "web", { replicas: 3 });
    await poke(world, "web");
    await world.clock.advance(60_000);
    expect(asked(world, "create pods")).toBe(3);
    expect(world.events()).toEqual([]);
    expect((await statusOf(world, "web"))?.conditions).toBeUndefined();
    expect(world.log.entries.filter(({ level }) => level !== "debug")).toEqual([]);
  });

  test("in a namespace that is really ending nothing is told either", async () => {
    const world = await start({ nodes: 0 });
    const { metadata, spec } = workload("web", { replicas: 2 });
    await world.client.create(namespaces, { metadata: { name: "team" }, spec: {} });
    await world.clock.settle();
    const finalizers = ["example.com/wait"];
    await world.client.create(replicaSets, {
      metadata: { ...metadata, namespace: "team", finalizers },
      spec,
    });
    await world.clock.settle();
    await world.client.delete(namespaces, { name: "team" });
    await world.clock.advance(30_000);
    expect(world.events().filter(({ type }) => type === "Warning")).toEqual([]);
    expect((await world.client.list(pods, { namespace: "team" })).items).toEqual([]);
  });
}

/** Refuses Pods once there are so many. */
function quota(allowed: number): RequestFailure {
  let created = 0;
  return ({ verb, collection }) =>
    verb === "create" && collection === "pods" && ++created > allowed
      ? failure(403, "Forbidden", "exceeded quota")
      : undefined;
}

function namespaceTerminating(): ApiError {
  const status: Status = {
    status: "Failure",
    code: 403,
    reason: "Forbidden",
    message: "namespace is being terminated",
    details: { causes: [{ reason: "NamespaceTerminating" }] },
  };
  return new ApiError(status);
}
