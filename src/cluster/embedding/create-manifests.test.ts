import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../api/json.ts";
import type { Draft, StoredObject } from "../../api/object.ts";
import type { Resource } from "../../api/resource.ts";
import {
  configMaps,
  customResourceDefinitions,
  horizontalPodAutoscalers,
  namespaces,
  podDisruptionBudgets,
  pods,
  resourceQuotas,
} from "../../api/resources.ts";
import { isNotFound } from "../../machinery/client/api-error.ts";
import { startEmbeddedCluster } from "./start-embedded-cluster.ts";

const integer = { type: "integer" };

/** A kind whose objects have a scale, as controllers of Pods have. */
const rollout = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "rollouts.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "rollouts", kind: "Rollout" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: {
            specReplicasPath: ".spec.size",
            statusReplicasPath: ".status.size",
            labelSelectorPath: ".status.selector",
          },
        },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", properties: { size: { ...integer, default: 2 } } },
              status: { type: "object", properties: { size: integer, selector: { type: "string" } } },
            },
          },
        },
      },
    ],
  },
};

interface Rollout extends StoredObject {
  readonly spec: { readonly size: number };
}

const rollouts: Resource<Rollout> = {
  group: "example.com",
  version: "v1",
  kind: "Rollout",
  plural: "rollouts",
  namespaced: true,
};

const web = { name: "web", namespace: "default" };
const head = { apiVersion: "example.com/v1", kind: "Rollout" };
const object = (spec: JsonObject = {}, metadata: JsonObject = web) =>
  ({ ...head, metadata, spec }) as unknown as Draft<Rollout>;

async function start(...manifests: readonly object[]) {
  const cluster = await startEmbeddedCluster({ clock: "virtual", seed: 1, nodes: 2, manifests });
  onTestFinished(cluster.stop);
  return cluster;
}

test("a cluster starts with kinds and objects of its own, in virtual time too", async () => {
  const { client } = await start(rollout, { ...head, metadata: { name: "web" }, spec: {} });
  expect(await client.get(rollouts, web)).toMatchObject({ spec: { size: 2 } });
});

test("an object of a kind that nothing defines is refused", async () => {
  await expect(start({ ...head, metadata: { name: "web" } })).rejects.toThrow(
    "manifests[0]: there is no kind Rollout in example.com/v1",
  );
});

test("a cluster that is kept serves its kinds and their objects again, and creates no manifest twice", async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "trimtab-kinds-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const manifests = [rollout, { ...head, metadata: { name: "web" }, spec: { size: 7 } }];
  const first = await startEmbeddedCluster({ nodes: 1, dataDir, manifests });
  await first.client.create(rollouts, object({}, { ...web, name: "later" }));
  await first.stop();
  const second = await startEmbeddedCluster({ nodes: 1, dataDir, manifests });
  onTestFinished(second.stop);
  const { items } = await second.client.list(rollouts, {});
  expect(items.map(({ metadata, spec }) => [metadata.name, spec.size])).toEqual([
    ["later", 2],
    ["web", 7],
  ]);
});

test("an autoscaler scales an object of a custom kind", async () => {
  const { client, clock } = await start(rollout);
  await client.create(rollouts, object({ size: 1 }));
  await client.create(horizontalPodAutoscalers, {
    metadata: web,
    spec: {
      scaleTargetRef: { apiVersion: "example.com/v1", kind: "Rollout", name: "web" },
      minReplicas: 3,
      maxReplicas: 5,
    },
  });
  await clock.advance(60_000);
  expect((await client.get(rollouts, web)).spec.size).toBe(3);
});

test("a disruption budget counts the Pods that an object of a custom kind wants", async () => {
  const { client, clock } = await start(rollout);
  const { metadata } = await client.create(rollouts, object({ size: 4 }));
  const labels = { app: "web" };
  const owner = { ...head, name: "web", uid: metadata.uid, controller: true };
  await client.create(pods, {
    metadata: { ...web, labels, ownerReferences: [owner] },
    spec: { containers: [{ name: "app", image: "app:1" }] },
  });
  await client.create(podDisruptionBudgets, {
    metadata: web,
    spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
  });
  await clock.advance(60_000);
  expect((await client.get(podDisruptionBudgets, web)).status).toMatchObject({
    expectedPods: 4,
    desiredHealthy: 3,
  });
});

test("what an object of a custom kind owns goes with it, and a namespace takes its objects along", async () => {
  const { client, clock } = await start(rollout);
  await client.create(namespaces, { metadata: { name: "team" }, spec: {} });
  const { metadata } = await client.create(rollouts, object());
  const owner = { ...head, name: "web", uid: metadata.uid };
  await client.create(configMaps, { metadata: { ...web, ownerReferences: [owner] } });
  const inTeam = { ...web, namespace: "team" };
  await client.create(rollouts, object({}, inTeam));
  await clock.advance(1000);
  await client.delete(rollouts, web);
  await client.delete(namespaces, { name: "team" });
  await clock.advance(60_000);
  await expect(client.get(configMaps, web)).rejects.toSatisfy(isNotFound);
  await expect(client.get(namespaces, { name: "team" })).rejects.toSatisfy(isNotFound);
  expect((await client.list(rollouts, {})).items).toEqual([]);
});

test("a quota counts objects of a custom kind", async () => {
  const { client, clock } = await start(rollout);
  await client.create(resourceQuotas, {
    metadata: web,
    spec: { hard: { "count/rollouts.example.com": "1" } },
  });
  await clock.advance(60_000);
  await client.create(rollouts, object());
  await expect(client.create(rollouts, object({}, { ...web, name: "second" }))).rejects.toThrow(
    "exceeded quota: web, requested: count/rollouts.example.com=1, used: count/rollouts.example.com=1, limited: count/rollouts.example.com=1",
  );
});

test("a deleted definition takes its objects along", async () => {
  const { client, clock } = await start(rollout);
  await client.create(rollouts, object());
  await client.delete(customResourceDefinitions, { name: "rollouts.example.com" });
  await clock.advance(60_000);
  await expect(client.list(rollouts, {})).rejects.toSatisfy(isNotFound);
  expect((await client.list(customResourceDefinitions, {})).items).toEqual([]);
});
