import { afterEach, beforeEach, expect, test } from "vitest";
import type { PodDisruptionBudgetSpec } from "../../../api/generated/policy-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import { controllerReference } from "../../../api/owner-references.ts";
import { deployments, jobs, podDisruptionBudgets, pods } from "../../../api/resources.ts";
import { VirtualClock } from "../../../machinery/clock/virtual-clock.ts";
import { seededRandom } from "../../../machinery/random/random.ts";
import { ApiError } from "../../../machinery/client/api-error.ts";
import { type Cluster, startCluster } from "../../start-cluster.ts";

let cluster: Cluster;
let clock: VirtualClock;
beforeEach(async () => {
  clock = new VirtualClock();
  cluster = await startCluster({ clock, random: seededRandom("budgets"), nodes: 3, without: ["job"] });
});
afterEach(() => cluster.stop());

const labels = { app: "web" };

async function deploy(replicas: number): Promise<void> {
  const metadata = { name: "web", namespace: "default" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "app", image: "app:1" }] } };
  await cluster.client.create(deployments, {
    metadata,
    spec: { replicas, selector: { matchLabels: labels }, template },
  });
  await clock.advance(60_000);
}

async function protect(spec: PodDisruptionBudgetSpec): Promise<void> {
  const metadata = { name: "web", namespace: "default" };
  await cluster.client.create(podDisruptionBudgets, {
    metadata,
    spec: { selector: { matchLabels: labels }, ...spec },
  });
  await clock.advance(1000);
}

const budgetNow = () => cluster.client.get(podDisruptionBudgets, { namespace: "default", name: "web" });
const podsNow = async () => (await cluster.client.list(pods, { namespace: "default" })).items;

/** Evicts a Pod; the code of the answer. */
async function evict(name: string): Promise<number> {
  const { requestHandler, kinds } = cluster.server;
  const resource = kinds.find("", "v1", "pods");
  if (resource === undefined) throw new Error("no Pods are served");
  const value: JsonObject = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name } };
  try {
    await requestHandler.handle({
      verb: "create",
      resource,
      namespace: "default",
      name,
      subresource: "eviction",
      options: {},
      user: { name: "tester", groups: ["system:masters"] },
      body: { form: "value", value },
    });
    return 201;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

test("a drain takes one Pod at a time, and the next when its replacement is ready", async () => {
  await deploy(3);
  await protect({ minAvailable: 2 });
  expect((await budgetNow()).status).toMatchObject({
    observedGeneration: 1,
    expectedPods: 3,
    currentHealthy: 3,
    desiredHealthy: 2,
    disruptionsAllowed: 1,
    conditions: [{ type: "DisruptionAllowed", status: "True", reason: "SufficientPods" }],
  });
  const [first, second] = (await podsNow()).map(({ metadata }) => metadata.name);
  expect(await evict(first ?? "")).toBe(201);
  expect(await evict(second ?? "")).toBe(429);
  expect((await budgetNow()).status).toMatchObject({
    disruptionsAllowed: 0,
    conditions: [{ type: "DisruptionAllowed", status: "False", reason: "InsufficientPods" }],
  });
  await clock.advance(120_000);
  expect((await budgetNow()).status).toMatchObject({ currentHealthy: 3, disruptionsAllowed: 1 });
  expect(await evict(second ?? "")).toBe(201);
});

test("a budget of a percentage follows the scale of the Deployment", async () => {
  await deploy(4);
  await protect({ maxUnavailable: "25%" });
  expect((await budgetNow()).status).toMatchObject({ expectedPods: 4, desiredHealthy: 3 });
  await cluster.client.patch(
    deployments,
    { namespace: "default", name: "web" },
    { type: "merge", body: { spec: { replicas: 8 } } },
  );
  await clock.advance(60_000);
  expect((await budgetNow()).status).toMatchObject({
    expectedPods: 8,
    desiredHealthy: 6,
    currentHealthy: 8,
    disruptionsAllowed: 2,
  });
});

test("a budget of Pods whose controller has no scale says so and allows nothing", async () => {
  await deploy(1);
  const job = await cluster.client.create(jobs, {
    metadata: { name: "j", namespace: "default" },
    spec: {
      managedBy: "example.com/queue", // so that no controller of the cluster runs its Pods
      template: { spec: { restartPolicy: "Never", containers: [{ name: "app", image: "app:1" }] } },
    },
  });
  const ownerReferences = [controllerReference(jobs, job)];
  await cluster.client.create(pods, {
    metadata: { name: "of-a-job", namespace: "default", labels, ownerReferences },
    spec: { containers: [{ name: "app", image: "app:1" }] },
  });
  await protect({ maxUnavailable: 1 });
  expect((await budgetNow()).status).toMatchObject({
    disruptionsAllowed: 0,
    conditions: [{ reason: "SyncFailed", message: "jobs.batch does not implement the scale subresource" }],
  });
});
