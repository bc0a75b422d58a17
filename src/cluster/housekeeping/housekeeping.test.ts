import { afterEach, beforeEach, expect, test } from "vitest";
import { configMaps, namespaces, serviceAccounts } from "../../api/resources.ts";
import { findCondition } from "../../api/conditions.ts";
import { isNotFound } from "../../machinery/client/api-error.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { type Cluster, startCluster } from "../start-cluster.ts";

let cluster: Cluster;
let clock: VirtualClock;
beforeEach(async () => {
  clock = new VirtualClock();
  cluster = await startCluster({ clock, random: seededRandom("house"), nodes: 6, zones: 3 });
  await clock.advance(1000);
});
afterEach(() => cluster.stop());

test("a new namespace gets its default service account and root certificate, and they are restored", async () => {
  await cluster.client.create(namespaces, { metadata: { name: "team" }, spec: {} });
  await clock.advance(1000);
  const account = { namespace: "team", name: "default" };
  const { uid } = (await cluster.client.get(serviceAccounts, account)).metadata;
  await cluster.client.delete(serviceAccounts, account);
  await clock.advance(1000);
  expect((await cluster.client.get(serviceAccounts, account)).metadata.uid).not.toBe(uid);

  const certificate = { namespace: "team", name: "kube-root-ca.crt" };
  await cluster.client.patch(configMaps, certificate, {
    type: "merge",
    body: { data: { "ca.crt": "forged" } },
  });
  await clock.advance(1000);
  expect((await cluster.client.get(configMaps, certificate)).data).toEqual({ "ca.crt": "" });
});

test("a namespace with an object that has a finalizer reports that, and is gone when the object is", async () => {
  await cluster.client.create(namespaces, { metadata: { name: "team" }, spec: {} });
  await clock.advance(1000);
  const stuck = { namespace: "team", name: "stuck" };
  await cluster.client.create(configMaps, { metadata: { ...stuck, finalizers: ["example.com/slow"] } });
  await cluster.client.delete(namespaces, { name: "team" });
  await clock.advance(30_000);
  const { status } = await cluster.client.get(namespaces, { name: "team" });
  expect(findCondition(status?.conditions, "NamespaceContentRemaining")?.message).toBe(
    "Some resources are remaining: configmaps. has 1 resource instances",
  );
  expect(findCondition(status?.conditions, "NamespaceFinalizersRemaining")?.message).toBe(
    "Some content in the namespace has finalizers remaining: example.com/slow in 1 resource instances",
  );
  await cluster.client.patch(configMaps, stuck, { type: "merge", body: { metadata: { finalizers: null } } });
  await clock.advance(5000);
  await expect(cluster.client.get(namespaces, { name: "team" })).rejects.toSatisfy(isNotFound);
});

test("a namespace with a finalizer of its own says that its contents are gone, and waits for it", async () => {
  const metadata = { name: "team", finalizers: ["example.com/slow"] };
  await cluster.client.create(namespaces, { metadata, spec: {} });
  await clock.advance(1000);
  const stuck = { namespace: "team", name: "stuck" };
  await cluster.client.create(configMaps, { metadata: { ...stuck, finalizers: ["example.com/slow"] } });
  await cluster.client.delete(namespaces, { name: "team" });
  await clock.advance(5000);
  const letGo = { type: "merge", body: { metadata: { finalizers: null } } } as const;
  await cluster.client.patch(configMaps, stuck, letGo);
  await clock.advance(5000);
  const { status, spec } = await cluster.client.get(namespaces, { name: "team" });
  expect(status?.conditions?.map((condition) => `${condition.type} ${condition.message}`)).toEqual([
    "NamespaceDeletionDiscoveryFailure All resources successfully discovered",
    "NamespaceDeletionGroupVersionParsingFailure All legacy kube types successfully parsed",
    "NamespaceDeletionContentFailure All content successfully deleted, may be waiting on finalization",
    "NamespaceContentRemaining All content successfully removed",
    "NamespaceFinalizersRemaining All content-preserving finalizers finished",
  ]);
  expect(spec.finalizers ?? []).toEqual([]);
  await cluster.client.patch(namespaces, { name: "team" }, letGo);
  await clock.advance(1000);
  await expect(cluster.client.get(namespaces, { name: "team" })).rejects.toSatisfy(isNotFound);
});
