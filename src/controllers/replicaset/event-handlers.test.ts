import { expect, onTestFinished, test } from "vitest";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { StoredObject } from "../../api/object.ts";
import { pods as podResource, replicaSets } from "../../api/resources.ts";
import type { KeyQueue } from "../../machinery/controller.ts";
import { Informer } from "../../machinery/informer/informer.ts";
import { ownerIndexOf } from "../../machinery/ownership/owner-index.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { ReadYourWrites } from "../../machinery/read-your-writes.ts";
import { Expectations } from "../../machinery/expectations.ts";
import { testApi } from "../../testing/test-api.ts";
import { apiFailure } from "../../machinery/client/api-error.ts";
import { pod, type PodTraits } from "../../testing/pod.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { ownerEventHandler, replicaPodEventHandler } from "./event-handlers.ts";
import { OwnFailureUpdates, type ReplicaSyncState, RecentCreations } from "./sync-state.ts";
import { replicaSetKind } from "./kind.ts";

import { StatusWriteBackoff } from "./status-write-backoff.ts";

const deletedAt = "2026-01-01T00:00:00Z";

/** A queue that tells what was put into it since it was last asked. */
function collectingQueue() {
  const keys: string[] = [];
  const queue: KeyQueue = {
    add: (key) => void keys.push(key),
    addSoon: (key) => void keys.push(key),
    addAfter: (key, delayMs) => void keys.push(`${key} after ${delayMs} ms`),
  };
  return { queue, taken: () => keys.splice(0) };
}

/** Nine ReplicaSets, `default/rs-1` and so on, that all select `app: web`. */
async function watched() {
  const api = testApi();
  const { client, clock } = api;
  const owners: ReplicaSet[] = [];
  for (let index = 1; index <= 9; index++) {
    const owner = replicaSet(`rs-${index}`, index === 2 ? { minReadySeconds: 7 } : {});
    const selector = { matchLabels: { app: index === 9 ? "other" : "web" } };
    owners.push(api.seed(replicaSets, { ...owner, spec: { ...owner.spec, selector } }));
  }
  const ending = new AbortController();
  const options = { client, clock, random: seededRandom("events") };
  const ownerInformer = new Informer({ ...options, resource: replicaSets });
  const podInformer = new Informer({ ...options, resource: podResource });
  const index = ownerIndexOf({
    owners: ownerInformer,
    dependents: podInformer,
    selectionOf: replicaSetKind.selectionOf,
  });
  const runs = [ownerInformer.run(ending.signal), podInformer.run(ending.signal)];
  onTestFinished(async () => {
    ending.abort();
    await Promise.all(runs);
  });
  await clock.settle();

  const expectations = new Expectations(clock);
  const forgotten: string[] = [];
  const syncState: ReplicaSyncState<ReplicaSet> = {
    expectations,
    readYourWrites: new ReadYourWrites([]),
    ownFailureUpdates: new OwnFailureUpdates(),
    creations: new RecentCreations(clock),
    statusBackoff: new StatusWriteBackoff(clock),
    forget: (key, uid) => void forgotten.push(`${key} ${uid}`),
  };
  const { queue, taken } = collectingQueue();
  const handler = replicaPodEventHandler(index, syncState)(queue);
  return { api, clock, owners, podInformer, expectations, syncState, forgotten, queue, handler, taken };
}

let versions = 100;

/** A Pod of an owner, or an orphan; every one has another version. */
function podOf(owner: ReplicaSet | undefined, traits: PodTraits = {}): Pod {
  const one = pod("web-1", traits);
  const { name, uid } = owner?.metadata ?? {};
  const reference = {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    name: name ?? "",
    uid: uid ?? "",
    controller: true,
  };
  const ownerReferences = owner === undefined ? [] : [reference];
  return { ...one, metadata: { ...one.metadata, resourceVersion: String(++versions), ownerReferences } };
}

const all = Array.from({ length: 8 }, (_, index) => `default/rs-${index + 1}`);

test("a new Pod enqueues its owner, and is the creation the owner expected", async () => {
  const { owners, handler, taken, expectations } = await watched();
  expectations.expectCreations("default/rs-1", 1);
  handler.added?.(podOf(owners[0]));
  expect(taken()).toEqual(["default/rs-1"]);
  expect(expectations.areSatisfied("default/rs-1")).toBe(true);
});

test("a Pod of an unknown owner enqueues nothing", async () => {
  const { handler, taken } = await watched();
  handler.added?.(podOf(replicaSet("rs-1", { uid: "earlier" })));
  expect(taken()).toEqual([]);
});

test("a new orphan enqueues every ReplicaSet that selects it, and is not an expected creation", async () => {
  const { handler, taken, expectations } = await watched();
  expectations.expectCreations("default/rs-1", 1);
  handler.added?.(podOf(undefined));
  expect(taken()).toEqual(all);
  expect(expectations.areSatisfied("default/rs-1")).toBe(false);
});

test("a Pod that did not change enqueues nothing", async () => {
  const { owners, handler, taken } = await watched();
  const one = podOf(owners[0]);
  handler.updated?.(one, one);
  expect(taken()).toEqual([]);
});

test("a Pod that changes enqueues its owner, whatever its labels", async () => {
  const { owners, handler, taken } = await watched();
  handler.updated?.(podOf(owners[0]), podOf(owners[0], { labels: { app: "other" } }));
  expect(taken()).toEqual(["default/rs-1"]);
  handler.updated?.(podOf(owners[0]), podOf(owners[0], { phase: "Failed" }));
  expect(taken()).toEqual(["default/rs-1"]);
});

test("a Pod with another controller enqueues both owners", async () => {
  const { owners, handler, taken } = await watched();
  handler.updated?.(podOf(owners[0]), podOf(owners[1]));
  expect(taken()).toEqual(["default/rs-1", "default/rs-2"]);
});

test("a Pod that was released enqueues its former owner, and every ReplicaSet that selects it", async () => {
  const { owners, handler, taken } = await watched();
  handler.updated?.(podOf(owners[0]), podOf(undefined));
  expect(taken()).toEqual(["default/rs-1", ...all]);
});

test("an orphan whose labels changed enqueues every ReplicaSet that selects it now", async () => {
  const { handler, taken } = await watched();
  handler.updated?.(podOf(undefined), podOf(undefined, { labels: { app: "other" } }));
  expect(taken()).toEqual(["default/rs-9"]);
  handler.updated?.(podOf(undefined), podOf(undefined, { phase: "Failed" }));
  expect(taken()).toEqual([]);
});

test("a Pod that becomes Ready enqueues its owner again for when it will be available", async () => {
  const { owners, handler, taken } = await watched();
  handler.updated?.(podOf(owners[1], { ready: false }), podOf(owners[1]));
  expect(taken()).toEqual(["default/rs-2", "default/rs-2 after 7000 ms"]);
  handler.updated?.(podOf(owners[1]), podOf(owners[1]));
  expect(taken()).toEqual(["default/rs-2"]);
  handler.updated?.(podOf(owners[0], { ready: false }), podOf(owners[0]));
  expect(taken()).toEqual(["default/rs-1"]);
});

test("a deletion counts once, however many events it has", async () => {
  const { owners, handler, taken, expectations } = await watched();
  const satisfied = () => expectations.areSatisfied("default/rs-1");
  const going = podOf(owners[0], { deletedAt });

  expectations.expectCreations("default/rs-1", 1);
  handler.added?.(going); // after a restart: not the creation that is expected
  expect(satisfied()).toBe(false);

  expectations.expectDeletions("default/rs-1", ["default/web-1", "default/web-2"]);
  handler.updated?.(podOf(owners[0]), going);
  handler.updated?.(going, podOf(owners[0], { deletedAt, phase: "Succeeded" }));
  handler.deleted?.(going);
  expect(satisfied()).toBe(false);
  expect(taken()).toEqual(Array(4).fill("default/rs-1"));

  const other = podOf(owners[0], { deletedAt });
  handler.deleted?.({ ...other, metadata: { ...other.metadata, name: "web-2" } });
  expect(satisfied()).toBe(true);
});

test.for([
  { name: "is released", next: undefined },
  { name: "gets another owner", next: 4 },
])(
  "a Pod that $name and is deleted in one event is an observed deletion of its former owner too",
  async ({ next }) => {
    const { owners, handler, taken, expectations } = await watched();
    expectations.expectDeletions("default/rs-1", ["default/web-1"]);
    const newOwner = next === undefined ? undefined : owners[next];
    handler.updated?.(podOf(owners[0]), podOf(newOwner, { deletedAt }));
    expect(taken()).toEqual([...(next === undefined ? [] : [`default/rs-${next + 1}`]), "default/rs-1"]);
    expect(expectations.areSatisfied("default/rs-1")).toBe(true);
  },
);

test("a deleted Pod enqueues its owner, an orphan nothing", async () => {
  const { owners, handler, taken } = await watched();
  handler.deleted?.(podOf(undefined));
  expect(taken()).toEqual([]);
  handler.deleted?.(podOf(owners[2]));
  expect(taken()).toEqual(["default/rs-3"]);
});

test("a Pod that was deleted while the watch was interrupted enqueues its owner", async () => {
  const { api, clock, owners, podInformer, handler, taken } = await watched();
  podInformer.addHandler(handler);
  api.seed(podResource, podOf(owners[3]));
  await clock.settle();
  expect(taken()).toEqual(["default/rs-4"]);

  api.holdWatches();
  api.store.collection("pods").remove("default/web-1");
  await clock.settle();
  api.store.compact();
  api.releaseWatches(apiFailure(410, "Expired"));
  await clock.advance(10_000);
  expect(taken()).toEqual(["default/rs-4"]);
});

test("every event of a ReplicaSet enqueues it, a resync included", async () => {
  const { owners, syncState, queue, taken } = await watched();
  const handler = ownerEventHandler(syncState)(queue);
  const [owner] = owners as [ReplicaSet];
  handler.added?.(owner);
  handler.updated?.(owner, { ...owner, metadata: nextVersion(owner) });
  handler.updated?.(owner, owner);
  expect(taken()).toEqual(Array(3).fill("default/rs-1"));
});

test.for([
  { name: "of a few Pods", replicas: 99, key: "default/rs-1" },
  { name: "of a hundred Pods, after a short delay", replicas: 100, key: "default/rs-1 after 1 ms" },
  { name: "of thousands, after a longer one", replicas: 5000, key: "default/rs-1 after 6 ms" },
])("an update of its status enqueues a ReplicaSet $name", async ({ replicas, key }) => {
  const { owners, syncState, queue, taken } = await watched();
  const handler = ownerEventHandler(syncState)(queue);
  const [owner] = owners as [ReplicaSet];
  handler.updated?.(owner, { ...owner, metadata: nextVersion(owner), status: { replicas } });
  expect(taken()).toEqual([key]);
});

test("a new generation enqueues a ReplicaSet at once, however many Pods it has", async () => {
  const { owners, syncState, queue, taken } = await watched();
  const handler = ownerEventHandler(syncState)(queue);
  const [owner] = owners as [ReplicaSet];
  const metadata = { ...nextVersion(owner), generation: 2 };
  handler.updated?.(owner, { ...owner, metadata, spec: { ...owner.spec, replicas: 5000 } });
  expect(taken()).toEqual(["default/rs-1"]);
});

test("a ReplicaSet that is gone is forgotten", async () => {
  const { owners, syncState, forgotten, queue, taken } = await watched();
  const [owner] = owners as [ReplicaSet];
  ownerEventHandler(syncState)(queue).deleted?.(owner);
  expect(forgotten).toEqual([`default/rs-1 ${owner.metadata.uid}`]);
  expect(taken()).toEqual(["default/rs-1"]);
});

test("only the update that reports the controller's own failure enqueues nothing, and only once", async () => {
  const { owners, syncState, queue, taken } = await watched();
  const handler = ownerEventHandler(syncState)(queue);
  const [owner] = owners as [ReplicaSet];
  const status = { replicas: 0, conditions: [{ type: "ReplicaFailure", status: "True", message: "no" }] };
  const ownUpdate = { ...owner, metadata: nextVersion(owner), status };

  syncState.ownFailureUpdates.recordWrite("default/rs-1", status);
  handler.updated?.(owner, { ...ownUpdate, spec: { ...ownUpdate.spec, replicas: 9 } });
  expect(taken()).toEqual(["default/rs-1"]);
  handler.updated?.(owner, ownUpdate);
  expect(taken()).toEqual([]);
  handler.updated?.(owner, ownUpdate);
  expect(taken()).toEqual(["default/rs-1"]);

  syncState.ownFailureUpdates.recordWrite("default/rs-1", { replicas: 0 });
  handler.updated?.(owner, { ...owner, metadata: nextVersion(owner), status: { replicas: 0 } });
  expect(taken()).toEqual(["default/rs-1"]);
});

function nextVersion({ metadata }: StoredObject): ReplicaSet["metadata"] {
  return { ...metadata, resourceVersion: String(++versions) };
}
