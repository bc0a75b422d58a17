import { expect, onTestFinished, test } from "vitest";
import type { PersistentVolume } from "../../api/generated/core-v1.ts";
import { isReady } from "../../api/pod-state.ts";
import { nodes, persistentVolumeClaims, persistentVolumes, pods, statefulSets } from "../../api/resources.ts";
import { zoneOf } from "../../api/well-known.ts";
import { testCluster } from "../../testing/test-cluster.ts";

const labels = { app: "db" };
const at = { namespace: "default", name: "db" };
const claim = {
  metadata: { name: "data" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};

function zoneOfVolume(volume: PersistentVolume | undefined): string | undefined {
  const [term] = volume?.spec?.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  return term?.matchExpressions?.[0]?.values?.[0];
}

/** A StatefulSet with claims on six nodes in three zones, with everything that runs in an embedded cluster. */
async function start(retention: object) {
  const { client, clock, stop } = await testCluster({ nodes: 6, zones: 3 });
  onTestFinished(stop);
  await clock.advance(2000);
  await client.create(statefulSets, {
    metadata: at,
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      serviceName: "db",
      template: { metadata: { labels }, spec: { containers: [{ name: "db", image: "db:1" }] } },
      volumeClaimTemplates: [claim as never],
      persistentVolumeClaimRetentionPolicy: retention,
    },
  });
  await clock.advance(60_000);
  const nodeZones = new Map(
    (await client.list(nodes, {})).items.map(({ metadata }) => [metadata.name, zoneOf(metadata)]),
  );
  return {
    client,
    clock,
    scale: (replicas: number) =>
      client.patch(statefulSets, at, { type: "merge", body: { spec: { replicas } } }),
    /** The zone of each ready Pod, and that of the volume behind its claim. */
    zones: async () => {
      const found = (await client.list(pods, {})).items.filter(isReady);
      const claims = (await client.list(persistentVolumeClaims, {})).items;
      const volumes = (await client.list(persistentVolumes, {})).items;
      return found.map(({ metadata: { name }, spec }) => {
        const bound = claims.find((each) => each.metadata.name === `data-${name}`);
        const volume = volumes.find((each) => each.metadata.name === bound?.spec?.volumeName);
        const zone = nodeZones.get(spec.nodeName ?? "");
        return { name, zone, ofVolume: zoneOfVolume(volume), phase: bound?.status?.phase };
      });
    },
    claims: async () =>
      new Set((await client.list(persistentVolumeClaims, {})).items.map(({ metadata }) => metadata.name)),
    volumes: async () =>
      new Set((await client.list(persistentVolumes, {})).items.map(({ spec }) => spec?.claimRef?.name)),
  };
}

test("claims are bound, and Pods run in the zone of their volume, also those that come back", async () => {
  const { client, clock, zones } = await start({ whenScaled: "Retain", whenDeleted: "Retain" });
  const first = await zones();
  expect(first.map(({ name, phase }) => [name, phase])).toEqual([
    ["db-0", "Bound"],
    ["db-1", "Bound"],
    ["db-2", "Bound"],
  ]);
  for (const { zone, ofVolume } of first) expect(zone).toBe(ofVolume);
  expect(new Set(first.map(({ zone }) => zone)).size).toBe(3);
  for (const { name } of first) await client.delete(pods, { namespace: "default", name });
  await clock.advance(60_000);
  expect(await zones()).toEqual(first);
});

test.for([
  { policy: "Retain", left: ["data-db-0", "data-db-1", "data-db-2"] },
  { policy: "Delete", left: ["data-db-0"] },
])(
  "whenScaled $policy: of the claims and volumes of three Pods are left: $left",
  async ({ policy, left }) => {
    const { clock, scale, claims, volumes } = await start({ whenScaled: policy, whenDeleted: "Retain" });
    await scale(1);
    await clock.advance(120_000);
    expect([await claims(), await volumes()]).toEqual([new Set(left), new Set(left)]);
  },
);

test.for([
  { policy: "Retain", left: ["data-db-0", "data-db-1", "data-db-2"] },
  { policy: "Delete", left: [] },
])("whenDeleted $policy: with the set go claims and volumes, but for: $left", async ({ policy, left }) => {
  const { client, clock, claims, volumes } = await start({ whenScaled: "Retain", whenDeleted: policy });
  await client.delete(statefulSets, at);
  await clock.advance(120_000);
  expect((await client.list(pods, {})).items).toEqual([]);
  expect([await claims(), await volumes()]).toEqual([new Set(left), new Set(left)]);
});

test("a Pod whose claim goes with the former Pod gets a new one when the set grows again", async () => {
  const { clock, scale, zones, claims } = await start({ whenScaled: "Delete", whenDeleted: "Retain" });
  await scale(1);
  await scale(3);
  await clock.advance(120_000);
  expect((await zones()).map(({ name, phase }) => [name, phase])).toEqual([
    ["db-0", "Bound"],
    ["db-1", "Bound"],
    ["db-2", "Bound"],
  ]);
  expect((await claims()).size).toBe(3);
});
