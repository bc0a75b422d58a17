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
  const fixture = await startSchedulerFixture({
    nodes: [nodeDraft("a", { labels: { zone: "a" } }), nodeDraft("b", { labels: { zone: "b" }, pods: "1" })],
  });
  await fixture.createPod("there", { labels: { foo: "" }, spec: { nodeName: "a" } });
  await fixture.createPod("filler", { labels: {}, spec: { nodeName: "b" } });
  await fixture.createPod("stuck", {
    labels: { foo: "" },
    spec: { topologySpreadConstraints: [constraint] },
  });
  await fixture.createPod("other", { labels: { other: "" }, spec: { nodeSelector: { disk: "ssd" } } });
  await fixture.clock.advance(5000);
  expect((await fixture.places())["stuck"]).toBeUndefined();
  return fixture;
}

const attemptsOf = (fixture: SchedulerFixture, name: string) => fixture.records.find({ name })[0]?.attempt;
const label = (labels: Readonly<Record<string, string | null>>) =>
  ({ type: "merge", body: { metadata: { labels } } }) as const;

describe("a Pod that its spread keeps waiting is tried again when", () => {
  test.for<{ name: string; change: (fixture: SchedulerFixture) => Promise<unknown> }>([
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
    const fixture = await deadlock();
    await change(fixture);
    await fixture.clock.advance(5000);
    expect((await fixture.places())["stuck"]).toBeDefined();
    expect(attemptsOf(fixture, "stuck")).toBe(2);
    expect(attemptsOf(fixture, "other")).toBe(1);
  });

  test("the emptier zone is tainted, where taints count", async () => {
    const fixture = await deadlock(hard("zone", { nodeTaintsPolicy: "Honor" }));
    const taints = [{ key: "k", effect: "NoSchedule" }];
    await fixture.client.patch(nodes, { name: "b" }, { type: "merge", body: { spec: { taints } } });
    await fixture.clock.advance(5000);
    expect((await fixture.places())["stuck"]).toBe("a");
  });

  test.for<{ name: string; change: (fixture: SchedulerFixture) => Promise<unknown> }>([
    {
      name: "a Pod it does not count comes",
      change: ({ createPod }) => createPod("x", { labels: { x: "" }, spec: { nodeName: "a" } }),
    },
    {
      name: "a node gets a label that is no domain",
      change: ({ client }) => client.patch(nodes, { name: "a" }, label({ x: "y" })),
    },
  ])("but not when $name", async ({ change }) => {
    const fixture = await deadlock();
    await change(fixture);
    await fixture.clock.advance(5000);
    expect((await fixture.places())["stuck"]).toBeUndefined();
    expect(attemptsOf(fixture, "stuck")).toBe(1);
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
    const fixture = await startSchedulerFixture({
      config,
      nodes: [
        nodeDraft("a", { labels: { zone: "a" } }),
        nodeDraft("b", { labels: { zone: "b" }, spec: { unschedulable: true } }),
      ],
    });
    await fixture.createPod("there", { spec: { nodeName: "a" } });
    await fixture.client.create(services, service);
    await fixture.createPod("stuck", { spec, metadata });
    await fixture.clock.advance(5000);
    expect((await fixture.places())["stuck"]).toBeUndefined();
    return fixture;
  };

  test("is tried again when the Service is gone that says who belongs together", async () => {
    const fixture = await start();
    await fixture.client.delete(services, inDefault("web"));
    await fixture.clock.advance(5000);
    expect((await fixture.places())["stuck"]).toBe("a");
  });

  test("is tried again when its owner comes to be known", async () => {
    const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "late", uid: "u", controller: true };
    const fixture = await start({}, { ownerReferences: [owner] });
    await fixture.client.create(replicaSets, {
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
    await fixture.clock.advance(5000);
    // Nobody else is on that track.
    expect((await fixture.places())["stuck"]).toBe("a");
  });
});
