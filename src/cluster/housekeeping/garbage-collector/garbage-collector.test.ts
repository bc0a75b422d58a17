import { afterEach, beforeEach, expect, test } from "vitest";
import type { ConfigMap } from "../../../api/generated/core-v1.ts";
import type { OwnerReference } from "../../../api/generated/meta-v1.ts";
import { configMaps, namespaces, pods, replicationControllers } from "../../../api/resources.ts";
import { isNotFound } from "../../../machinery/client/api-error.ts";
import { VirtualClock } from "../../../machinery/clock/virtual-clock.ts";
import { seededRandom } from "../../../machinery/random/random.ts";
import { type Cluster, startCluster } from "../../start-cluster.ts";

let cluster: Cluster;
let clock: VirtualClock;
beforeEach(async () => {
  clock = new VirtualClock();
  cluster = await startCluster({ clock, random: seededRandom("garbage"), nodes: 0 });
});
afterEach(() => cluster.stop());

interface Family {
  readonly namespace?: string;
  readonly owners?: readonly ConfigMap[];
  readonly blocks?: boolean;
  readonly finalizers?: readonly string[];
}

/** Any kind can own any other; a ConfigMap does nothing else. */
function create(
  name: string,
  { namespace = "default", owners = [], blocks = true, finalizers = [] }: Family = {},
) {
  const ownerReferences: OwnerReference[] = owners.map(({ metadata }) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    name: metadata.name,
    uid: metadata.uid,
    blockOwnerDeletion: blocks,
  }));
  return cluster.client.create(configMaps, { metadata: { name, namespace, ownerReferences, finalizers } });
}

async function names(namespace = "default"): Promise<readonly string[]> {
  await clock.advance(5000);
  const { items } = await cluster.client.list(configMaps, { namespace });
  return items.map(({ metadata }) => metadata.name).filter((name) => name !== "kube-root-ca.crt");
}

const at = (name: string) => ({ namespace: "default", name });

test("a background deletion removes the owner at once and its descendants after it", async () => {
  const owner = await create("owner");
  const child = await create("child", { owners: [owner] });
  await create("grandchild", { owners: [child] });
  await create("stranger");
  await cluster.client.delete(configMaps, at("owner"), { propagationPolicy: "Background" });
  expect(await names()).toEqual(["stranger"]);
});

test("a foreground deletion keeps the owner until the last blocking dependent is gone", async () => {
  const owner = await create("owner");
  await create("child", { owners: [owner], finalizers: ["example.com/slow"] });
  await cluster.client.delete(configMaps, at("owner"), { propagationPolicy: "Foreground" });
  expect(await names()).toEqual(["child", "owner"]);
  const body = { metadata: { finalizers: null } };
  await cluster.client.patch(configMaps, at("child"), { type: "merge", body });
  expect(await names()).toEqual([]);
});

test("a foreground deletion no longer waits for a dependent that drops its reference", async () => {
  const owner = await create("owner");
  await create("child", { owners: [owner], finalizers: ["example.com/slow"] });
  await cluster.client.delete(configMaps, at("owner"), { propagationPolicy: "Foreground" });
  expect(await names()).toEqual(["child", "owner"]);
  const body = { metadata: { ownerReferences: null } };
  await cluster.client.patch(configMaps, at("child"), { type: "merge", body });
  expect(await names()).toEqual(["child"]);
});

test("a foreground deletion leaves a dependent to its other owner", async () => {
  const [gone, alive] = [await create("gone"), await create("alive")];
  await create("child", { owners: [gone, alive] });
  await cluster.client.delete(configMaps, at("gone"), { propagationPolicy: "Foreground" });
  expect(await names()).toEqual(["alive", "child"]);
});

test("a foreground deletion does not wait for dependents that do not block it, but takes them along", async () => {
  const owner = await create("owner");
  await create("child", { owners: [owner], blocks: false });
  await cluster.client.delete(configMaps, at("owner"), { propagationPolicy: "Foreground" });
  expect(await names()).toEqual([]);
});

test("an orphaning deletion leaves the dependents without their owner", async () => {
  const owner = await create("owner");
  await create("child", { owners: [owner] });
  await cluster.client.delete(configMaps, at("owner"), { propagationPolicy: "Orphan" });
  expect(await names()).toEqual(["child"]);
  expect((await cluster.client.get(configMaps, at("child"))).metadata.ownerReferences ?? []).toEqual([]);
});

test("a dependent with another owner stays and drops the reference to the one that is gone", async () => {
  const [gone, alive] = [await create("gone"), await create("alive")];
  await create("child", { owners: [gone, alive] });
  await cluster.client.delete(configMaps, at("gone"));
  expect(await names()).toEqual(["alive", "child"]);
  const references = (await cluster.client.get(configMaps, at("child"))).metadata.ownerReferences;
  expect(references?.map(({ name }) => name)).toEqual(["alive"]);
});

test("an object that names an owner of the right name but another UID is deleted", async () => {
  const owner = await create("owner");
  const impostor = { ...owner, metadata: { ...owner.metadata, uid: "00000000-0000-4000-8000-000000000000" } };
  await create("child", { owners: [impostor] });
  expect(await names()).toEqual(["owner"]);
});

test("an owner in another namespace does not count", async () => {
  await cluster.client.create(namespaces, { metadata: { name: "other" }, spec: {} });
  await clock.advance(1000);
  const owner = await create("owner");
  await create("child", { namespace: "other", owners: [owner] });
  expect(await names("other")).toEqual([]);
  expect(await names()).toEqual(["owner"]);
});

// upstream e2e: "should not be blocked by dependency circle"
test.for([2, 3, 5])("a circle of %i owners that is deleted in the foreground goes", async (size) => {
  const circle: ConfigMap[] = [];
  for (let index = 0; index < size; index++) {
    const above = circle.at(-1);
    circle.push(await create(`part-${index}`, { owners: above === undefined ? [] : [above] }));
  }
  const [first, last] = [circle[0], circle.at(-1)];
  if (first === undefined || last === undefined) throw new Error("an empty circle");
  const { name, uid } = last.metadata;
  const reference = { apiVersion: "v1", kind: "ConfigMap", name, uid, blockOwnerDeletion: true };
  const body = { metadata: { ownerReferences: [reference] } };
  await cluster.client.patch(configMaps, at("part-0"), { type: "merge", body });
  expect(await names()).toHaveLength(size);
  await cluster.client.delete(configMaps, at("part-0"), { propagationPolicy: "Foreground" });
  expect(await names()).toEqual([]);
});

// upstream e2e: "should orphan pods created by rc if deleteOptions.OrphanDependents is nil"
test("the Pods of a ReplicationController outlive it unless the client says otherwise", async () => {
  const labels = { app: "old" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "app", image: "app:1" }] } };
  const owned = { metadata: { ...at("old") }, spec: { replicas: 2, selector: labels, template } };
  const podsNow = async () => {
    await clock.advance(30_000);
    return (await cluster.client.list(pods, { namespace: "default" })).items;
  };
  await cluster.client.create(replicationControllers, owned);
  expect(await podsNow()).toHaveLength(2);
  await cluster.client.delete(replicationControllers, at("old"));
  const orphans = await podsNow();
  expect(orphans.map(({ metadata }) => metadata.ownerReferences ?? [])).toEqual([[], []]);
  await expect(cluster.client.get(replicationControllers, at("old"))).rejects.toSatisfy(isNotFound);

  await cluster.client.create(replicationControllers, owned);
  await clock.advance(30_000);
  await cluster.client.delete(replicationControllers, at("old"), { propagationPolicy: "Background" });
  expect(await podsNow()).toEqual([]);
});
