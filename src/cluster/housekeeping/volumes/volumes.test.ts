import { expect, onTestFinished, test } from "vitest";
import { findCondition } from "../../../api/conditions.ts";
import type { PersistentVolumeClaim, PersistentVolumeSpec, Pod } from "../../../api/generated/core-v1.ts";
import type { StorageClass } from "../../../api/generated/storage-v1.ts";
import type { Draft } from "../../../api/object.ts";
import {
  events,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  storageClasses,
} from "../../../api/resources.ts";
import { zoneLabel } from "../../../api/well-known.ts";
import { testCluster, type TestClusterOptions } from "../../../testing/test-cluster.ts";

/** A cluster with a node in each of three zones, and what users do with volumes there. */
async function volumeCluster(options: TestClusterOptions = {}) {
  const cluster = await testCluster({ zones: 3, ...options });
  onTestFinished(cluster.stop);
  const { client, clock } = cluster;
  const at = (name: string) => ({ namespace: "default", name });
  return {
    ...cluster,
    claim: async (name: string, spec: Partial<PersistentVolumeClaim["spec"]> & { storage?: string } = {}) => {
      const { storage = "1Gi", ...rest } = spec;
      const sized = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } };
      await client.create(persistentVolumeClaims, { metadata: at(name), spec: { ...sized, ...rest } });
      await clock.advance(1000);
    },
    volume: async (name: string, spec: Partial<PersistentVolumeSpec> & { storage?: string } = {}) => {
      const { storage = "1Gi", ...rest } = spec;
      const source = { hostPath: { path: "/data" }, accessModes: ["ReadWriteOnce"], capacity: { storage } };
      await client.create(persistentVolumes, { metadata: { name }, spec: { ...source, ...rest } });
      await clock.advance(1000);
    },
    pod: async (name: string, spec: Partial<Pod["spec"]> & { claim?: string } = {}) => {
      const { claim = "data", ...rest } = spec;
      const containers = [{ name: "app", image: "app:1" }];
      const volumes = [{ name: "data", persistentVolumeClaim: { claimName: claim } }];
      await client.create(pods, { metadata: at(name), spec: { containers, volumes, ...rest } });
      await clock.advance(5000);
    },
    storageClass: async ({ metadata, ...rest }: Partial<Draft<StorageClass>>) => {
      const simulated = { provisioner: "sim.trimtab.dev/volumes", volumeBindingMode: "Immediate" };
      await client.create(storageClasses, { metadata: { name: "own", ...metadata }, ...simulated, ...rest });
      await clock.advance(1000);
    },
    claimNow: (name = "data") => client.get(persistentVolumeClaims, at(name)),
    podNow: (name = "web") => client.get(pods, at(name)),
    volumesNow: async () => (await client.list(persistentVolumes, {})).items,
    volumeOf: async (name = "data") => {
      const { spec } = await client.get(persistentVolumeClaims, at(name));
      return client.get(persistentVolumes, { name: spec.volumeName ?? "" });
    },
    exists: async (name = "data") => {
      const { items } = await client.list(persistentVolumeClaims, {});
      return items.some(({ metadata }) => metadata.name === name);
    },
    eventsOf: async (name = "data") => {
      const { items } = await client.list(events, {});
      return items
        .filter(({ involvedObject }) => involvedObject.name === name)
        .map(({ reason, message }) => `${reason} ${message}`);
    },
    whyPending: async (name = "web") => {
      const { status } = await client.get(pods, at(name));
      return findCondition(status?.conditions, "PodScheduled")?.message;
    },
  };
}

const zonesOf = ({ nodeAffinity }: PersistentVolumeSpec) =>
  nodeAffinity?.required?.nodeSelectorTerms?.[0]?.matchExpressions?.[0]?.values;

test("a claim of the default class waits for its first Pod, gets a volume where that runs, and goes after it", async () => {
  const { claim, pod, claimNow, podNow, client, clock, volumeOf, eventsOf, exists, volumesNow } =
    await volumeCluster();
  await claim("data");
  expect((await claimNow()).spec.storageClassName).toBe("standard");
  expect((await claimNow()).status?.phase).toBe("Pending");
  expect(await eventsOf()).toEqual([
    "WaitForFirstConsumer waiting for first consumer to be created before binding",
  ]);

  await pod("web", { nodeSelector: { [zoneLabel]: "zone-b" } });
  const bound = await claimNow();
  expect(bound.status).toMatchObject({
    phase: "Bound",
    capacity: { storage: "1Gi" },
    accessModes: ["ReadWriteOnce"],
  });
  const running = await podNow();
  expect(running.status?.phase).toBe("Running");
  expect(bound.metadata.annotations?.["volume.kubernetes.io/selected-node"]).toBe(running.spec.nodeName);
  const volume = await volumeOf();
  expect(volume.metadata.name).toBe(`pvc-${bound.metadata.uid}`);
  expect(zonesOf(volume.spec)).toEqual(["zone-b"]);
  expect(volume.status?.phase).toBe("Bound");
  expect(await eventsOf()).toEqual(
    expect.arrayContaining([
      "WaitForPodScheduled waiting for pod web to be scheduled",
      'Provisioning External provisioner is provisioning volume for claim "default/data"',
      `ProvisioningSucceeded Successfully provisioned volume ${volume.metadata.name}`,
    ]),
  );

  await client.delete(persistentVolumeClaims, { namespace: "default", name: "data" });
  await clock.advance(1000);
  expect((await claimNow()).metadata.deletionTimestamp).toBeDefined();
  await client.delete(pods, { namespace: "default", name: "web" });
  await clock.advance(60_000);
  expect(await exists()).toBe(false);
  expect(await volumesNow()).toEqual([]);
});

test("a claim of an Immediate class is bound without a Pod, and its Pods run only in its zone", async () => {
  const { claim, pod, claimNow, podNow, volumeOf, client } = await volumeCluster({ nodes: 6 });
  await claim("data", { storageClassName: "standard-immediate" });
  expect((await claimNow()).status?.phase).toBe("Bound");
  const [zone] = zonesOf((await volumeOf()).spec) ?? [];
  await pod("web");
  const node = await client.get(nodes, { name: (await podNow()).spec.nodeName ?? "" });
  expect(node.metadata.labels?.[zoneLabel]).toBe(zone);
});

test("the volumes of a set's claims take turns among zones, and those of one Pod are in one zone", async () => {
  const { claim, volumeOf } = await volumeCluster();
  const zones: Record<string, string[]> = {};
  for (const template of ["data", "logs"])
    for (const ordinal of [0, 1, 2]) {
      const name = `${template}-web-${ordinal}`;
      await claim(name, { storageClassName: "standard-immediate" });
      (zones[template] ??= []).push(...(zonesOf((await volumeOf(name)).spec) ?? []));
    }
  expect(new Set(zones["data"]).size).toBe(3);
  expect(zones["logs"]).toEqual(zones["data"]);
});

test("a claim without a class waits until there is a default one", async () => {
  const { claim, claimNow, eventsOf, client, clock } = await volumeCluster();
  await client.delete(storageClasses, { name: "standard" });
  await claim("data");
  expect((await claimNow()).spec.storageClassName).toBeUndefined();
  expect(await eventsOf()).toEqual([
    "FailedBinding no persistent volumes available for this claim and no storage class is set",
  ]);
  const annotations = { "storageclass.kubernetes.io/is-default-class": "true" };
  const body = { metadata: { annotations } };
  await client.patch(storageClasses, { name: "standard-immediate" }, { type: "merge", body });
  await clock.advance(1000);
  expect(await claimNow()).toMatchObject({
    spec: { storageClassName: "standard-immediate" },
    status: { phase: "Bound" },
  });
});

test("a claim with an empty class gets the smallest volume that fits, and waits for one otherwise", async () => {
  const { claim, claimNow, volume } = await volumeCluster();
  await volume("large", { storage: "10Gi" });
  await volume("medium", { storage: "5Gi" });
  await volume("small", { storage: "1Gi" });
  await claim("data", { storageClassName: "", storage: "4Gi" });
  expect((await claimNow()).spec.volumeName).toBe("medium");
  expect((await claimNow()).status?.capacity).toEqual({ storage: "5Gi" });
  await claim("more", { storageClassName: "", storage: "20Gi" });
  expect((await claimNow("more")).status?.phase).toBe("Pending");
  await volume("huge", { storage: "20Gi" });
  expect((await claimNow("more")).spec.volumeName).toBe("huge");
});

test("a retained volume stays Released, and is not for a new claim of the name until someone frees it", async () => {
  const { claim, claimNow, client, clock, storageClass, volumesNow } = await volumeCluster();
  await storageClass({ reclaimPolicy: "Retain" });
  await claim("data", { storageClassName: "own" });
  const [made] = await volumesNow();
  await client.delete(persistentVolumeClaims, { namespace: "default", name: "data" });
  await clock.advance(1000);
  expect((await volumesNow()).map(({ status }) => status?.phase)).toEqual(["Released"]);
  await claim("data", { storageClassName: "own" });
  expect((await claimNow()).spec.volumeName).not.toBe(made?.metadata.name);

  const name = made?.metadata.name ?? "";
  const body = { spec: { claimRef: null } };
  await client.patch(persistentVolumes, { name }, { type: "merge", body });
  await clock.advance(1000);
  expect((await client.get(persistentVolumes, { name })).status?.phase).toBe("Available");
  await claim("again", { storageClassName: "own" });
  expect((await claimNow("again")).spec.volumeName).toBe(name);
});

test("a Pod whose volume is in a zone without nodes stays Pending and says so, and wakes when a node comes back", async () => {
  const { claim, pod, podNow, whyPending, client, clock } = await volumeCluster();
  await claim("data");
  await pod("first", { nodeSelector: { [zoneLabel]: "zone-b" } });
  const name = (await podNow("first")).spec.nodeName ?? "";
  await client.patch(nodes, { name }, { type: "merge", body: { spec: { unschedulable: true } } });
  await client.delete(pods, { namespace: "default", name: "first" });
  await clock.advance(60_000);
  await pod("web");
  expect(await whyPending()).toContain("2 node(s) didn't match PersistentVolume's node affinity");
  await client.patch(nodes, { name }, { type: "merge", body: { spec: { unschedulable: false } } });
  await clock.advance(20_000);
  expect((await podNow()).spec.nodeName).toBe(name);
});

test("a claim grows with its volume, if it is bound and its class allows that", async () => {
  const { claim, client, clock, claimNow, volumeOf, eventsOf, storageClass } = await volumeCluster();
  await storageClass({ allowVolumeExpansion: false });
  await claim("data", { storageClassName: "standard-immediate" });
  await claim("fixed", { storageClassName: "own" });
  await claim("waits");
  const body = { spec: { resources: { requests: { storage: "2Gi" } } } };
  const grow = (name: string) =>
    client.patch(persistentVolumeClaims, { namespace: "default", name }, { type: "merge", body });
  await grow("data");
  await clock.advance(1000);
  expect((await claimNow()).status?.capacity).toEqual({ storage: "2Gi" });
  expect((await volumeOf()).spec.capacity).toEqual({ storage: "2Gi" });
  expect(await eventsOf()).toEqual(
    expect.arrayContaining([
      "ExternalExpanding waiting for an external controller to expand this PVC",
      "VolumeResizeSuccessful Resize volume succeeded",
    ]),
  );
  await expect(grow("fixed")).rejects.toMatchObject({
    code: 403,
    message: expect.stringContaining("only dynamically provisioned pvc can be resized"),
  });
  await expect(grow("waits")).rejects.toMatchObject({
    code: 403,
    message: expect.stringContaining("Only bound persistent volume claims can be expanded"),
  });
});

test("a claim whose volume is removed by force is lost, and its Pods are not scheduled", async () => {
  const { claim, claimNow, client, clock, eventsOf, volumeOf, pod, whyPending } = await volumeCluster();
  await claim("data", { storageClassName: "standard-immediate" });
  const { name } = (await volumeOf()).metadata;
  await client.delete(persistentVolumes, { name });
  await clock.advance(1000);
  expect((await claimNow()).status?.phase).toBe("Bound");
  await client.patch(
    persistentVolumes,
    { name },
    { type: "merge", body: { metadata: { finalizers: null } } },
  );
  await clock.advance(1000);
  expect((await claimNow()).status?.phase).toBe("Lost");
  expect(await eventsOf()).toContain(
    "ClaimLost Bound claim has lost its PersistentVolume. Data on the volume is lost!",
  );
  await pod("web");
  expect(await whyPending()).toContain(
    `persistentvolumeclaim "data" bound to non-existent persistentvolume "${name}"`,
  );
});

test("a volume that cannot be made is reported, and the scheduler may choose another node", async () => {
  const { claim, client, clock, claimNow, eventsOf, storageClass, pod, podNow } = await volumeCluster();
  const annotations = { "sim.trimtab.dev/failProvisioning": "quota exceeded" };
  await storageClass({ metadata: { name: "own", annotations }, volumeBindingMode: "WaitForFirstConsumer" });
  await claim("data", { storageClassName: "own" });
  await pod("web");
  expect(await eventsOf()).toContain(
    'ProvisioningFailed failed to provision volume with StorageClass "own": quota exceeded',
  );
  expect((await claimNow()).metadata.annotations?.["volume.kubernetes.io/selected-node"]).toBeUndefined();
  expect((await podNow()).spec.nodeName).toBeUndefined();
  const body = { metadata: { annotations: null } };
  await client.patch(storageClasses, { name: "own" }, { type: "merge", body });
  await clock.advance(60_000);
  expect((await claimNow()).status?.phase).toBe("Bound");
  expect((await podNow()).status?.phase).toBe("Running");
});

test("a Pod with an ephemeral volume gets a claim of its own, which goes with it", async () => {
  const { pod, podNow, client, clock, exists } = await volumeCluster();
  const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
  await pod("web", { volumes: [{ name: "scratch", ephemeral: { volumeClaimTemplate: { spec } } }] });
  expect((await podNow()).status?.phase).toBe("Running");
  expect(await exists("web-scratch")).toBe(true);
  await client.delete(pods, { namespace: "default", name: "web" });
  await clock.advance(60_000);
  expect(await exists("web-scratch")).toBe(false);
});

test("a Pod that someone binds to a node starts once its claim is bound", async () => {
  const { claim, pod, podNow, eventsOf, client, clock } = await volumeCluster();
  await claim("data");
  await pod("web", { nodeName: "node-1" });
  expect((await podNow()).status?.phase).toBe("Pending");
  expect(await eventsOf("web")).toEqual([
    "FailedMount Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process " +
      "volumes=[data]: error processing PVC default/data: PVC is not bound",
  ]);
  const annotations = { "volume.kubernetes.io/selected-node": "node-1" };
  const at = { namespace: "default", name: "data" };
  await client.patch(persistentVolumeClaims, at, { type: "merge", body: { metadata: { annotations } } });
  await clock.advance(10_000);
  expect((await podNow()).status?.phase).toBe("Running");
});

test("Pods share a claim on one node, and a claim for a single Pod has one Pod at a time", async () => {
  const { claim, pod, podNow, whyPending, client, clock } = await volumeCluster({ nodes: 6 });
  await claim("data", { storageClassName: "standard-immediate", accessModes: ["ReadWriteOncePod"] });
  await pod("web");
  await pod("other");
  expect(await whyPending("other")).toContain("ReadWriteOncePod access mode already in-use by another pod");
  await client.delete(pods, { namespace: "default", name: "web" });
  await clock.advance(60_000);
  expect((await podNow("other")).status?.phase).toBe("Running");
});

test("a static volume is kept for the claim of the first Pod that reaches it; the next one waits for another", async () => {
  const { claim, claimNow, pod, podNow, volume, storageClass, whyPending, clock } = await volumeCluster();
  const provisioner = "kubernetes.io/no-provisioner";
  await storageClass({ provisioner, volumeBindingMode: "WaitForFirstConsumer" });
  const required = {
    nodeSelectorTerms: [{ matchExpressions: [{ key: zoneLabel, operator: "In", values: ["zone-c"] }] }],
  };
  await volume("local", { storageClassName: "own", nodeAffinity: { required } });
  await claim("data", { storageClassName: "own" });
  await claim("more", { storageClassName: "own" });
  await pod("web");
  expect((await claimNow()).spec.volumeName).toBe("local");
  expect((await podNow()).spec.nodeName).toBe("node-3");
  await pod("other", { claim: "more" });
  expect(await whyPending("other")).toContain("3 node(s) didn't find available persistent volumes to bind");
  await volume("second", { storageClassName: "own" });
  await clock.advance(20_000);
  expect((await claimNow("more")).spec.volumeName).toBe("second");
  expect((await podNow("other")).status?.phase).toBe("Running");
});
