import { afterEach, beforeEach, expect, test } from "vitest";
import type { StoredObject } from "../../api/object.ts";
import type { Resource } from "../../api/resource.ts";
import { configMaps, namespaces, resourceQuotas } from "../../api/resources.ts";
import { isNotFound } from "../../machinery/client/api-error.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { schemalessKind } from "../apiserver/schema/schemaless.contract.ts";
import { type Cluster, startCluster } from "../start-cluster.ts";

const widgets: Resource = {
  group: "example.com",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  namespaced: true,
};
const head = { apiVersion: "example.com/v1", kind: "Widget" };

let cluster: Cluster;
let clock: VirtualClock;
beforeEach(async () => {
  clock = new VirtualClock();
  cluster = await startCluster({ clock, random: seededRandom("kinds"), nodes: 0 });
  await clock.advance(1000);
  cluster.server.kinds.register(schemalessKind(widgets));
});
afterEach(() => cluster.stop());

const ownedBy = ({ metadata }: StoredObject, { apiVersion, kind }: { apiVersion: string; kind: string }) => [
  { apiVersion, kind, name: metadata.name, uid: metadata.uid, blockOwnerDeletion: true },
];

async function names(resource: Resource, namespace = "default"): Promise<readonly string[]> {
  const { items } = await cluster.client.list(resource, { namespace });
  return items.map(({ metadata }) => metadata.name).filter((name) => name !== "kube-root-ca.crt");
}

test("objects of a kind that was registered later go with their namespace", async () => {
  await cluster.client.create(namespaces, { metadata: { name: "team" }, spec: {} });
  await cluster.client.create(widgets, { ...head, metadata: { name: "a", namespace: "team" } });
  await cluster.client.delete(namespaces, { name: "team" });
  await clock.advance(10_000);
  await expect(cluster.client.get(namespaces, { name: "team" })).rejects.toSatisfy(isNotFound);
  expect(cluster.store.collection("widgets.example.com").count()).toBe(0);
});

test("a namespace goes while a kind is removed", async () => {
  await cluster.client.create(namespaces, { metadata: { name: "team" }, spec: {} });
  await clock.advance(1000);
  const deleted = cluster.client.delete(namespaces, { name: "team" });
  cluster.server.kinds.remove(widgets);
  await deleted;
  await clock.advance(10_000);
  await expect(cluster.client.get(namespaces, { name: "team" })).rejects.toSatisfy(isNotFound);
});

test("they go with their owners, and what they own goes with them", async () => {
  const owner = await cluster.client.create(configMaps, { metadata: { name: "o", namespace: "default" } });
  const owners = ownedBy(owner, { apiVersion: "v1", kind: "ConfigMap" });
  const metadata = { name: "w", namespace: "default", ownerReferences: owners };
  const middle = await cluster.client.create(widgets, { ...head, metadata });
  await cluster.client.create(configMaps, {
    metadata: { name: "leaf", namespace: "default", ownerReferences: ownedBy(middle, head) },
  });
  await clock.advance(1000);
  expect(await names(widgets)).toEqual(["w"]);
  await cluster.client.delete(configMaps, owner.metadata);
  await clock.advance(5000);
  expect([...(await names(widgets)), ...(await names(configMaps))]).toEqual([]);
});

test("a foreground deletion waits for them, and an orphaning one releases them", async () => {
  const create = async (name: string) => {
    const owner = await cluster.client.create(widgets, { ...head, metadata: { name, namespace: "default" } });
    const metadata = {
      name: `of-${name}`,
      namespace: "default",
      ownerReferences: ownedBy(owner, head),
      finalizers: ["example.com/slow"],
    };
    await cluster.client.create(widgets, { ...head, metadata });
    return owner.metadata;
  };
  const first = await create("first");
  const second = await create("second");
  await cluster.client.delete(widgets, first, { propagationPolicy: "Foreground" });
  await cluster.client.delete(widgets, second, { propagationPolicy: "Orphan" });
  await clock.advance(5000);
  expect(await names(widgets)).toEqual(["first", "of-first", "of-second"]);
  const orphan = await cluster.client.get(widgets, { namespace: "default", name: "of-second" });
  expect(orphan.metadata.ownerReferences ?? []).toEqual([]);
  await cluster.client.patch(
    widgets,
    { namespace: "default", name: "of-first" },
    { type: "merge", body: { metadata: { finalizers: null } } },
  );
  await clock.advance(5000);
  expect(await names(widgets)).toEqual(["of-second"]);
});

test("quotas count them", async () => {
  const metadata = { name: "few", namespace: "default" };
  await cluster.client.create(resourceQuotas, {
    metadata,
    spec: { hard: { "count/widgets.example.com": "1" } },
  });
  await clock.advance(1000);
  const create = (name: string) =>
    cluster.client.create(widgets, { ...head, metadata: { name, namespace: "default" } });
  await create("a");
  await expect(create("b")).rejects.toThrow("exceeded quota");
  await cluster.client.delete(widgets, { name: "a", namespace: "default" });
  await clock.advance(5000);
  const { status } = await cluster.client.get(resourceQuotas, metadata);
  expect(status?.used).toEqual({ "count/widgets.example.com": "0" });
});
