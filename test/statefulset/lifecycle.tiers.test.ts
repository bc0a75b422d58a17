import { expect, onTestFinished, test } from "vitest";
import { persistentVolumeClaims, pods, statefulSets } from "../../src/api/resources.ts";
import { testCluster } from "../../src/testing/test-cluster.ts";
import { perTier } from "../tier.ts";

const at = { namespace: "default", name: "db" };
const labels = { app: "db" };
const claim = {
  metadata: { name: "data" } as never,
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};

// Over HTTPS in the full tier, so that sharing objects by reference hides nothing.
test("a StatefulSet is created, rolled out, scaled down and deleted", async () => {
  const transport = perTier({ unit: "in-process", full: "https" } as const);
  const { client, clock, stop } = await testCluster({ observed: ["statefulset"], transport });
  onTestFinished(stop);
  const images = async () =>
    (await client.list(pods, {})).items
      .map(({ metadata, spec }) => `${metadata.name} ${spec.containers[0]?.image ?? ""}`)
      .toSorted();
  await client.create(statefulSets, {
    metadata: at,
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "db", image: "db:1" }] } },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Delete" },
      volumeClaimTemplates: [claim],
    },
  });
  await clock.advance(60_000);
  expect(await images()).toEqual(["db-0 db:1", "db-1 db:1"]);
  const template = { spec: { containers: [{ name: "db", image: "db:2" }] } };
  await client.patch(statefulSets, at, { type: "strategic", body: { spec: { template } } });
  await clock.advance(120_000);
  expect(await images()).toEqual(["db-0 db:2", "db-1 db:2"]);
  await client.patch(statefulSets, at, { type: "merge", body: { spec: { replicas: 1 } } });
  await clock.advance(60_000);
  const claims = async () => (await client.list(persistentVolumeClaims, {})).items.length;
  expect([await images(), await claims()]).toEqual([["db-0 db:2"], 1]);
  await client.delete(statefulSets, at, { propagationPolicy: "Background" });
  await clock.advance(60_000);
  expect([await images(), await claims()]).toEqual([[], 0]);
});
