import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import { configMaps, deployments, pods, replicaSets, resourceQuotas } from "../../../api/resources.ts";
import { testCluster } from "../../../testing/test-cluster.ts";

const at = (name: string) => ({ namespace: "default", name });
const labels = { app: "web" };
const template = { metadata: { labels }, spec: { containers: [{ name: "app", image: "app:1" }] } };
const spec = (replicas: number) => ({ replicas, selector: { matchLabels: labels }, template });

async function start(hard: Readonly<Record<string, string>>, rest: JsonObject = {}) {
  const cluster = await testCluster({ seed: "quota" });
  onTestFinished(() => cluster.stop());
  const { client, clock } = cluster;
  await client.create(resourceQuotas, { metadata: at("small"), spec: { hard, ...rest } });
  await clock.settle();
  const quota = async () => (await client.get(resourceQuotas, at("small"))).status;
  return { ...cluster, quota };
}

test("the status of a quota has its limits and what is used of them", async () => {
  const { client, clock, quota } = await start({ configmaps: "5", pods: "3", "requests.cpu": "2" });
  expect(await quota()).toEqual({
    hard: { configmaps: "5", pods: "3", "requests.cpu": "2" },
    used: { configmaps: "1", pods: "0", "requests.cpu": "0" }, // the certificate of the cluster
  });
  await client.create(configMaps, { metadata: at("settings") });
  expect((await quota())?.used).toMatchObject({ configmaps: "2" });
  await client.delete(configMaps, at("settings"));
  await clock.settle();
  expect((await quota())?.used).toMatchObject({ configmaps: "1" });
});

test("limits that are changed are shown and hold at once", async () => {
  const { client, clock, quota } = await start({ configmaps: "1" });
  const create = (name: string) => client.create(configMaps, { metadata: at(name) });
  await expect(create("a")).rejects.toMatchObject({ code: 403 });
  await client.patch(resourceQuotas, at("small"), {
    type: "merge",
    body: { spec: { hard: { configmaps: "2", services: "9" } } },
  });
  await create("a");
  await expect(create("b")).rejects.toMatchObject({ code: 403 });
  await clock.settle();
  expect(await quota()).toEqual({
    hard: { configmaps: "2", services: "9" },
    used: { configmaps: "2", services: "1" }, // the API server itself
  });
});

test("a Pod that ends, or is gone, is no longer charged", async () => {
  const { client, clock, quota } = await start({ pods: "2", "count/pods": "9" });
  const create = (name: string) => client.create(pods, { metadata: at(name), spec: template.spec });
  for (const name of ["a", "b"]) await create(name);
  await expect(create("c")).rejects.toMatchObject({ code: 403 });
  await clock.settle();
  const a = await client.get(pods, at("a"));
  await client.update(pods, { ...a, status: { phase: "Succeeded" } }, { subresource: "status" });
  await clock.settle();
  expect((await quota())?.used).toEqual({ pods: "1", "count/pods": "2" });
  await client.delete(pods, at("b"), { gracePeriodSeconds: 0 });
  await clock.settle();
  expect((await quota())?.used).toEqual({ pods: "0", "count/pods": "1" });
  await create("c");
});

test("a ReplicaSet that a quota limits fails until it wants no more than that", async () => {
  const { client, clock, quota } = await start({ pods: "2" });
  await client.create(replicaSets, { metadata: at("web"), spec: spec(3) });
  await clock.advance(1000);
  const status = async () => (await client.get(replicaSets, at("web"))).status;
  const [failure] = (await status())?.conditions ?? [];
  expect(failure).toMatchObject({ type: "ReplicaFailure", status: "True", reason: "FailedCreate" });
  expect(failure?.message).toMatch(
    /^pods "web-\w+" is forbidden: exceeded quota: small, requested: pods=1, used: pods=2, limited: pods=2$/,
  );
  expect((await quota())?.used).toEqual({ pods: "2" });

  await client.patch(replicaSets, at("web"), { type: "merge", body: { spec: { replicas: 2 } } });
  await clock.advance(1000);
  expect(await status()).toMatchObject({ replicas: 2, readyReplicas: 2 });
  expect((await status())?.conditions ?? []).toEqual([]);

  await client.patch(resourceQuotas, at("small"), { type: "merge", body: { spec: { hard: { pods: "4" } } } });
  await client.patch(replicaSets, at("web"), { type: "merge", body: { spec: { replicas: 4 } } });
  await clock.advance(2000);
  expect(await status()).toMatchObject({ replicas: 4, readyReplicas: 4 });
});

test("Pods of a Deployment that a quota refuses are its ReplicaFailure, as long as it lasts", async () => {
  const { client, clock } = await start({ pods: "2" });
  await client.create(deployments, { metadata: at("web"), spec: spec(3) });
  await clock.advance(5000);
  const condition = async (wanted: string) =>
    (await client.get(deployments, at("web"))).status?.conditions?.find(({ type }) => type === wanted);
  expect(await condition("ReplicaFailure")).toMatchObject({
    status: "True",
    reason: "FailedCreate",
    message: expect.stringContaining("exceeded quota: small"),
  });
  await client.delete(resourceQuotas, at("small"));
  await clock.advance(20 * 60_000);
  expect(await condition("ReplicaFailure")).toBeUndefined();
  expect((await client.get(deployments, at("web"))).status).toMatchObject({ readyReplicas: 3 });
});

test("a ReplicaSet that a quota refuses is reported by its Deployment, and created when there is room", async () => {
  const { client, clock } = await start({ "count/replicasets.apps": "0" });
  await client.create(deployments, { metadata: at("web"), spec: spec(1) });
  await clock.advance(1000);
  const progressing = async () =>
    (await client.get(deployments, at("web"))).status?.conditions?.find(({ type }) => type === "Progressing");
  expect(await progressing()).toMatchObject({ status: "False", reason: "ReplicaSetCreateError" });
  expect((await progressing())?.message).toMatch(
    /^Failed to create new replica set "web-\w+": replicasets\.apps "web-\w+" is forbidden: exceeded quota: small, /,
  );
  await client.delete(resourceQuotas, at("small"));
  await clock.advance(20 * 60_000);
  expect((await progressing())?.reason).toBe("NewReplicaSetAvailable");
});
