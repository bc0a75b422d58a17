import { describe, expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Node, Pod, Service, TopologySpreadConstraint } from "../../api/generated/core-v1.ts";
import { pod } from "../../testing/pod.ts";
import { chooseVictims } from "../downscale/choose-victims.ts";
import { finish } from "../downscale/steps.ts";
import { removalReason } from "../explain/removal-reason.ts";
import { spreadCounts } from "../explain/spread-counts.ts";
import { builtInDefaults, type DefaultsByScheduler, spreadOfInSteps } from "./spread-of.ts";

const now = 1_772_366_400_000;
const zone = "topology.kubernetes.io/zone";
const host = "kubernetes.io/hostname";
const rack = "example.com/rack";

/** a1 and a2 are in zone a, and so on; the nodes of racks have no zone. */
const nodes = ["a1", "a2", "b1", "b2", "c1", "r1", "r2"].map((name): Node => {
  const place = name.startsWith("r") ? { [rack]: name } : { [zone]: name.slice(0, 1), [rack]: "r0" };
  return {
    metadata: { name, uid: name, resourceVersion: "1", labels: { [host]: name, ...place } },
    spec: {},
  };
});

const labels = { app: "web", "pod-template-hash": "1" };
const owner = {
  metadata: { namespace: "default", name: "web", uid: "uid-of-web", resourceVersion: "1" },
  spec: { selector: { matchLabels: labels } },
} as unknown as ReplicaSet;

const on = (
  topologyKey: string,
  extra: Partial<TopologySpreadConstraint> = {},
): TopologySpreadConstraint => ({
  maxSkew: 1,
  topologyKey,
  whenUnsatisfiable: "ScheduleAnyway",
  labelSelector: { matchLabels: { app: "web" } },
  ...extra,
});
const hard = { whenUnsatisfiable: "DoNotSchedule" } as const;

/** Pods named after their nodes, in the order in which the later rules remove them: `a1` or `a1:old` of another ReplicaSet. */
function podsOn(places: string, constraints: readonly TopologySpreadConstraint[]): readonly Pod[] {
  return places.split(" ").map((place, index) => {
    const [node = "", of = "web"] = place.split(":");
    return pod(`${node}-${index}`, {
      node,
      uid: String(1000 + index),
      labels: of === "web" ? labels : { ...labels, "pod-template-hash": of },
      owner: { apiVersion: "apps/v1", kind: "ReplicaSet", name: of },
      spec: constraints.length === 0 ? {} : { topologySpreadConstraints: constraints },
    });
  });
}

interface Case {
  readonly name: string;
  readonly constraints?: readonly TopologySpreadConstraint[];
  readonly defaults?: DefaultsByScheduler;
  readonly pods: string;
  /** In the order in which they go. */
  readonly gone: string;
  readonly reason: string;
}

const cases: readonly Case[] = [
  {
    name: "the fuller zone loses Pods first",
    constraints: [on(zone)],
    pods: "a1 a1 a2 b1 b1 b2 b2 b2",
    gone: "b1-3 b1-4",
    reason: "spread: zone b has 5 Pods, zone a 3",
  },
  {
    name: "inside a zone the fuller host loses Pods first",
    constraints: [on(zone), on(host)],
    pods: "a1 a1 b2 b1 b1 b1",
    gone: "b1-3 b1-4",
    reason: "spread: zone b has 4 Pods, zone a 2",
  },
  {
    name: "a hard constraint counts before a soft one, whatever their order",
    constraints: [on(zone), on(host, hard)],
    pods: "a1 a1 a1 b1 b1 b2 b2",
    gone: "a1-0",
    reason: "spread: host a1 has 3 Pods, host b1 2",
  },
  {
    name: "a zone counts before a host, whatever their order",
    constraints: [on(host), on(zone)],
    pods: "a1 a1 a1 b1 b1 b2 b2",
    gone: "b1-3",
    reason: "spread: zone b has 4 Pods, zone a 3",
  },
  {
    name: "the defaults count where Pods have no constraints: zones, then hosts",
    pods: "a1 a2 b1 b1 b2",
    gone: "b1-2",
    reason: "spread: zone b has 3 Pods, zone a 2",
  },
  {
    name: "a list of defaults counts in place of those that are built in",
    defaults: () => ({
      defaultingType: "List",
      defaultConstraints: [{ ...on(host), labelSelector: undefined as never }],
    }),
    pods: "a1 b1 b2 b2 c1",
    gone: "b2-2",
    reason: "spread: host b2 has 2 Pods, host a1 1",
  },
  {
    name: "without defaults Pods that share a node go first",
    defaults: () => ({ defaultingType: "List" }),
    pods: "a1 b1 b1",
    gone: "b1-1 b1-2",
    reason: "co-located: 2 Pods of this workload on b1, a1-0 has 1",
  },
  {
    name: "without a scheduler that spreads Pods too",
    defaults: () => undefined,
    pods: "a1 b1 b1",
    gone: "b1-1 b1-2",
    reason: "co-located: 2 Pods of this workload on b1, a1-0 has 1",
  },
  {
    name: "Pods of other ReplicaSets count, and stay",
    constraints: [on(zone)],
    pods: "a1 a1 b1 b1 b1 a1:old a2:old a2:old",
    gone: "a1-0 a1-1",
    reason: "spread: zone a has 5 Pods, zone b 3",
  },
  {
    name: "but not with matchLabelKeys that tell them apart",
    constraints: [on(zone, { matchLabelKeys: ["pod-template-hash"] })],
    pods: "a1 a1 b1 b1 b1 a1:old a2:old a2:old",
    gone: "b1-2",
    reason: "spread: zone b has 3 Pods, zone a 2",
  },
  {
    name: "Pods on nodes without the key go first",
    constraints: [on(zone)],
    pods: "a1 a1 a2 r1 b1",
    gone: "r1-3",
    reason: "spread: r1 has no zone, zone a has 3 Pods",
  },
  {
    name: "nodes that are gone are one domain with them",
    constraints: [on(zone)],
    pods: "a1 a1 b1 gone r1",
    gone: "gone-3 r1-4",
    reason: "spread: gone has no zone, zone a has 2 Pods",
  },
  {
    name: "a key that is not well known is named as it is",
    constraints: [on(rack)],
    pods: "r1 r2 r2",
    gone: "r2-1",
    reason: "spread: example.com/rack r2 has 2 Pods, example.com/rack r1 1",
  },
  {
    name: "a constraint that selects other Pods is ignored, and the reason says so",
    constraints: [on(rack, { labelSelector: { matchLabels: { app: "db" } } }), on(zone)],
    pods: "a1 b1 b1",
    gone: "b1-1",
    reason:
      "spread: zone b has 2 Pods, zone a 1 (ignored: topologySpreadConstraints[0]: its labelSelector does not select the Pod)",
  },
  ...[
    {
      what: "without a selector",
      constraint: on(zone, { labelSelector: undefined as never }),
      why: "it has no labelSelector",
    },
    {
      what: "with an empty selector",
      constraint: on(zone, { labelSelector: {} }),
      why: "its labelSelector is empty, by which no Pod is counted",
    },
    { what: "without a key", constraint: on(""), why: "it has no topologyKey" },
    { what: "with a skew of 0", constraint: on(zone, { maxSkew: 0 }), why: "its maxSkew is not positive" },
    {
      what: "with an unknown action",
      constraint: on(zone, { whenUnsatisfiable: "Panic" }),
      why: "its whenUnsatisfiable is not known",
    },
    {
      what: "with a selector that cannot be read",
      constraint: on(zone, { labelSelector: { matchLabels: { app: 7 } } as never }),
      why: "not a label selector",
    },
  ].map(({ what, constraint, why }) => ({
    name: `a constraint ${what} is ignored; Pods that share a node go first`,
    constraints: [constraint],
    pods: "a1 b1 b1",
    gone: "b1-1 b1-2",
    reason: `co-located: 2 Pods of this workload on b1, a1-0 has 1 (ignored: topologySpreadConstraints[0]: ${why})`,
  })),
];

function decide({ constraints = [], defaults = builtInDefaults, pods: places }: Case, count: number) {
  const related = podsOn(places, constraints);
  const pods = related.filter(({ metadata }) => metadata.ownerReferences?.[0]?.name === "web");
  const spread = finish(
    spreadOfInSteps({ owner, pods, related, nodes, services: [], defaultsFor: defaults }),
  );
  const perNode = ({ spec }: Pod) => related.filter((other) => other.spec.nodeName === spec.nodeName).length;
  const choice = chooseVictims(pods, count, { now, gates: defaultFeatureGates, related: perNode, spread });
  return { choice, spread };
}

describe("a scale-down by the constraints of Pods", () => {
  test.for(cases)("$name", (shape) => {
    const { choice } = decide(shape, shape.gone.split(" ").length);
    expect(choice.victims.map(({ pod: { metadata } }) => metadata.name).join(" ")).toBe(shape.gone);
    const sentence = choice.victims[0] && removalReason(choice.victims[0]);
    expect(sentence).toBe(shape.reason);
  });

  test("has the counts of every domain before and after it", () => {
    const { choice, spread } = decide(
      { name: "", pods: "a1 b1 b1 b2 r1", constraints: [on(zone)], gone: "", reason: "" },
      2,
    );
    expect(spreadCounts(choice, spread)).toEqual({
      constraints: [
        {
          topologyKey: zone,
          whenUnsatisfiable: "ScheduleAnyway",
          source: "pod",
          domains: [
            { domain: "b", before: 3, after: 2 },
            { before: 1, after: 0 },
            { domain: "a", before: 1, after: 1 },
            { domain: "c", before: 0, after: 0 },
          ],
        },
      ],
      ignored: [],
    });
  });

  test("has no constraints where the nodes could not be read, and says so", () => {
    const pods = podsOn("a1 b1 b1", [on(zone)]);
    const around = {
      owner,
      pods,
      related: pods,
      nodes: undefined,
      services: [],
      defaultsFor: builtInDefaults,
    };
    expect(finish(spreadOfInSteps(around))).toEqual({
      constraints: [],
      ignored: ["all constraints: the nodes could not be read"],
    });
  });

  describe("that were placed by default constraints", () => {
    const service = (name: string, selector: Readonly<Record<string, string>>): Service => ({
      metadata: { namespace: "default", name, uid: name, resourceVersion: "1" },
      spec: { selector },
    });
    // The newest Pods are in service; the two first of zone b were taken out of it to be looked into.
    const pods = podsOn("b1 b1 b2 a1 a2", []).map((each, index): Pod => {
      const live = index < 2 ? {} : { state: "live" };
      const creationTimestamp = `2026-03-01T10:0${index}:00Z`;
      return { ...each, metadata: { ...each.metadata, creationTimestamp, labels: { ...labels, ...live } } };
    });
    const around = { owner, pods, related: pods, nodes, defaultsFor: builtInDefaults };

    test.for([
      {
        name: "counts the Pods that their Service selects",
        services: [service("live", { state: "live" })],
        zones: { a: 2, b: 1 },
      },
      { name: "counts those of the owner without a Service", services: [], zones: { a: 2, b: 3 } },
      {
        name: "does not look at Services of other Pods",
        services: [service("db", { app: "db" })],
        zones: { a: 2, b: 3 },
      },
    ])("$name", ({ services, zones }) => {
      const spread = finish(spreadOfInSteps({ ...around, services }));
      const facts = { now, gates: defaultFeatureGates, related: () => 1, spread };
      const counts = spreadCounts(chooseVictims(pods, 1, facts), spread)?.constraints[0]?.domains ?? [];
      expect(Object.fromEntries(counts.map(({ domain, before }) => [domain, before]))).toMatchObject(zones);
    });
  });

  test("says of a Pod of the same domain how many are there when it is next", () => {
    const { choice } = decide(
      { name: "", pods: "b1 b1 b2 a1", constraints: [on(zone)], gone: "", reason: "" },
      1,
    );
    expect(choice.victims.map(removalReason)).toEqual(["spread: zone b has 3 Pods, 2 when b1-1 is next"]);
  });
});

test("a Pod that the owner adopts has the default constraints of the owner's Pods", () => {
  const pods = [pod("orphan", { node: "b1", labels })];
  const around = { nodes, services: [], defaultsFor: builtInDefaults };
  const { constraints } = finish(spreadOfInSteps({ owner, pods, related: pods, ...around }));
  expect(constraints.map(({ topologyKey }) => topologyKey)).toEqual([zone, host]);
});

test("a Pod that the owner adopts, and that does not say so yet, is counted once", () => {
  const spec = { topologySpreadConstraints: [on(zone)] };
  const adopting = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web" };
  const pods = [
    pod("owned", { node: "a1", labels, spec, owner: adopting }),
    pod("orphan", { node: "b1", labels, spec }),
  ];
  const around = { nodes, services: [], defaultsFor: builtInDefaults };
  const spread = finish(spreadOfInSteps({ owner, pods, related: pods, ...around }));
  expect(spread.constraints.map(({ base }) => [...base])).toEqual([[]]);
});
