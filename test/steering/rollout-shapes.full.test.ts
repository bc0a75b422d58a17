import { expect, test } from "vitest";
import { deployments, namespaces, pods } from "../../src/api/resources.ts";
import { web, type WebTraits } from "../deployment/builders.ts";
import {
  activePods,
  deploy,
  eventsOf,
  isRolled,
  replicaSetsOf,
  roll,
  scale,
  startCensus,
  startSteering,
} from "./virtual.ts";

const complete = { "trimtab.dev/pod-replacement-policy": "TerminationComplete" };

test.for<WebTraits & { readonly name: string; readonly most: number; readonly after: number }>([
  { name: "surge 2, unavailable 2", replicas: 8, maxSurge: 2, maxUnavailable: 2, most: 10, after: 300 },
  { name: "surge 0, unavailable 1", replicas: 4, maxSurge: 0, maxUnavailable: 1, most: 4, after: 300 },
  { name: "25 % of 3", replicas: 3, maxSurge: "25%", maxUnavailable: "25%", most: 4, after: 300 },
  {
    name: "a minimum of ready seconds",
    replicas: 4,
    maxSurge: 1,
    spec: { minReadySeconds: 5 },
    most: 5,
    after: 400,
  },
  { name: "Recreate", replicas: 4, strategy: "Recreate", most: 4, after: 120 },
  {
    name: "no history",
    replicas: 4,
    maxSurge: 1,
    maxUnavailable: 1,
    spec: { revisionHistoryLimit: 0 },
    most: 5,
    after: 300,
  },
  { name: "40 replicas at 25 %", replicas: 40, maxSurge: "25%", maxUnavailable: "25%", most: 50, after: 300 },
])(
  "a rollout never has more Pods than replicas and surge, terminating ones counted: $name",
  async (story) => {
    const { name: _, most, after, ...traits } = story;
    const steered = await startSteering();
    await deploy(steered, web({ ...traits, annotations: complete, endsIn: "20s" }));
    const census = startCensus(steered);
    await roll(steered, { endsIn: "20s" });
    await steered.clock.advance(after * 1000);
    expect(census.mostPods).toBeLessThanOrEqual(most);
    expect(await isRolled(steered, traits.replicas ?? 0)).toBe(true);
  },
);

test("without steer the same rollout has more", async () => {
  const steered = await startSteering();
  await deploy(
    steered,
    web({ replicas: 8, maxSurge: 2, maxUnavailable: 2, annotations: complete, endsIn: "20s" }),
  );
  await steered.takeDown();
  const census = startCensus(steered);
  await roll(steered, { endsIn: "20s" });
  await steered.clock.advance(300_000);
  expect(census.mostPods).toBeGreaterThan(10);
  expect(await isRolled(steered, 8)).toBe(true);
});

test.each([
  ["with terminatingReplicas", {}],
  ["without", { DeploymentReplicaSetTerminatingReplicas: false }],
])("a capped Deployment is woken when there is room (B), %s", async (_, gates) => {
  const steered = await startSteering({ gates });
  await deploy(steered, web({ replicas: 6, annotations: complete, endsIn: "30s" }));
  await scale(steered, 2);
  await steered.clock.advance(3000);
  await scale(steered, 6);
  await steered.clock.advance(10_000);
  expect(await activePods(steered)).toHaveLength(3);
  await steered.clock.advance(60_000);
  expect(await activePods(steered)).toHaveLength(6);
  const annotated = (await replicaSetsOf(steered)).filter(
    ({ metadata }) => "trimtab.dev/room" in (metadata.labels ?? {}),
  );
  expect(annotated).toEqual([]);
});

test("a Pod whose ReplicaSet is gone counts until it has ended (B)", async () => {
  const steered = await startSteering();
  await deploy(
    steered,
    web({
      replicas: 3,
      maxSurge: 1,
      maxUnavailable: 1,
      annotations: complete,
      endsIn: "60s",
      spec: { revisionHistoryLimit: 0 },
    }),
  );
  const census = startCensus(steered);
  await roll(steered, { endsIn: "60s" });
  await steered.clock.advance(30_000);
  await scale(steered, 5);
  await steered.clock.advance(600_000);
  expect(census.mostPods).toBeLessThanOrEqual(6);
  expect(await isRolled(steered, 5)).toBe(true);
});

test("Pods are counted live: a watch that is late does not make the budget larger (E)", async () => {
  const steered = await startSteering();
  await deploy(
    steered,
    web({ replicas: 6, maxSurge: 2, maxUnavailable: 2, annotations: complete, endsIn: "20s" }),
  );
  const census = startCensus(steered);
  steered.copies[0]?.line.holdWatches(pods);
  await roll(steered, { endsIn: "20s" });
  await steered.clock.advance(15_000);
  steered.copies[0]?.line.releaseWatches();
  await steered.clock.advance(300_000);
  expect(census.mostPods).toBeLessThanOrEqual(8);
  expect(await isRolled(steered, 6)).toBe(true);
});

test("a namespace asks for all its workloads", async () => {
  const steered = await startSteering();
  await steered.client.patch(
    namespaces,
    { name: "default" },
    { type: "merge", body: { metadata: { labels: complete } } },
  );
  await deploy(steered, web({ replicas: 6, maxSurge: 2, maxUnavailable: 2, endsIn: "20s" }));
  const census = startCensus(steered);
  await roll(steered, { endsIn: "20s" });
  await steered.clock.advance(300_000);
  expect(census.mostPods).toBeLessThanOrEqual(8);
  expect(await isRolled(steered, 6)).toBe(true);
});

test("a wish in the Pod template survives annotations that are replaced, as kubectl rollout undo does", async () => {
  const steered = await startSteering();
  const draft = web({ replicas: 6, maxSurge: 2, maxUnavailable: 2, endsIn: "20s", annotations: complete });
  const { template } = draft.spec;
  const annotations = { ...template.metadata?.annotations, ...complete };
  const wishing = { ...template, metadata: { ...template.metadata, annotations } };
  await deploy(steered, { ...draft, spec: { ...draft.spec, template: wishing } });
  const census = startCensus(steered);
  const image = [{ name: "web", image: "web:2" }];
  await steered.client.patch(
    deployments,
    { namespace: "default", name: "web" },
    {
      type: "json",
      operations: [
        { op: "replace", path: "/metadata/annotations", value: {} },
        { op: "replace", path: "/spec/template/spec/containers", value: image },
      ],
    },
  );
  await steered.clock.advance(300_000);
  expect(census.mostPods).toBeLessThanOrEqual(8);
  expect(await isRolled(steered, 6)).toBe(true);
  expect(await eventsOf(steered, "SteeringWishGone")).toEqual([]);
});
