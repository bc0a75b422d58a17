import { expect, test } from "vitest";
import { isControlledBy } from "../../src/api/owner-references.ts";
import { configMaps, pods, replicaSets } from "../../src/api/resources.ts";
import { failure } from "../../src/testing/fake-store.ts";
import {
  activePods,
  asked,
  at,
  create,
  createRunning,
  createLoosePod,
  namesOf,
  ownerReferenceTo,
  patchPod,
  poke,
  report,
  scale,
} from "./workload.ts";
import type { StartReplicaSetFixture, ReplicaSetFixture } from "./fixture.ts";

/** Pods are adopted by who selects them, let go by who no longer does, and never taken from anybody. */
export function describeClaiming(start: StartReplicaSetFixture): void {
  test("orphans are adopted before Pods are made, and those too many deleted", async () => {
    const world = await start();
    for (const name of ["a", "b", "c"]) await createLoosePod(world, name);
    await world.clock.advance(2000);
    const { metadata } = await create(world, "web", { replicas: 2 });
    expect(asked(world, "create pods")).toBe(0);
    // Whoever adopts is asked about once, however many there are.
    expect(asked(world, "get replicasets.apps")).toBe(1);
    const left = await activePods(world);
    expect(left).toHaveLength(2);
    expect(left.every((pod) => isControlledBy(pod, metadata.uid))).toBe(true);
  });

  test("an adoption adds one owner and says whose Pod it is meant for", async () => {
    const world = await start({ nodes: 0 });
    const orphan = await createLoosePod(world, "a");
    const { metadata } = await create(world, "web");
    const patch = world.controller.requests.find(({ verb }) => verb === "patch");
    expect(patch?.body).toMatchObject({
      type: "strategic",
      body: {
        metadata: {
          uid: orphan.metadata.uid,
          ownerReferences: [
            {
              apiVersion: "apps/v1",
              kind: "ReplicaSet",
              name: "web",
              uid: metadata.uid,
              controller: true,
              blockOwnerDeletion: true,
            },
          ],
        },
      },
    });
    expect(asked(world, "get replicasets.apps")).toBe(1);
  });

  test("an orphan that turns out to be ending when it is adopted does not count", async () => {
    const world = await start({ nodes: 0 });
    await createLoosePod(world, "a", { finalizers: ["example.com/wait"] });
    world.controller.holdWatches(pods);
    await world.client.delete(pods, at("a"));
    await create(world, "web");
    expect([asked(world, "patch pods"), asked(world, "create pods")]).toEqual([1, 1]);
    expect(namesOf(await activePods(world))).toEqual([expect.stringMatching(/^web-/)]);
  });

  test("Pods that have ended are neither taken nor let go", async () => {
    const world = await start({ nodes: 0 });
    const { metadata } = await create(world, "web");
    const [own = ""] = namesOf(await activePods(world));
    await report(world, own, { phase: "Failed" });
    await patchPod(world, own, { metadata: { labels: { app: "debugged" } } });
    await createLoosePod(world, "a", { labels: { app: "later" } });
    await report(world, "a", { phase: "Failed" });
    await patchPod(world, "a", { metadata: { labels: { app: "web" } } });
    await poke(world, "web");
    const owners = async (name: string) => (await world.client.get(pods, at(name))).metadata.ownerReferences;
    expect(await owners(own)).toEqual([expect.objectContaining({ uid: metadata.uid })]);
    expect(await owners("a")).toBeUndefined();
  });

  test("until an adoption has been seen the ReplicaSet is not looked at again", async () => {
    const world = await start({ nodes: 0 });
    await createLoosePod(world, "a");
    world.controller.holdWatches(pods);
    await create(world, "web");
    const before = world.controller.requests.length;
    await scale(world, "web", 2);
    expect(world.controller.requests.slice(before)).toEqual([]);
    world.controller.releaseWatches();
    await world.clock.advance(1000);
    expect(await activePods(world)).toHaveLength(2);
  });

  test("an owner that is no controller stays when a Pod is adopted", async () => {
    const world = await start({ nodes: 0 });
    const app = await world.client.create(configMaps, { metadata: at("app") });
    const reference = { apiVersion: "v1", kind: "ConfigMap", name: "app", uid: app.metadata.uid };
    await createLoosePod(world, "a", { ownerReferences: [reference] });
    const { metadata } = await create(world, "web");
    const { ownerReferences = [] } = (await world.client.get(pods, at("a"))).metadata;
    expect(ownerReferences).toHaveLength(2);
    expect(ownerReferences).toContainEqual(reference);
    expect(ownerReferences).toContainEqual(expect.objectContaining({ uid: metadata.uid, controller: true }));
    expect(asked(world, "create pods")).toBe(0);
  });

  test("a Pod that names the ReplicaSet as an owner but not as controller is adopted, in the same reference", async () => {
    const world = await start({ nodes: 0 });
    world.controller.holdWatches(replicaSets);
    const owner = await create(world, "web");
    await createLoosePod(world, "a", { ownerReferences: [ownerReferenceTo(owner, false)] });
    await world.clock.settle();
    world.controller.releaseWatches();
    await world.clock.settle();
    expect((await world.client.get(pods, at("a"))).metadata.ownerReferences).toEqual([
      { ...ownerReferenceTo(owner, true), blockOwnerDeletion: true },
    ]);
    expect(asked(world, "create pods")).toBe(0);
  });

  test("a Pod it controls already is left as it is, whatever the reference lacks", async () => {
    const world = await start({ nodes: 0 });
    world.controller.holdWatches(replicaSets);
    const owner = await create(world, "web");
    const ownerReferences = [ownerReferenceTo(owner, true)];
    await createLoosePod(world, "a", { ownerReferences });
    await world.clock.settle();
    world.controller.releaseWatches();
    await world.clock.settle();
    expect(asked(world, "patch pods")).toBe(0);
    expect(asked(world, "create pods")).toBe(0);
    expect((await world.client.get(pods, at("a"))).metadata.ownerReferences).toEqual(ownerReferences);
  });

  test("another controller's Pods are neither taken nor counted", async () => {
    const world = await start({ nodes: 0 });
    const app = await world.client.create(configMaps, { metadata: at("app") });
    const { uid } = app.metadata;
    const reference = { apiVersion: "v1", kind: "ConfigMap", name: "app", uid, controller: true };
    await createLoosePod(world, "theirs", { ownerReferences: [reference] });
    await create(world, "web", { replicas: 2 });
    expect(asked(world, "patch pods")).toBe(0);
    expect(asked(world, "create pods")).toBe(2);
    expect((await world.client.get(pods, at("theirs"))).metadata.ownerReferences).toEqual([reference]);
  });

  test("a Pod that is relabelled is let go and replaced, and taken back when it is labelled as before", async () => {
    const world = await start();
    await createRunning(world, "web");
    const [name = ""] = namesOf(await activePods(world));
    await patchPod(world, name, { metadata: { labels: { app: "debugged" } } });
    await world.clock.advance(2000);
    expect((await world.client.get(pods, at(name))).metadata.ownerReferences).toBeUndefined();
    expect(await activePods(world)).toHaveLength(2);

    await patchPod(world, name, { metadata: { labels: { app: "web" } } });
    await world.clock.advance(5000);
    expect(await activePods(world)).toHaveLength(1);
  });

  test("a release names the owner and the Pod, and nothing else", async () => {
    const world = await start({ nodes: 0 });
    const { metadata } = await create(world, "web");
    const [pod] = await activePods(world);
    await patchPod(world, pod?.metadata.name ?? "", { metadata: { labels: { app: "debugged" } } });
    const patch = world.controller.requests.find(({ verb }) => verb === "patch");
    expect(patch?.body).toMatchObject({
      body: {
        metadata: { uid: pod?.metadata.uid, ownerReferences: [{ $patch: "delete", uid: metadata.uid }] },
      },
    });
  });

  test.for([
    { name: "is gone", error: failure(404, "NotFound") },
    { name: "is another one by now", error: failure(422, "Invalid") },
  ])("letting go a Pod that $name is no failure", async ({ error }) => {
    const world = await start({ nodes: 0 });
    await create(world, "web");
    world.controller.failRequests(({ verb }) => (verb === "patch" ? error : undefined));
    await patchPod(world, namesOf(await activePods(world))[0] ?? "", {
      metadata: { labels: { app: "debugged" } },
    });
    expect(warnings(world)).toEqual([]);
    expect(await activePods(world)).toHaveLength(2);
  });

  test("an orphan that is gone before it is adopted is no failure", async () => {
    const world = await start({ nodes: 0 });
    await createLoosePod(world, "a");
    world.controller.failRequests(({ verb }) => (verb === "patch" ? failure(404, "NotFound") : undefined));
    await create(world, "web");
    expect(warnings(world)).toEqual([]);
    expect(asked(world, "create pods")).toBe(1);
  });

  test("when adoptions fail, all are tried, no Pods are made, and it is tried again later", async () => {
    const world = await start({ nodes: 0 });
    for (const name of ["a", "b"]) await createLoosePod(world, name);
    const lift = world.controller.failRequests(({ verb }) =>
      verb === "patch" ? failure(500, "InternalError", "no") : undefined,
    );
    await create(world, "web", { replicas: 4 });
    expect(asked(world, "patch pods")).toBe(2);
    expect(asked(world, "create pods")).toBe(0);
    expect(asked(world, "update replicasets.apps/status")).toBe(0);
    lift();
    await world.clock.advance(1000);
    expect(asked(world, "create pods")).toBe(2);
  });

  test("a ReplicaSet that is being deleted adopts nothing", async () => {
    const world = await start({ nodes: 0 });
    await create(world, "web", { replicas: 0, finalizers: ["example.com/wait"] });
    await world.client.delete(replicaSets, at("web"), { propagationPolicy: "Orphan" });
    await world.clock.settle();
    await createLoosePod(world, "a");
    await poke(world, "web");
    expect(asked(world, "patch pods")).toBe(0);
    expect(asked(world, "create pods")).toBe(0);
  });

  test("nothing is adopted for a ReplicaSet that only we do not know to be deleted", async () => {
    const world = await start({ nodes: 0 });
    await create(world, "web", { replicas: 0, finalizers: ["example.com/wait"] });
    world.controller.holdWatches(replicaSets);
    await world.client.delete(replicaSets, at("web"), { propagationPolicy: "Orphan" });
    await createLoosePod(world, "a");
    await world.clock.settle();
    expect(asked(world, "get replicasets.apps")).toBeGreaterThan(0);
    expect(asked(world, "patch pods")).toBe(0);
    expect(warnings(world)).toContainEqual(
      expect.objectContaining({ message: "ReplicaSet default/web is being deleted" }),
    );
  });

  test("nothing is adopted for a ReplicaSet that only we do not know to be another one", async () => {
    const world = await start({ nodes: 0 });
    await create(world, "web", { replicas: 0 });
    world.controller.holdWatches(replicaSets);
    await world.client.delete(replicaSets, at("web"));
    await create(world, "web", { replicas: 0 });
    await createLoosePod(world, "a");
    await world.clock.settle();
    expect(asked(world, "patch pods")).toBe(0);
    expect(warnings(world)).toContainEqual(
      expect.objectContaining({ message: "ReplicaSet default/web is gone, another one has its name" }),
    );
  });

  test("of two that select an orphan one adopts it and keeps it", async () => {
    const world = await start({ nodes: 0 });
    await create(world, "one", { replicas: 0 });
    await create(world, "two", { replicas: 0 });
    world.controller.holdWatches(replicaSets);
    for (const name of ["one", "two"]) await scale(world, name, 1);
    await createLoosePod(world, "a");
    world.controller.releaseWatches();
    await world.clock.advance(5000);
    expect(await activePods(world)).toHaveLength(2);
  });

  test("an orphan of another namespace stays one", async () => {
    const world = await start({ nodes: 0 });
    await createLoosePod(world, "a", { namespace: "elsewhere" });
    await create(world, "web");
    expect(asked(world, "patch pods")).toBe(0);
    expect(asked(world, "create pods")).toBe(1);
  });
}

function warnings({ log }: ReplicaSetFixture): readonly unknown[] {
  return log.entries
    .filter(({ level }) => level === "warn" || level === "error")
    .map(({ fields }) => fields["error"]);
}
