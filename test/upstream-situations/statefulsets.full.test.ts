import { expect, test } from "vitest";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import type { StoredObject } from "../../src/api/object.ts";
import { isReady } from "../../src/api/pod-state.ts";
import { persistentVolumeClaims, pods, statefulSets } from "../../src/api/resources.ts";
import {
  claimNames,
  createStateful,
  dataClaim,
  expectStatus,
  patchStateful,
  readyNames,
  set,
  setTemplate,
  startSets,
  statefulImage,
} from "./set-situation.ts";

// What the end-to-end tests of Kubernetes do to StatefulSets, in virtual time and in our own words.

const uidOf = ({ metadata }: Pod) => metadata.uid;

test("a set is not stuck when a Pod goes whose successor is not ready", async () => {
  const cluster = await startSets();
  await createStateful(cluster, { isGated: true, replicas: 2 });
  await cluster.seconds(10);
  expect(await cluster.seen()).toEqual(["ss-0 httpd:1 …"]);
  await cluster.health(true);
  await cluster.seconds(10);
  expect(await cluster.seen()).toEqual(["ss-0 httpd:1", "ss-1 httpd:1 …"]);
  await cluster.deletePod("ss-0");
  await cluster.seconds(10);
  expect(await cluster.seen()).toEqual(["ss-0 httpd:1 …", "ss-1 httpd:1 …"]);
  await cluster.health(true);
  expect(await cluster.seen()).toEqual(["ss-0 httpd:1", "ss-1 httpd:1"]);
});

test("an update and its rollback keep the claims, and end at the first revision", async () => {
  const cluster = await startSets();
  await createStateful(cluster, { volumeClaimTemplates: [dataClaim] });
  await cluster.seconds(60);
  const claims = async () =>
    (await cluster.client.list(persistentVolumeClaims, {})).items
      .map(({ metadata }) => metadata.uid)
      .toSorted();
  const before = await claims();
  const first = (await cluster.client.get(statefulSets, set)).status?.currentRevision;
  for (const image of ["httpd:2", "httpd:1"]) {
    await statefulImage(cluster, image);
    await cluster.seconds(120);
    expect(await cluster.seen()).toEqual([`ss-0 ${image}`, `ss-1 ${image}`, `ss-2 ${image}`]);
  }
  await expectStatus(cluster, { currentRevision: first, updateRevision: first, currentReplicas: 3 });
  expect(await claims()).toEqual(before);
});

test("a canary takes the highest ordinal, phases take the next, and Pods that go return as they were", async () => {
  const cluster = await startSets();
  await createStateful(cluster, {
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 3 } },
  });
  await cluster.seconds(60);
  const partition = (value: number) =>
    patchStateful(cluster, { updateStrategy: { rollingUpdate: { partition: value } } });
  await statefulImage(cluster, "httpd:2");
  await cluster.seconds(60);
  expect(await cluster.seen()).toEqual(["ss-0 httpd:1", "ss-1 httpd:1", "ss-2 httpd:1"]);
  await partition(2);
  await cluster.seconds(60);
  const canary = ["ss-0 httpd:1", "ss-1 httpd:1", "ss-2 httpd:2"];
  expect(await cluster.seen()).toEqual(canary);
  for (const name of ["ss-0", "ss-2"]) await cluster.deletePod(name);
  await cluster.seconds(60);
  expect(await cluster.seen()).toEqual(canary);
  await partition(1);
  await cluster.seconds(60);
  expect(await cluster.seen()).toEqual(["ss-0 httpd:1", "ss-1 httpd:2", "ss-2 httpd:2"]);
  await partition(0);
  await cluster.seconds(60);
  expect(await cluster.seen()).toEqual(["ss-0 httpd:2", "ss-1 httpd:2", "ss-2 httpd:2"]);
});

test("below the partition a Pod that fails while a finalizer holds it returns at the old revision", async () => {
  const cluster = await startSets();
  await createStateful(cluster, {
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1 } },
  });
  await cluster.seconds(60);
  await statefulImage(cluster, "httpd:2");
  await cluster.seconds(60);
  const at = { namespace: "default", name: "ss-0" };
  const finalizers = (value: readonly string[] | null) =>
    cluster.client.patch(pods, at, { type: "merge", body: { metadata: { finalizers: value } } });
  await finalizers(["example.com/hold"]);
  const { metadata } = await cluster.pod("ss-0");
  await cluster.deletePod("ss-0");
  await cluster.seconds(60);
  expect(uidOf(await cluster.pod("ss-0"))).toBe(metadata.uid);
  await finalizers(null);
  await cluster.seconds(60);
  expect(uidOf(await cluster.pod("ss-0"))).not.toBe(metadata.uid);
  expect(await cluster.seen()).toEqual(["ss-0 httpd:1", "ss-1 httpd:2", "ss-2 httpd:2"]);
});

test("under OnDelete Pods are updated as users delete them", async () => {
  const cluster = await startSets();
  await createStateful(cluster, { updateStrategy: { type: "OnDelete" } });
  await cluster.seconds(60);
  await statefulImage(cluster, "httpd:2");
  await cluster.seconds(60);
  expect(await cluster.seen()).toEqual(["ss-0 httpd:1", "ss-1 httpd:1", "ss-2 httpd:1"]);
  for (const name of ["ss-0", "ss-1", "ss-2"]) await cluster.deletePod(name);
  await cluster.seconds(120);
  expect(await cluster.seen()).toEqual(["ss-0 httpd:2", "ss-1 httpd:2", "ss-2 httpd:2"]);
});

test("in order, scaling up and down halts while a Pod is not healthy", async () => {
  const cluster = await startSets();
  await createStateful(cluster, { isGated: true, replicas: 1 });
  await cluster.seconds(10);
  await patchStateful(cluster, { replicas: 3 });
  await cluster.seconds(30);
  expect(await cluster.seen()).toEqual(["ss-0 httpd:1 …"]);
  for (const expected of [2, 3, 3]) {
    await cluster.health(true);
    await cluster.seconds(10);
    expect(await cluster.pods()).toHaveLength(expected);
  }
  await cluster.health(false);
  await patchStateful(cluster, { replicas: 0 });
  await cluster.seconds(30);
  expect(await cluster.pods()).toHaveLength(3);
  await cluster.health(true);
  await cluster.seconds(60);
  expect(await cluster.pods()).toEqual([]);
});

test("in parallel, scaling up and down ends even if no Pod is healthy", async () => {
  const cluster = await startSets();
  await createStateful(cluster, { isGated: true, replicas: 1, podManagementPolicy: "Parallel" });
  await patchStateful(cluster, { replicas: 3 });
  await cluster.seconds(10);
  expect(await cluster.seen()).toEqual(["ss-0 httpd:1 …", "ss-1 httpd:1 …", "ss-2 httpd:1 …"]);
  await patchStateful(cluster, { replicas: 0 });
  await cluster.seconds(30);
  expect(await cluster.pods()).toEqual([]);
});

test("a Pod that has failed is made anew under its name", async () => {
  const cluster = await startSets();
  await createStateful(cluster);
  await cluster.seconds(60);
  const { metadata } = await cluster.pod("ss-1");
  const body = { status: { phase: "Failed", reason: "Evicted" } } as never;
  await cluster.client.patch(pods, metadata, { type: "merge", subresource: "status", body });
  await cluster.seconds(60);
  const next = await cluster.pod("ss-1");
  expect(uidOf(next)).not.toBe(metadata.uid);
  expect(isReady(next)).toBe(true);
});

test("a set is scaled by its subresource, patched, and deleted with others by their label", async () => {
  const cluster = await startSets();
  const { client } = cluster;
  await createStateful(cluster, { replicas: 1 });
  await cluster.seconds(10);
  const scale = { metadata: { ...set, uid: "" }, spec: { replicas: 2 } } as unknown as StoredObject;
  const scaled = await client.update(statefulSets, scale as never, { subresource: "scale" });
  expect(scaled).toMatchObject({ kind: "Scale", spec: { replicas: 2 } });
  await cluster.seconds(10);
  expect(await readyNames(cluster)).toEqual(["ss-0", "ss-1"]);
  await client.patch(statefulSets, set, {
    type: "merge",
    body: { metadata: { labels: { x: "y" } } },
  });
  await client.deleteCollection(statefulSets, { namespace: "default", labelSelector: "x=y" });
  await cluster.seconds(60);
  expect((await client.list(statefulSets, {})).items).toEqual([]);
  expect(await cluster.pods()).toEqual([]);
});

test("minReadySeconds delay the next Pod, and availableReplicas follow when they change", async () => {
  const cluster = await startSets();
  await createStateful(cluster, { replicas: 2, minReadySeconds: 30 });
  await cluster.seconds(20);
  await expectStatus(cluster, { replicas: 1, readyReplicas: 1, availableReplicas: 0 });
  await cluster.seconds(60);
  await expectStatus(cluster, { replicas: 2, readyReplicas: 2, availableReplicas: 2 });
  await patchStateful(cluster, { minReadySeconds: 3600 });
  await cluster.seconds(10);
  await expectStatus(cluster, { readyReplicas: 2, availableReplicas: 0 });
  await patchStateful(cluster, { minReadySeconds: 0 });
  await cluster.seconds(10);
  await expectStatus(cluster, { readyReplicas: 2, availableReplicas: 2 });
});

test("ordinals begin where the set says, also when that is moved up, down or away", async () => {
  const cluster = await startSets();
  await createStateful(cluster, { replicas: 2 });
  await cluster.seconds(30);
  for (const [start, expected] of [
    [2, ["ss-2", "ss-3"]],
    [3, ["ss-3", "ss-4"]],
    [1, ["ss-1", "ss-2"]],
  ] as const) {
    await patchStateful(cluster, { ordinals: { start } });
    await cluster.seconds(120);
    expect(await readyNames(cluster)).toEqual(expected);
  }
  await patchStateful(cluster, { ordinals: null });
  await cluster.seconds(120);
  expect(await readyNames(cluster)).toEqual(["ss-0", "ss-1"]);
});

test("a claim that a Pending Pod lost is made again", async () => {
  const cluster = await startSets();
  const nowhere = { nodeSelector: { disk: "none" } };
  const template = setTemplate("httpd:1", false, nowhere);
  await createStateful(cluster, { replicas: 1, template, volumeClaimTemplates: [dataClaim] });
  await cluster.seconds(10);
  const at = { namespace: "default", name: "data-ss-0" };
  const { metadata } = await cluster.client.get(persistentVolumeClaims, at);
  await cluster.client.delete(persistentVolumeClaims, at);
  await cluster.seconds(30);
  const again = await cluster.client.get(persistentVolumeClaims, at);
  expect(again.metadata.uid).not.toBe(metadata.uid);
});

test.for([
  { whenDeleted: "Delete", left: [] },
  { whenDeleted: "Retain", left: ["data-ss-0", "data-ss-1", "data-ss-2"] },
] as const)(
  "of a set that adopted its Pods the claims go as it says: $whenDeleted",
  async ({ whenDeleted, left }) => {
    const cluster = await startSets();
    const spec = { volumeClaimTemplates: [dataClaim] };
    await createStateful(cluster, spec);
    await cluster.seconds(60);
    const before = (await cluster.pods()).map(uidOf).toSorted();
    await cluster.client.delete(statefulSets, set, { propagationPolicy: "Orphan" });
    await cluster.seconds(30);
    await createStateful(cluster, { ...spec, persistentVolumeClaimRetentionPolicy: { whenDeleted } });
    await cluster.seconds(60);
    expect((await cluster.pods()).map(uidOf).toSorted()).toEqual(before);
    await cluster.client.delete(statefulSets, set, { propagationPolicy: "Background" });
    await cluster.seconds(120);
    expect(await cluster.pods()).toEqual([]);
    expect(await claimNames(cluster)).toEqual(left);
  },
);

test("with its gate, maxUnavailable Pods are replaced at a time", async () => {
  const cluster = await startSets({ gates: { MaxUnavailableStatefulSet: true } });
  const rollingUpdate = { maxUnavailable: 2 };
  await createStateful(cluster, {
    replicas: 5,
    isGated: true,
    podManagementPolicy: "Parallel",
    updateStrategy: { type: "RollingUpdate", rollingUpdate },
  });
  await cluster.seconds(10);
  await cluster.health(true);
  await statefulImage(cluster, "httpd:2");
  for (const updated of [2, 4, 5]) {
    await cluster.seconds(30);
    const images = (await cluster.seen()).filter((pod) => pod.includes("httpd:2"));
    expect(images).toHaveLength(updated);
    expect((await readyNames(cluster)).length).toBeGreaterThanOrEqual(3);
    await cluster.health(true);
  }
});
