import { expect, test } from "vitest";
import type { Status } from "../../src/api/generated/meta-v1.ts";
import { namespaces, pods, replicaSets } from "../../src/api/resources.ts";
import { apiFailure, ApiError } from "../../src/machinery/client/api-error.ts";
import type { RequestFailure } from "../../src/testing/observe-client.ts";
import { activePods, asked, at, create, poke, scale, statusOf, workload } from "./workload.ts";
import type { StartReplicaSetFixture } from "./fixture.ts";

/** Pods are created in growing batches, and failures are reported in events and a condition. */
export function describeCreating(start: StartReplicaSetFixture): void {
  test.for([
    { name: "ten wanted, none allowed: one is tried", wanted: 10, allowed: 0, calls: 1 },
    { name: "ten wanted, all allowed: ten are tried", wanted: 10, allowed: 10, calls: 10 },
    { name: "ten wanted, five allowed: seven are tried", wanted: 10, allowed: 5, calls: 7 },
    { name: "a hundred wanted, ten allowed: fifteen are tried", wanted: 100, allowed: 10, calls: 15 },
  ])("creation starts slowly: $name", async ({ wanted, allowed, calls }) => {
    const fixture = await start({ nodes: 0 });
    fixture.controller.failRequests(quota(allowed));
    fixture.controller.holdWatches(pods);
    await create(fixture, "web", { replicas: wanted });
    expect(asked(fixture, "create pods")).toBe(calls);
    expect(await activePods(fixture)).toHaveLength(allowed);
  });

  test("a failure is reported in an event and a condition until the Pods can be created", async () => {
    const fixture = await start({ nodes: 0 });
    const lift = fixture.controller.failRequests(quota(2));
    await create(fixture, "web", { replicas: 3 });
    await fixture.clock.advance(100);
    expect((await statusOf(fixture, "web"))?.conditions).toEqual([
      expect.objectContaining({
        type: "ReplicaFailure",
        status: "True",
        reason: "FailedCreate",
        message: "exceeded quota",
      }),
    ]);
    expect(fixture.events()).toContainEqual(
      expect.objectContaining({
        type: "Warning",
        reason: "FailedCreate",
        message: "Error creating: exceeded quota",
      }),
    );

    await scale(fixture, "web", 2);
    expect((await statusOf(fixture, "web"))?.conditions).toBeUndefined();
    lift();
    await scale(fixture, "web", 3);
    expect(await activePods(fixture)).toHaveLength(3);
  });

  test("a refusal that names the Pod, another one each time, is written into the status once", async () => {
    const fixture = await start({ nodes: 0 });
    let count = 0;
    const suffix = () => `x${String(2222 + ++count).replaceAll(/[013]/g, "b")}`;
    fixture.controller.failRequests(({ verb, collection }) =>
      verb === "create" && collection === "pods"
        ? apiFailure(403, "Forbidden", `pods "web-${suffix()}" is forbidden: exceeded quota`)
        : undefined,
    );
    await create(fixture, "web", { replicas: 3 });
    await fixture.clock.advance(60_000);
    expect(count).toBeGreaterThan(5);
    expect(asked(fixture, "update replicasets.apps/status")).toBe(1);
  });

  test("an owner whose workload grows again and again is not read again", async () => {
    const fixture = await start({ nodes: 0 });
    await create(fixture, "web", { replicas: 3 });
    for (const replicas of [6, 9]) await scale(fixture, "web", replicas);
    await fixture.clock.advance(1000);
    expect(await activePods(fixture)).toHaveLength(9);
    expect(asked(fixture, "get replicasets.apps")).toBe(0);
  });

  test("the owner is not read again when a quota refuses its Pods", async () => {
    const fixture = await start({ nodes: 0 });
    fixture.controller.failRequests(quota(2));
    await create(fixture, "web", { replicas: 3 });
    await fixture.clock.advance(10_000);
    expect(asked(fixture, "get replicasets.apps")).toBe(0);
  });

  test("the condition has the words of the latest failure, and stays while nothing is tried", async () => {
    const fixture = await start({ nodes: 0 });
    let message = "first";
    fixture.controller.failRequests(({ verb, collection }) =>
      verb === "create" && collection === "pods" ? apiFailure(403, "Forbidden", message) : undefined,
    );
    await create(fixture, "web", { finalizers: ["example.com/wait"] });
    const [first] = (await statusOf(fixture, "web"))?.conditions ?? [];
    message = "second";
    await fixture.clock.advance(60_000);
    expect((await statusOf(fixture, "web"))?.conditions).toEqual([{ ...first, message: "second" }]);

    await fixture.client.delete(replicaSets, at("web"), { propagationPolicy: "Orphan" });
    await poke(fixture, "web");
    expect((await statusOf(fixture, "web"))?.conditions).toEqual([{ ...first, message: "second" }]);
  });

  test("a failure with a new message each time is tried again ever more slowly all the same", async () => {
    const fixture = await start({ nodes: 0 });
    let tries = 0;
    fixture.controller.failRequests(({ verb, collection }) =>
      verb === "create" && collection === "pods" ? apiFailure(403, "Forbidden", `try ${++tries}`) : undefined,
    );
    await create(fixture, "web");
    await fixture.clock.advance(10_000);
    // 5 ms, doubled each time: ten retries fit into ten seconds.
    expect(tries).toBe(11);
    await fixture.clock.advance(60_000);
    expect(tries).toBeLessThan(16);
  });

  test("creations that failed are not waited for", async () => {
    const fixture = await start({ nodes: 0 });
    const lift = fixture.controller.failRequests(quota(0));
    fixture.controller.holdWatches(pods);
    await create(fixture, "web", { replicas: 5 });
    expect(asked(fixture, "create pods")).toBe(1);
    lift();
    await fixture.clock.advance(1000);
    expect(await activePods(fixture)).toHaveLength(5);
    // One that says so, one that it is over; the Pods themselves have not been seen yet.
    expect(asked(fixture, "update replicasets.apps/status")).toBe(2);
  });

  test("a Pod that came though its creation seemed to fail is one too many, and goes again", async () => {
    const fixture = await start({ nodes: 0 });
    const lift = fixture.controller.failRequests(
      ({ verb, collection }) =>
        verb === "create" && collection === "pods" ? new Error("socket hang up") : undefined,
      "answer",
    );
    fixture.controller.holdWatches(pods);
    await create(fixture, "web");
    lift();
    await fixture.clock.advance(1000);
    expect(await activePods(fixture)).toHaveLength(2);
    fixture.controller.releaseWatches();
    await fixture.clock.advance(1000);
    expect(await activePods(fixture)).toHaveLength(1);
  });

  test("in a namespace that is being deleted nothing is reported or retried", async () => {
    const fixture = await start({ nodes: 0 });
    fixture.controller.failRequests(({ verb, collection }) =>
      verb === "create" && collection === "pods" ? namespaceTerminating() : undefined,
    );
    await create(fixture, "web", { replicas: 3 });
    await poke(fixture, "web");
    await fixture.clock.advance(60_000);
    expect(asked(fixture, "create pods")).toBe(3);
    expect(fixture.events()).toEqual([]);
    expect((await statusOf(fixture, "web"))?.conditions).toBeUndefined();
    expect(fixture.log.entries.filter(({ level }) => level !== "debug")).toEqual([]);
  });

  test("in a namespace that the API server is deleting nothing is reported either", async () => {
    const fixture = await start({ nodes: 0 });
    const { metadata, spec } = workload("web", { replicas: 2 });
    await fixture.client.create(namespaces, { metadata: { name: "team" }, spec: {} });
    await fixture.clock.settle();
    const finalizers = ["example.com/wait"];
    await fixture.client.create(replicaSets, {
      metadata: { ...metadata, namespace: "team", finalizers },
      spec,
    });
    await fixture.clock.settle();
    await fixture.client.delete(namespaces, { name: "team" });
    await fixture.clock.advance(30_000);
    expect(fixture.events().filter(({ type }) => type === "Warning")).toEqual([]);
    expect((await fixture.client.list(pods, { namespace: "team" })).items).toEqual([]);
  });
}

/** Refuses Pods once there are so many. */
function quota(allowed: number): RequestFailure {
  let created = 0;
  return ({ verb, collection }) =>
    verb === "create" && collection === "pods" && ++created > allowed
      ? apiFailure(403, "Forbidden", "exceeded quota")
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
