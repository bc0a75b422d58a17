import { describe, expect, test } from "vitest";
import type { Pod, TopologySpreadConstraint } from "../../src/api/generated/core-v1.ts";
import { nodes, pods, replicaSets, services } from "../../src/api/resources.ts";
import { nodeDraft, startSchedulerFixture, type SchedulerFixture } from "./fixture.ts";

const foo = { matchLabels: { foo: "" } };
const hard = (topologyKey: string, traits: Partial<TopologySpreadConstraint> = {}) => ({
  maxSkew: 1,
  topologyKey,
  whenUnsatisfiable: "DoNotSchedule",
  labelSelector: foo,
  ...traits,
});
const inDefault = (name: string) => ({ namespace: "default", name });

/**
 * Two nodes in a zone of their own each. One Pod is in the first; another may not join it there, and cannot go to the
 * second, which is full. A third waits for a node of another kind: nothing below may wake it.
 */
async function deadlock(constraint: TopologySpreadConstraint = hard("zone")): Promise<SchedulerFixture> {
  const world = await startSchedulerFixture({
    nodes: [nodeDraft("a", { labels: { zone: "a" } }), nodeDraft("b", { labels: { zone: "b" }, pods: "1" })],
  });
  await world.createPod("there", { labels: { foo: "" }, spec: { nodeName: "a" } });
  await world.createPod("filler", { labels: {}, spec: { nodeName: "b" } });
  await world.createPod("stuck", { labels: { foo: "" }, spec: { topologySpreadConstraints: [constraint] } });
  await world.createPod("other", { labels: { other: "" }, spec: { nodeSelector: { disk: "ssd" } } });
  await world.clock.advance(5000);
  expect((await world.places())["stuck"]).toBeUndefined();
  return world;
}

const attemptsOf = (world: SchedulerFixture, name: string) => world.records.find({ name })[0]?.attempt;
const label = (labels: Readonly<Record<string, string | null>>) =>
  ({ type: "merge", body: { metadata: { labels } } }) as const;

describe("a Pod that its spread keeps waiting is tried again when", () => {
  test.for<{ name: string; change: (world: SchedulerFixture) => Promise<unknown> }>([
    {
      name: "a Pod it counts goes",
      change: ({ client }) => client.delete(pods, inDefault("there"), { gracePeriodSeconds: 0 }),
    },
    {
      name: "a Pod it counts loses its label",
      change: ({ client }) => client.patch(pods, inDefault("there"), label({ foo: null })),
    },
    {
      name: "a Pod it counts comes to the emptier zone",
      change: ({ createPod }) => createPod("more", { labels: { foo: "" }, spec: { nodeName: "b" } }),
    },
    {
      name: "a node of another zone comes",
      change: ({ client }) => client.create(nodes, nodeDraft("c", { labels: { zone: "c" } })),
    },
    {
      name: "a node moves to another zone",
      change: ({ client }) => client.patch(nodes, { name: "a" }, label({ zone: "b" })),
    },
    {
      name: "the emptier zone is gone",
      change: ({ client }) => client.delete(nodes, { name: "b" }),
    },
  ])("$name, and others that wait are not", async ({ change }) => {
    const world = await deadlock();
    await change(world);
    await world.clock.advance(5000);
    expect((await world.places())["stuck"]).toBeDefined();
    expect(attemptsOf(world, "stuck")).toBe(2);
    expect(attemptsOf(world, "other")).toBe(1);
  });

  test("the emptier zone is tainted, where taints count", async () => {
    const world = await deadlock(hard("zone", { nodeTaintsPolicy: "Honor" }));
    const taints = [{ key: "k", effect: "NoSchedule" }];
    await world.client.patch(nodes, { name: "b" }, { type: "merge", body: { spec: { taints } } });
    await world.clock.advance(5000);
    expect((await world.places())["stuck"]).toBe("a");
  });

  test.for<{ name: string; change: (world: SchedulerFixture) => Promise<unknown> }>([
    {
      name: "a Pod it does not count comes",
      change: ({ createPod }) => createPod("x", { labels: { x: "" }, spec: { nodeName: "a" } }),
    },
    {
      name: "a node gets a label that is no domain",
      change: ({ client }) => client.patch(nodes, { name: "a" }, label({ x: "y" })),
    },
  ])("but not when $name", async ({ change }) => {
    const world = await deadlock();
    await change(world);
    await world.clock.advance(5000);
    expect((await world.places())["stuck"]).toBeUndefined();
    expect(attemptsOf(world, "stuck")).toBe(1);
  });
});

describe("a Pod that a default constraint keeps waiting", () => {
  const config = `
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
  - pluginConfig:
      - name: PodTopologySpread
        args:
          defaultingType: List
          defaultConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}]
`;
  const service = {
    metadata: { name: "web", namespace: "default" },
    spec: { selector: { app: "web" }, ports: [{ port: 80 }] },
  };
  const start = async (spec: Partial<Pod["spec"]> = {}, metadata: Partial<Pod["metadata"]> = {}) => {
    const world = await startSchedulerFixture({
      config,
      nodes: [
        nodeDraft("a", { labels: { zone: "a" } }),
        nodeDraft("b", { labels: { zone: "b" }, spec: { unschedulable: true } }),
      ],
    });
    await world.createPod("there", { spec: { nodeName: "a" } });
    await world.client.create(services, service);
    await world.createPod("stuck", { spec, metadata });
    await world.clock.advance(5000);
    expect((await world.places())["stuck"]).toBeUndefined();
    return world;
  };

  test("is tried again when the Service is gone that says who belongs together", async () => {
    const world = await start();
    await world.client.delete(services, inDefault("web"));
    await world.clock.advance(5000);
    expect((await world.places())["stuck"]).toBe("a");
  });

  test("is tried again when its owner comes to be known", async () => {
    const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "late", uid: "u", controller: true };
    const world = await start({}, { ownerReferences: [owner] });
    await world.client.create(replicaSets, {
      metadata: { name: "late", namespace: "default" },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: "web", track: "canary" } },
        template: {
          metadata: { labels: { app: "web", track: "canary" } },
          spec: { containers: [{ name: "c", image: "c" }] },
        },
      },
    });
    await world.clock.advance(5000);
    // Nobody else is on that track.
    expect((await world.places())["stuck"]).toBe("a");
  });
});
