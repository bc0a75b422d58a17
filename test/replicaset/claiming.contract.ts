import { expect, test } from "vitest";
import { isControlledBy } from "../../src/api/owner-references.ts";
import { configMaps, pods, replicaSets } from "../../src/api/resources.ts";
import { apiFailure } from "../../src/machinery/client/api-error.ts";
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

/** A ReplicaSet adopts the orphans it selects, releases Pods it no longer selects, and never takes those of another. */
export function describeClaiming(start: StartReplicaSetFixture): void {
  test("orphans are adopted before Pods are made, and those too many deleted", async () => {
    const fixture = await start();
    for (const name of ["a", "b", "c"]) await createLoosePod(fixture, name);
    await fixture.clock.advance(2000);
    const { metadata } = await create(fixture, "web", { replicas: 2 });
    expect(asked(fixture, "create pods")).toBe(0);
    // The owner is read once before it adopts, however many Pods it adopts.
    expect(asked(fixture, "get replicasets.apps")).toBe(1);
    const left = await activePods(fixture);
    expect(left).toHaveLength(2);
    expect(left.every((pod) => isControlledBy(pod, metadata.uid))).toBe(true);
  });

  test("an adoption adds one owner and says whose Pod it is meant for", async () => {
    const fixture = await start({ nodes: 0 });
    const orphan = await createLoosePod(fixture, "a");
    const { metadata } = await create(fixture, "web");
    const patch = fixture.controller.requests.find(({ verb }) => verb === "patch");
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
    expect(asked(fixture, "get replicasets.apps")).toBe(1);
  });

  test("an orphan that turns out to be ending when it is adopted does not count", async () => {
    const fixture = await start({ nodes: 0 });
    await createLoosePod(fixture, "a", { finalizers: ["example.com/wait"] });
    fixture.controller.holdWatches(pods);
    await fixture.client.delete(pods, at("a"));
    await create(fixture, "web");
    expect([asked(fixture, "patch pods"), asked(fixture, "create pods")]).toEqual([1, 1]);
    expect(namesOf(await activePods(fixture))).toEqual([expect.stringMatching(/^web-/)]);
  });

  test("Pods that have ended are neither taken nor let go", async () => {
    const fixture = await start({ nodes: 0 });
    const { metadata } = await create(fixture, "web");
    const [own = ""] = namesOf(await activePods(fixture));
    await report(fixture, own, { phase: "Failed" });
    await patchPod(fixture, own, { metadata: { labels: { app: "debugged" } } });
    await createLoosePod(fixture, "a", { labels: { app: "later" } });
    await report(fixture, "a", { phase: "Failed" });
    await patchPod(fixture, "a", { metadata: { labels: { app: "web" } } });
    await poke(fixture, "web");
    const owners = async (name: string) =>
      (await fixture.client.get(pods, at(name))).metadata.ownerReferences;
    expect(await owners(own)).toEqual([expect.objectContaining({ uid: metadata.uid })]);
    expect(await owners("a")).toBeUndefined();
  });

  test("until an adoption has been seen the ReplicaSet is not looked at again", async () => {
    const fixture = await start({ nodes: 0 });
    await createLoosePod(fixture, "a");
    fixture.controller.holdWatches(pods);
    await create(fixture, "web");
    const before = fixture.controller.requests.length;
    await scale(fixture, "web", 2);
    expect(fixture.controller.requests.slice(before)).toEqual([]);
    fixture.controller.releaseWatches();
    await fixture.clock.advance(1000);
    expect(await activePods(fixture)).toHaveLength(2);
  });

  test("an owner that is no controller stays when a Pod is adopted", async () => {
    const fixture = await start({ nodes: 0 });
    const app = await fixture.client.create(configMaps, { metadata: at("app") });
    const reference = { apiVersion: "v1", kind: "ConfigMap", name: "app", uid: app.metadata.uid };
    await createLoosePod(fixture, "a", { ownerReferences: [reference] });
    const { metadata } = await create(fixture, "web");
    const { ownerReferences = [] } = (await fixture.client.get(pods, at("a"))).metadata;
    expect(ownerReferences).toHaveLength(2);
    expect(ownerReferences).toContainEqual(reference);
    expect(ownerReferences).toContainEqual(expect.objectContaining({ uid: metadata.uid, controller: true }));
    expect(asked(fixture, "create pods")).toBe(0);
  });

  test("a Pod that names the ReplicaSet as an owner but not as controller is adopted, in the same reference", async () => {
    const fixture = await start({ nodes: 0 });
    fixture.controller.holdWatches(replicaSets);
    const owner = await create(fixture, "web");
    await createLoosePod(fixture, "a", { ownerReferences: [ownerReferenceTo(owner, false)] });
    await fixture.clock.settle();
    fixture.controller.releaseWatches();
    await fixture.clock.settle();
    expect((await fixture.client.get(pods, at("a"))).metadata.ownerReferences).toEqual([
      { ...ownerReferenceTo(owner, true), blockOwnerDeletion: true },
    ]);
    expect(asked(fixture, "create pods")).toBe(0);
  });

  test("a Pod it controls already is left as it is, whatever the reference lacks", async () => {
    const fixture = await start({ nodes: 0 });
    fixture.controller.holdWatches(replicaSets);
    const owner = await create(fixture, "web");
    const ownerReferences = [ownerReferenceTo(owner, true)];
    await createLoosePod(fixture, "a", { ownerReferences });
    await fixture.clock.settle();
    fixture.controller.releaseWatches();
    await fixture.clock.settle();
    expect(asked(fixture, "patch pods")).toBe(0);
    expect(asked(fixture, "create pods")).toBe(0);
    expect((await fixture.client.get(pods, at("a"))).metadata.ownerReferences).toEqual(ownerReferences);
  });

  test("another controller's Pods are neither taken nor counted", async () => {
    const fixture = await start({ nodes: 0 });
    const app = await fixture.client.create(configMaps, { metadata: at("app") });
    const { uid } = app.metadata;
    const reference = { apiVersion: "v1", kind: "ConfigMap", name: "app", uid, controller: true };
    await createLoosePod(fixture, "theirs", { ownerReferences: [reference] });
    await create(fixture, "web", { replicas: 2 });
    expect(asked(fixture, "patch pods")).toBe(0);
    expect(asked(fixture, "create pods")).toBe(2);
    expect((await fixture.client.get(pods, at("theirs"))).metadata.ownerReferences).toEqual([reference]);
  });

  test("a Pod that is relabelled is let go and replaced, and taken back when it is labelled as before", async () => {
    const fixture = await start();
    await createRunning(fixture, "web");
    const [name = ""] = namesOf(await activePods(fixture));
    await patchPod(fixture, name, { metadata: { labels: { app: "debugged" } } });
    await fixture.clock.advance(2000);
    expect((await fixture.client.get(pods, at(name))).metadata.ownerReferences).toBeUndefined();
    expect(await activePods(fixture)).toHaveLength(2);

    await patchPod(fixture, name, { metadata: { labels: { app: "web" } } });
    await fixture.clock.advance(5000);
    expect(await activePods(fixture)).toHaveLength(1);
  });

  test("a release names the owner and the Pod, and nothing else", async () => {
    const fixture = await start({ nodes: 0 });
    const { metadata } = await create(fixture, "web");
    const [pod] = await activePods(fixture);
    await patchPod(fixture, pod?.metadata.name ?? "", { metadata: { labels: { app: "debugged" } } });
    const patch = fixture.controller.requests.find(({ verb }) => verb === "patch");
    expect(patch?.body).toMatchObject({
      body: {
        metadata: { uid: pod?.metadata.uid, ownerReferences: [{ $patch: "delete", uid: metadata.uid }] },
      },
    });
  });

  test.for([
    { name: "is gone", error: apiFailure(404, "NotFound") },
    { name: "is another one by now", error: apiFailure(422, "Invalid") },
  ])("letting go a Pod that $name is no failure", async ({ error }) => {
    const fixture = await start({ nodes: 0 });
    await create(fixture, "web");
    fixture.controller.failRequests(({ verb }) => (verb === "patch" ? error : undefined));
    await patchPod(fixture, namesOf(await activePods(fixture))[0] ?? "", {
      metadata: { labels: { app: "debugged" } },
    });
    expect(warnings(fixture)).toEqual([]);
    expect(await activePods(fixture)).toHaveLength(2);
  });

  test("an orphan that is gone before it is adopted is no failure", async () => {
    const fixture = await start({ nodes: 0 });
    await createLoosePod(fixture, "a");
    fixture.controller.failRequests(({ verb }) =>
      verb === "patch" ? apiFailure(404, "NotFound") : undefined,
    );
    await create(fixture, "web");
    expect(warnings(fixture)).toEqual([]);
    expect(asked(fixture, "create pods")).toBe(1);
  });

  test("when adoptions fail, all are tried, no Pods are made, and it is tried again later", async () => {
    const fixture = await start({ nodes: 0 });
    for (const name of ["a", "b"]) await createLoosePod(fixture, name);
    const lift = fixture.controller.failRequests(({ verb }) =>
      verb === "patch" ? apiFailure(500, "InternalError", "no") : undefined,
    );
    await create(fixture, "web", { replicas: 4 });
    expect(asked(fixture, "patch pods")).toBe(2);
    expect(asked(fixture, "create pods")).toBe(0);
    expect(asked(fixture, "update replicasets.apps/status")).toBe(0);
    lift();
    await fixture.clock.advance(1000);
    expect(asked(fixture, "create pods")).toBe(2);
  });

  test("a ReplicaSet that is being deleted adopts nothing", async () => {
    const fixture = await start({ nodes: 0 });
    await create(fixture, "web", { replicas: 0, finalizers: ["example.com/wait"] });
    await fixture.client.delete(replicaSets, at("web"), { propagationPolicy: "Orphan" });
    await fixture.clock.settle();
    await createLoosePod(fixture, "a");
    await poke(fixture, "web");
    expect(asked(fixture, "patch pods")).toBe(0);
    expect(asked(fixture, "create pods")).toBe(0);
  });

  test("nothing is adopted for a ReplicaSet that only we do not know to be deleted", async () => {
    const fixture = await start({ nodes: 0 });
    await create(fixture, "web", { replicas: 0, finalizers: ["example.com/wait"] });
    fixture.controller.holdWatches(replicaSets);
    await fixture.client.delete(replicaSets, at("web"), { propagationPolicy: "Orphan" });
    await createLoosePod(fixture, "a");
    await fixture.clock.settle();
    expect(asked(fixture, "get replicasets.apps")).toBeGreaterThan(0);
    expect(asked(fixture, "patch pods")).toBe(0);
    expect(warnings(fixture)).toContainEqual(
      expect.objectContaining({ message: "ReplicaSet default/web is being deleted" }),
    );
  });

  test("nothing is adopted for a ReplicaSet that only we do not know to be another one", async () => {
    const fixture = await start({ nodes: 0 });
    await create(fixture, "web", { replicas: 0 });
    fixture.controller.holdWatches(replicaSets);
    await fixture.client.delete(replicaSets, at("web"));
    await create(fixture, "web", { replicas: 0 });
    await createLoosePod(fixture, "a");
    await fixture.clock.settle();
    expect(asked(fixture, "patch pods")).toBe(0);
    expect(warnings(fixture)).toContainEqual(
      expect.objectContaining({ message: "ReplicaSet default/web is gone, another one has its name" }),
    );
  });

  test("of two that select an orphan one adopts it and keeps it", async () => {
    const fixture = await start({ nodes: 0 });
    await create(fixture, "one", { replicas: 0 });
    await create(fixture, "two", { replicas: 0 });
    fixture.controller.holdWatches(replicaSets);
    for (const name of ["one", "two"]) await scale(fixture, name, 1);
    await createLoosePod(fixture, "a");
    fixture.controller.releaseWatches();
    await fixture.clock.advance(5000);
    expect(await activePods(fixture)).toHaveLength(2);
  });

  test("an orphan of another namespace stays one", async () => {
    const fixture = await start({ nodes: 0 });
    await createLoosePod(fixture, "a", { namespace: "elsewhere" });
    await create(fixture, "web");
    expect(asked(fixture, "patch pods")).toBe(0);
    expect(asked(fixture, "create pods")).toBe(1);
  });
}

function warnings({ log }: ReplicaSetFixture): readonly unknown[] {
  return log.entries
    .filter(({ level }) => level === "warn" || level === "error")
    .map(({ fields }) => fields["error"]);
}
