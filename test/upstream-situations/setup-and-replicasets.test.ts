import { expect, test } from "vitest";
import { findCondition } from "../../src/api/conditions.ts";
import { controllerOf } from "../../src/api/owner-references.ts";
import {
  configMaps,
  namespaces,
  nodes,
  pods,
  replicaSets,
  resourceQuotas,
  serviceAccounts,
  services,
} from "../../src/api/resources.ts";
import { podsOf, podTemplate, replicaSet, replicaSetsOf, startSituation, web } from "./situation.ts";

// What the conformance tests of Kubernetes need before they begin, and what they do to ReplicaSets.

test("every node can be scheduled to, nothing waits in kube-system, and the kubernetes Service has an address", async () => {
  const { client } = await startSituation();
  const { items } = await client.list(nodes, { fieldSelector: "spec.unschedulable=false" });
  expect(items).toHaveLength(4);
  for (const { spec, status } of items) {
    expect(findCondition(status?.conditions, "Ready")?.status).toBe("True");
    expect(findCondition(status?.conditions, "NetworkUnavailable")?.status).toBe("False");
    expect(spec.taints ?? []).toEqual([]);
  }
  const inSystem = { namespace: "kube-system" };
  expect((await client.list(pods, inSystem)).items).toEqual([]);
  expect((await client.list(replicaSets, inSystem)).items).toEqual([]);
  const { spec } = await client.get(services, { namespace: "default", name: "kubernetes" });
  expect(spec.clusterIP).toMatch(/^\d+\./);
});

test("a new namespace has its service account and root certificate, and goes without being waited for", async () => {
  const { client, clock } = await startSituation();
  await client.create(namespaces, { metadata: { name: "team", labels: { "e2e-run": "1" } }, spec: {} });
  await clock.advance(1000);
  const namespace = "team";
  await client.get(serviceAccounts, { namespace, name: "default" });
  await client.get(configMaps, { namespace, name: "kube-root-ca.crt" });
  await client.delete(namespaces, { name: namespace });
  await clock.advance(10_000);
  expect((await client.list(namespaces, {})).items.map(({ metadata }) => metadata.name)).not.toContain(
    "team",
  );
});

test("a quota that allows too few Pods is a condition, which goes when the ReplicaSet fits", async () => {
  const { client, clock } = await startSituation();
  await client.create(resourceQuotas, { metadata: web, spec: { hard: { pods: "2" } } });
  await clock.advance(2000);
  expect((await client.get(resourceQuotas, web)).status?.hard).toEqual({ pods: "2" });
  await client.create(replicaSets, replicaSet({ replicas: 3 }));
  await clock.advance(10_000);
  const failure = async () =>
    findCondition((await client.get(replicaSets, web)).status?.conditions, "ReplicaFailure")?.message;
  expect(await failure()).toContain("exceeded quota");
  await client.patch(replicaSets, web, { type: "merge", body: { spec: { replicas: 2 } } });
  await clock.advance(10_000);
  expect(await failure()).toBeUndefined();
});

test("a Pod that matches is adopted, and released when it no longer does", async () => {
  const cluster = await startSituation();
  const { client, clock } = cluster;
  const { spec, metadata } = podTemplate();
  await client.create(pods, { metadata: { ...web, labels: metadata.labels }, spec });
  await clock.advance(2000);
  const { metadata: owner } = await client.create(replicaSets, replicaSet());
  await clock.advance(5000);
  expect(controllerOf(await client.get(pods, web))?.uid).toBe(owner.uid);
  expect(await podsOf(cluster)).toHaveLength(1);
  const body = { metadata: { labels: { name: "not-web" } } };
  await client.patch(pods, web, { type: "strategic", body });
  await clock.advance(5000);
  expect(controllerOf(await client.get(pods, web))).toBeUndefined();
  expect(await podsOf(cluster)).toHaveLength(2);
});

test("a deletecollection leaves an empty list, and the Pods follow", async () => {
  const cluster = await startSituation();
  const { client, clock } = cluster;
  await client.create(replicaSets, replicaSet({ replicas: 3 }));
  await clock.advance(5000);
  await client.deleteCollection(replicaSets, { namespace: "default", labelSelector: "name=web" }, {});
  expect(await replicaSetsOf(cluster)).toEqual([]);
  await clock.advance(20_000);
  expect(await podsOf(cluster)).toEqual([]);
});

test("a second container is added by its name, and the Pods are replaced by hand", async () => {
  const cluster = await startSituation();
  const { client, clock } = cluster;
  await client.create(replicaSets, replicaSet({ replicas: 3 }));
  await clock.advance(5000);
  const containers = [{ name: "second", image: "pause:1" }];
  const body = { spec: { replicas: 3, template: { spec: { containers } } } };
  await client.patch(replicaSets, web, { type: "strategic", body });
  const { spec, status } = await client.get(replicaSets, web);
  expect(spec?.template?.spec?.containers.map(({ name }) => name).toSorted()).toEqual(["second", "web"]);
  expect(status?.readyReplicas).toBe(3);
  await client.deleteCollection(pods, { namespace: web.namespace }, {});
  await clock.advance(10_000);
  expect((await podsOf(cluster)).map((pod) => pod.spec.containers.length)).toEqual([2, 2, 2]);
});
