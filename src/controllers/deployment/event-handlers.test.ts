import { expect, onTestFinished, test } from "vitest";
import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { OwnerReference } from "../../api/generated/meta-v1.ts";
import { deployments, pods, replicaSets } from "../../api/resources.ts";
import { Informer } from "../../machinery/informer/informer.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { deployment, type DeploymentTraits } from "../../testing/deployment.ts";
import { testApi } from "../../testing/test-api.ts";
import { pod } from "../../testing/pod.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { deploymentEventHandler, endedPodEventHandler, replicaSetEventHandler } from "./event-handlers.ts";
import { revisionIndexOf } from "./revision-index.ts";

/** Three Deployments that select `app: web`, one of them in another namespace, and one that selects other labels. */
async function indexed(traits: DeploymentTraits = {}) {
  const { client, clock, seed } = testApi();
  const one = seed(deployments, deployment("one", traits));
  const two = seed(deployments, deployment("two"));
  seed(deployments, deployment("far", { namespace: "elsewhere" }));
  const { spec, ...rest } = deployment("other");
  seed(deployments, { ...rest, spec: { ...spec, selector: { matchLabels: { app: "other" } } } });
  const options = { client, clock, random: seededRandom("events") };
  const informers = {
    deployments: new Informer({ ...options, resource: deployments }),
    replicaSets: new Informer({ ...options, resource: replicaSets }),
    pods: new Informer({ ...options, resource: pods }),
  };
  const index = revisionIndexOf(informers);
  const ending = new AbortController();
  const runs = Object.values(informers).map((informer) => informer.run(ending.signal));
  onTestFinished(async () => {
    ending.abort();
    await Promise.all(runs);
  });
  await clock.settle();
  const keys: string[] = [];
  const add = (key: string) => void keys.push(key);
  const queue = { add, addSoon: add, addAfter: () => undefined };
  return { seed, clock, one, two, index, queue, taken: () => keys.splice(0).sort() };
}

function referenceTo({ metadata }: Deployment, uid = metadata.uid): OwnerReference {
  return { apiVersion: "apps/v1", kind: "Deployment", name: metadata.name, uid, controller: true };
}

let versions = 0;

/** A ReplicaSet of an owner, or an orphan; every one has another version. */
function revision(owner?: OwnerReference, changes: Partial<ReplicaSet["metadata"]> = {}): ReplicaSet {
  const { metadata, ...rest } = replicaSet("web-1");
  const ownerReferences = owner === undefined ? [] : [owner];
  const resourceVersion = String(++versions);
  return {
    ...rest,
    metadata: { ...metadata, labels: { app: "web" }, ownerReferences, resourceVersion, ...changes },
  };
}

const deleted = { deletionTimestamp: "2026-01-01T00:00:00Z" };

test("every event of a Deployment enqueues it", async () => {
  const { one, queue, taken } = await indexed();
  const handler = deploymentEventHandler(queue);
  handler.added?.(one);
  handler.updated?.(one, one);
  handler.deleted?.(one);
  expect(taken()).toEqual(["default/one", "default/one", "default/one"]);
});

test("a new ReplicaSet enqueues its owner, or every Deployment that could adopt it", async () => {
  const { one, index, queue, taken } = await indexed();
  const handler = replicaSetEventHandler(index)(queue);
  handler.added?.(revision(referenceTo(one)));
  expect(taken()).toEqual(["default/one"]);
  handler.added?.(revision());
  expect(taken()).toEqual(["default/one", "default/two"]);
  handler.added?.(revision(undefined, { labels: {} }));
  expect(taken()).toEqual([]);
});

test("a ReplicaSet that is being deleted when it appears enqueues only its owner", async () => {
  const { one, index, queue, taken } = await indexed();
  const handler = replicaSetEventHandler(index)(queue);
  handler.added?.(revision(referenceTo(one), deleted));
  expect(taken()).toEqual(["default/one"]);
  handler.added?.(revision(undefined, deleted));
  expect(taken()).toEqual([]);
});

test("an orphan with null for a time of deletion is not being deleted", async () => {
  const { index, queue, taken } = await indexed();
  replicaSetEventHandler(index)(queue).added?.(
    revision(undefined, JSON.parse('{ "deletionTimestamp": null }')),
  );
  expect(taken()).toEqual(["default/one", "default/two"]);
});

test.for([
  { name: "one that changed enqueues its owner", old: "one", next: "one", want: ["default/one"] },
  {
    name: "one with another controller enqueues both owners",
    old: "one",
    next: "two",
    want: ["default/one", "default/two"],
  },
  {
    name: "one that was released enqueues its former owner and every Deployment that could adopt it",
    old: "one",
    want: ["default/one", "default/one", "default/two"],
  },
  { name: "an orphan that was adopted enqueues its owner", next: "two", want: ["default/two"] },
  { name: "an orphan that changed in any other way enqueues nothing", want: [] },
] as const)("of ReplicaSets $name", async (row) => {
  const { one, two, index, queue, taken } = await indexed();
  const owner = (name?: "one" | "two") =>
    name === undefined ? undefined : referenceTo(name === "one" ? one : two);
  const { old, next }: { readonly old?: "one" | "two"; readonly next?: "one" | "two" } = row;
  replicaSetEventHandler(index)(queue).updated?.(revision(owner(old)), revision(owner(next)));
  expect(taken()).toEqual(row.want);
});

test("an orphan whose labels changed enqueues every Deployment that could adopt it now", async () => {
  const { index, queue, taken } = await indexed();
  const handler = replicaSetEventHandler(index)(queue);
  handler.updated?.(revision(undefined, { labels: { app: "old" } }), revision());
  expect(taken()).toEqual(["default/one", "default/two"]);
});

test("a ReplicaSet that did not change enqueues nothing", async () => {
  const { one, index, queue, taken } = await indexed();
  const same = revision(referenceTo(one));
  replicaSetEventHandler(index)(queue).updated?.(same, same);
  expect(taken()).toEqual([]);
});

test("a status in which only the terminating Pods changed enqueues the owner", async () => {
  const { one, index, queue, taken } = await indexed();
  const before = { ...revision(referenceTo(one)), status: { replicas: 1, terminatingReplicas: 1 } };
  const after = { ...revision(referenceTo(one)), status: { replicas: 1, terminatingReplicas: 0 } };
  replicaSetEventHandler(index)(queue).updated?.(before, after);
  expect(taken()).toEqual(["default/one"]);
});

test("a ReplicaSet that is gone enqueues its owner, an orphan nothing", async () => {
  const { one, index, queue, taken } = await indexed();
  const handler = replicaSetEventHandler(index)(queue);
  handler.deleted?.(revision(referenceTo(one)));
  expect(taken()).toEqual(["default/one"]);
  handler.deleted?.(revision());
  expect(taken()).toEqual([]);
});

test("an owner with another UID or kind is not enqueued", async () => {
  const { one, index, queue, taken } = await indexed();
  const handler = replicaSetEventHandler(index)(queue);
  handler.added?.(revision(referenceTo(one, "another")));
  handler.added?.(revision({ ...referenceTo(one), kind: "Rollout" }));
  expect(taken()).toEqual([]);
});

const complete = "TerminationComplete" as const;

test.for([
  { name: "a Recreate Deployment", traits: { strategy: "Recreate" }, want: ["default/one"] },
  { name: "no other", traits: { strategy: "RollingUpdate" }, want: [] },
  { name: "one that waits for terminating Pods", traits: { policy: complete }, want: ["default/one"] },
] as const)("a Pod that is gone, or has ended, enqueues $name", async ({ traits, want }) => {
  const { seed, clock, one, index, queue, taken } = await indexed(traits);
  const { metadata } = seed(replicaSets, revision(referenceTo(one)));
  await clock.settle();
  const reference = {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    name: metadata.name,
    uid: metadata.uid,
    controller: true,
  };
  const { metadata: own, ...rest } = pod("web-1-a");
  const handler = endedPodEventHandler(index)(queue);
  handler.deleted?.({ ...rest, metadata: { ...own, ownerReferences: [reference] } });
  expect(taken()).toEqual(want);
  handler.deleted?.({ ...rest, metadata: { ...own, ownerReferences: [{ ...reference, uid: "another" }] } });
  handler.deleted?.({ ...rest, metadata: own });
  expect(taken()).toEqual([]);
  const ending = pod("web-1-a", { deletedAt: "2026-01-01T00:00:00Z", phase: "Running" });
  const owner = { ownerReferences: [reference] };
  const before = { ...ending, metadata: { ...ending.metadata, ...owner } };
  handler.updated?.(before, before);
  expect(taken()).toEqual([]);
  handler.updated?.(before, { ...before, status: { ...before.status, phase: "Succeeded" } });
  expect(taken()).toEqual(want);
  expect(Object.keys(handler)).toEqual(["updated", "deleted"]);
});

test("the Pods of a ReplicaSet are those it controls, by UID", async () => {
  const { seed, clock, index } = await indexed();
  const ours = seed(replicaSets, revision());
  const reference = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-1", uid: ours.metadata.uid };
  for (const [name, ownerReferences] of Object.entries({
    ours: [{ ...reference, controller: true }],
    merely: [reference],
    foreign: [{ ...reference, uid: "another", controller: true }],
    orphan: [],
  })) {
    const { metadata, ...rest } = pod(name);
    seed(pods, { ...rest, metadata: { ...metadata, ownerReferences } });
  }
  await clock.settle();
  expect(index.pods.controlledBy(ours).map(({ metadata }) => metadata.name)).toEqual(["ours"]);
});

test("a Deployment may claim what it controls and the orphans of its namespace", async () => {
  const { seed, clock, one, two, index } = await indexed();
  for (const [name, owner, namespace] of [
    ["ours", referenceTo(one), "default"],
    ["theirs", referenceTo(two), "default"],
    ["orphan", undefined, "default"],
    ["far", undefined, "elsewhere"],
  ] as const) {
    const { metadata, ...rest } = revision(owner);
    seed(replicaSets, { ...rest, metadata: { ...metadata, name, namespace, uid: name } });
  }
  await clock.settle();
  expect(
    index.replicaSets
      .claimableBy(one)
      .map(({ metadata }) => metadata.name)
      .sort(),
  ).toEqual(["orphan", "ours"]);
});
