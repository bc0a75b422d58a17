import { describe, expect, test } from "vitest";
import type { Node, Pod, TopologySpreadConstraint } from "../../src/api/generated/core-v1.ts";
import type { Draft } from "../../src/api/object.ts";
import { pods, services } from "../../src/api/resources.ts";
import { nodeDraft, podDraft, startSchedulerFixture, type SchedulerFixture } from "./fixture.ts";

const host = "kubernetes.io/hostname";
const zone = "topology.kubernetes.io/zone";
const foo = { matchExpressions: [{ key: "foo", operator: "Exists" }] };
const bar = { matchExpressions: [{ key: "bar", operator: "Exists" }] };

function hard(topologyKey: string, traits: Partial<TopologySpreadConstraint> = {}): TopologySpreadConstraint {
  return { maxSkew: 1, topologyKey, whenUnsatisfiable: "DoNotSchedule", labelSelector: foo, ...traits };
}

function soft(topologyKey: string, traits: Partial<TopologySpreadConstraint> = {}): TopologySpreadConstraint {
  return hard(topologyKey, { whenUnsatisfiable: "ScheduleAnyway", ...traits });
}

const tainted = { taints: [{ key: "k", effect: "NoSchedule" }] };

/** node-0 and node-1 in zone-0, node-2 and node-3 in zone-1. */
const fourNodes: readonly Draft<Node>[] = [0, 1, 2, 3].map((index) =>
  nodeDraft(`node-${index}`, { labels: { [zone]: `zone-${index >> 1}` } }),
);

interface Scene {
  readonly nodes?: readonly Draft<Node>[];
  /** How many Pods with the label are on each node already. */
  readonly there: readonly number[];
  readonly thereWithBar?: readonly number[];
  readonly constraints: readonly TopologySpreadConstraint[];
  readonly spec?: Partial<Pod["spec"]>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly labelsThere?: Readonly<Record<string, string>>;
}

/** Everything but spreading is switched off as far as scores go, so that what is seen is spreading. */
const onlySpreading = `
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
  - plugins:
      preScore: {disabled: [{name: "*"}], enabled: [{name: PodTopologySpread}]}
      score: {disabled: [{name: "*"}], enabled: [{name: PodTopologySpread}]}
`;

async function play(scene: Scene): Promise<SchedulerFixture> {
  const fixture = await startSchedulerFixture({ nodes: scene.nodes ?? fourNodes, config: onlySpreading });
  const fill = async (
    counts: readonly number[],
    prefix: string,
    labels: Readonly<Record<string, string>>,
  ) => {
    for (const [index, count] of counts.entries()) {
      for (let number = 0; number < count; number++) {
        const spec = { nodeName: `node-${index}` };
        await fixture.createPod(`${prefix}-${index}-${number}`, { labels, spec });
      }
    }
  };
  await fill(scene.there, "foo", scene.labelsThere ?? { foo: "" });
  await fill(scene.thereWithBar ?? [], "bar", { bar: "" });
  await fixture.createPod("new", {
    labels: scene.labels ?? { foo: "" },
    spec: { topologySpreadConstraints: [...scene.constraints], ...scene.spec },
  });
  await fixture.clock.advance(2000);
  return fixture;
}

const inZone = (name: string): Partial<Pod["spec"]> => ({ nodeSelector: { [zone]: name } });
const revision = (value: string) => ({ foo: "", revision: value });

describe("hard constraints", () => {
  test.for<Scene & { name: string; want: readonly string[] }>([
    { name: "1/1/0/1", there: [1, 1, 0, 1], constraints: [hard(host)], want: ["node-2"] },
    {
      name: "2/0/0/1 with maxSkew 2",
      there: [2, 0, 0, 1],
      constraints: [hard(host, { maxSkew: 2 })],
      want: ["node-1", "node-2", "node-3"],
    },
    {
      name: "zones 1/1 and hosts in one zone, by affinity",
      there: [1, 0, 1, 0],
      constraints: [hard(zone)],
      spec: inZone("zone-0"),
      want: ["node-0", "node-1"],
    },
    {
      name: "zones 2/1 and hosts 1/1/0/1",
      there: [1, 1, 0, 1],
      constraints: [hard(zone), hard(host)],
      want: ["node-2"],
    },
    {
      name: "two selectors that leave no node",
      there: [1, 0, 0, 0],
      thereWithBar: [0, 0, 1, 1],
      constraints: [hard(zone), hard(host, { labelSelector: bar })],
      labels: { foo: "", bar: "" },
      want: [],
    },
    {
      name: "fewer domains than there should be",
      there: [2, 2, 1, 1],
      constraints: [hard(host, { maxSkew: 2, minDomains: 5 })],
      want: ["node-2", "node-3"],
    },
    {
      name: "as many domains as there should be",
      there: [2, 2, 1, 1],
      constraints: [hard(host, { maxSkew: 2, minDomains: 4 })],
      want: ["node-0", "node-1", "node-2", "node-3"],
    },
    {
      name: "fewer zones than there should be",
      there: [1, 1, 1, 0],
      constraints: [hard(zone, { maxSkew: 2, minDomains: 3 })],
      want: ["node-2", "node-3"],
    },
    {
      name: "as many zones as there should be",
      there: [1, 1, 1, 0],
      constraints: [hard(zone, { maxSkew: 2, minDomains: 2 })],
      want: ["node-0", "node-1", "node-2", "node-3"],
    },
    {
      name: "a node ruled out by selector is left out of the counts",
      there: [1, 1, 0, 1],
      constraints: [hard(host)],
      spec: inZone("zone-0"),
      want: ["node-0", "node-1"],
    },
    {
      name: "unless affinity is to be ignored",
      there: [1, 1, 0, 1],
      constraints: [hard(host, { nodeAffinityPolicy: "Ignore" })],
      spec: inZone("zone-0"),
      want: [],
    },
    {
      name: "a tainted node counts",
      nodes: [...fourNodes.slice(0, 3), nodeDraft("node-3", { labels: { [zone]: "zone-1" }, spec: tainted })],
      there: [1, 1, 1, 0],
      constraints: [hard(host)],
      want: [],
    },
    {
      name: "unless taints are to be honored",
      nodes: [...fourNodes.slice(0, 3), nodeDraft("node-3", { labels: { [zone]: "zone-1" }, spec: tainted })],
      there: [1, 1, 1, 0],
      constraints: [hard(host, { nodeTaintsPolicy: "Honor" })],
      want: ["node-0", "node-1", "node-2"],
    },
    {
      name: "a tolerated taint is none",
      nodes: [...fourNodes.slice(0, 3), nodeDraft("node-3", { labels: { [zone]: "zone-1" }, spec: tainted })],
      there: [1, 1, 1, 0],
      constraints: [hard(host, { nodeTaintsPolicy: "Honor" })],
      spec: { tolerations: [{ key: "k", operator: "Exists" }] },
      want: ["node-3"],
    },
    {
      name: "two constraints with policies of their own",
      there: [1, 1, 0, 1],
      constraints: [hard(zone, { nodeAffinityPolicy: "Ignore" }), hard(host)],
      spec: inZone("zone-1"),
      want: ["node-2"],
    },
    {
      name: "only Pods of its own revision count",
      there: [1, 1, 1, 0],
      labelsThere: revision("old"),
      constraints: [hard(host, { matchLabelKeys: ["revision"] })],
      labels: revision("new"),
      want: ["node-0", "node-1", "node-2", "node-3"],
    },
    {
      name: "all Pods of its own revision count",
      there: [1, 1, 1, 0],
      labelsThere: revision("new"),
      constraints: [hard(host, { matchLabelKeys: ["revision"] })],
      labels: revision("new"),
      want: ["node-3"],
    },
    {
      name: "a key to match that the Pod lacks does not matter",
      there: [1, 1, 1, 0],
      constraints: [hard(host, { matchLabelKeys: ["absent"] })],
      want: ["node-3"],
    },
  ])("$name", async ({ want, ...scene }) => {
    const { places } = await play(scene);
    const { new: place } = await places();
    if (want.length === 0) expect(place).toBeUndefined();
    else expect(want).toContain(place);
  });
});

describe("soft constraints", () => {
  const withoutFirst: Partial<Pod["spec"]> = {
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: host, operator: "NotIn", values: ["node-0"] }] }],
        },
      },
    },
  };

  const firstTainted = [
    nodeDraft("node-0", { labels: { [zone]: "zone-0" }, spec: tainted }),
    ...fourNodes.slice(1),
  ];

  test.for<Scene & { name: string; want: string }>([
    {
      name: "prefer the emptiest of the nodes that will do",
      there: [0, 1, 2, 3],
      constraints: [soft(host)],
      spec: withoutFirst,
      want: "node-1",
    },
    {
      name: "choose among what hard ones leave",
      there: [2, 2, 0, 1],
      constraints: [hard(zone), soft(host)],
      want: "node-2",
    },
    {
      name: "leave out of the zone's count what affinity rules out",
      there: [0, 0, 2, 0],
      constraints: [soft(zone), soft(host)],
      spec: inZone("zone-1"),
      want: "node-3",
    },
    {
      name: "count Pods on tainted nodes",
      nodes: firstTainted,
      there: [3, 0, 2, 0],
      constraints: [soft(zone), soft(host)],
      want: "node-3",
    },
    {
      name: "leave them out where taints are honored",
      nodes: firstTainted,
      there: [3, 0, 2, 0],
      constraints: [soft(zone, { nodeTaintsPolicy: "Honor" }), soft(host)],
      want: "node-1",
    },
    {
      name: "count all Pods when the Pod lacks the key to match",
      there: [1, 1, 1, 0],
      labelsThere: revision("old"),
      constraints: [soft(host, { matchLabelKeys: ["absent"] })],
      labels: revision("new"),
      want: "node-3",
    },
    {
      name: "count Pods of their own revision alone",
      there: [0, 2, 1, 2],
      labelsThere: revision("new"),
      constraints: [soft(host, { matchLabelKeys: ["revision"] })],
      labels: revision("new"),
      want: "node-0",
    },
  ])("$name", async ({ want, ...scene }) => {
    const { places } = await play(scene);
    expect((await places())["new"]).toBe(want);
  });
});

test("four Pods with a skew of 1 share two nodes evenly", async () => {
  const { createPod, places, clock } = await startSchedulerFixture({
    nodes: [nodeDraft("n"), nodeDraft("m")],
  });
  const spec = { topologySpreadConstraints: [hard(host)] };
  for (const name of ["a", "b", "c", "d"]) await createPod(name, { labels: { foo: "" }, spec });
  await clock.settle();
  expect(
    Object.values(await places())
      .map(String)
      .sort(),
  ).toEqual(["m", "m", "n", "n"]);
});

test("300 nodes in three zones: Pods of a Service are spread over them without a skew", async () => {
  const fixture = await startSchedulerFixture({ nodes: 300, config: onlySpreading });
  const { client, clock, places } = fixture;
  await client.create(services, {
    metadata: { name: "web", namespace: "default" },
    spec: { selector: { app: "web" }, ports: [{ port: 80 }] },
  });
  await clock.settle();
  let created = 0;
  for (const total of [3, 12, 27]) {
    for (; created < total; created++) await client.create(pods, podDraft(`p${created}`));
    await clock.settle();
    const perZone = new Map<number, number>();
    for (const name of Object.values(await places())) {
      const index = (Number(name?.slice("node-".length)) - 1) % 3;
      perZone.set(index, (perZone.get(index) ?? 0) + 1);
    }
    expect([...perZone.values()]).toEqual([total / 3, total / 3, total / 3]);
  }
});
