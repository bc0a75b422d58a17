import { expect, test } from "vitest";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { controllerOf, controllerReference } from "../../api/owner-references.ts";
import { replicaSets } from "../../api/resources.ts";
import { pod, type PodTraits } from "../../testing/pod.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { enqueueObject, enqueueOwner } from "./enqueue-owner.ts";
import type { OwnerIndex } from "./owner-index.ts";

const [one, two] = [replicaSet("one"), replicaSet("two")];

/** Knows both ReplicaSets, of which only the second one selects orphans. */
const index: OwnerIndex<ReplicaSet, Pod> = {
  ownerOf: (dependent) => [one, two].find(({ metadata }) => metadata.uid === controllerOf(dependent)?.uid),
  ownersSelecting: () => [two],
  controlledBy: () => [],
  claimableBy: () => [],
};

let versions = 0;

/** A Pod of an owner, or an orphan; every one has another version. */
function podOf(owner: ReplicaSet | undefined, traits: PodTraits = {}): Pod {
  const { metadata, ...rest } = pod("web", traits);
  const ownerReferences = owner === undefined ? [] : [controllerReference(replicaSets, owner)];
  return { ...rest, metadata: { ...metadata, ownerReferences, resourceVersion: String(++versions) } };
}

/** A handler whose callbacks and keys are collected in the order of the calls. */
function collecting() {
  const calls: string[] = [];
  const note = (what: string) => (owner: ReplicaSet) => void calls.push(`${what} ${owner.metadata.name}`);
  const handler = enqueueOwner(index, () => ({
    created: note("created"),
    updated: note("updated"),
    ended: note("ended"),
  }))({ add: (key) => void calls.push(key), addSoon: () => undefined, addAfter: () => undefined });
  return { handler, taken: () => calls.splice(0) };
}

const deletedAt = "2026-01-01T00:00:00Z";

test("a new object enqueues its owner, an orphan every owner that selects it", () => {
  const { handler, taken } = collecting();
  handler.added?.(podOf(one));
  expect(taken()).toEqual(["default/one", "created one"]);
  handler.added?.(podOf(undefined));
  expect(taken()).toEqual(["default/two"]);
  handler.added?.(podOf(one, { deletedAt }));
  expect(taken()).toEqual(["default/one", "ended one"]);
});

test.for([
  { name: "its owner", old: podOf(one), next: podOf(one), want: ["default/one", "updated one"] },
  {
    name: "its former owner too when the controller changed",
    old: podOf(one),
    next: podOf(two),
    want: ["default/one", "default/two", "updated two"],
  },
  {
    name: "its former owner and those that select it when it was released",
    old: podOf(one),
    next: podOf(undefined),
    want: ["default/one", "default/two"],
  },
  { name: "nothing when it is an orphan as before", old: podOf(undefined), next: podOf(undefined), want: [] },
  {
    name: "those that select it when an orphan's labels changed",
    old: podOf(undefined),
    next: podOf(undefined, { labels: { app: "api" } }),
    want: ["default/two"],
  },
  {
    name: "both owners when it is being deleted and the controller changed",
    old: podOf(one),
    next: podOf(two, { deletedAt }),
    want: ["default/two", "ended two", "default/one", "ended one"],
  },
])("an object that changed enqueues $name", ({ old, next, want }) => {
  const { handler, taken } = collecting();
  handler.updated?.(old, next);
  expect(taken()).toEqual(want);
});

test("an object of the same version enqueues nothing, one that is gone its owner", () => {
  const { handler, taken } = collecting();
  const same = podOf(one);
  handler.updated?.(same, same);
  expect(taken()).toEqual([]);
  handler.deleted?.(same);
  expect(taken()).toEqual(["default/one", "ended one"]);
});

test("enqueueObject enqueues the object itself, whatever happens to it", () => {
  const keys: string[] = [];
  const handler = enqueueObject({
    add: (key) => void keys.push(key),
    addSoon: () => undefined,
    addAfter: () => undefined,
  });
  handler.added(one);
  handler.updated(one, two);
  handler.deleted(one);
  expect(keys).toEqual(["default/one", "default/two", "default/one"]);
});
