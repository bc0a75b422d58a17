import { describe, expect, test } from "vitest";
import type { Node, Pod, Service } from "../../api/generated/core-v1.ts";
import { deepFreeze } from "../../testing/deep-freeze.ts";
import { node } from "../../testing/node.ts";
import { pod } from "../../testing/pod.ts";
import { defaultPlugins } from "./default-plugins.ts";
import { pluginSetOf } from "./plugin-entry.ts";
import { filteringCases, scoringCases, twoZones } from "./place-pod.cases.ts";
import { placePod, type PlacementOptions, unschedulablePlugins } from "./place-pod.ts";
import { fails, fits, type Plugin, unschedulable } from "./plugin.ts";
import { waitingPod } from "./plugin-fixture.cases.ts";
import { podTopologySpread } from "./pod-topology-spread/plugin.ts";
import { clusterViewOf } from "./view/list-view.ts";

const all = pluginSetOf(defaultPlugins());
const first = () => 1;
const last = () => 0;
const options: PlacementOptions = { pluginSet: all, draw: first };
const filtersAndSpread = { filters: all.filters, scorers: [{ plugin: podTopologySpread(), weight: 2 }] };

function withPods(nodes: readonly Node[], foo: string): readonly Pod[] {
  return foo
    .split("/")
    .flatMap((count, index) =>
      Array.from({ length: Number(count) }, (_, each) =>
        pod(`p-${index}-${each}`, { labels: { foo: "" }, node: nodes[index]?.metadata.name ?? null }),
      ),
    );
}

/** Every node that some draw leads to. */
function reachable(given: Pod, nodes: readonly Node[], foo: string): readonly string[] {
  const view = clusterViewOf({ nodes, pods: withPods(nodes, foo) });
  const found = new Set<string>();
  for (let wanted = 1; wanted <= nodes.length; wanted++) {
    const draw = (limit: number) => (limit === wanted ? 0 : 1);
    const { outcome } = placePod(given, view, { pluginSet: filtersAndSpread, draw });
    if (outcome.kind === "placed") found.add(outcome.node);
  }
  return [...found].sort();
}

test.for([...filteringCases, ...scoringCases])(
  "a Pod goes $name",
  ({ nodes = twoZones, foo, spec, labels = { foo: "" }, want }) => {
    expect(reachable(waitingPod({ labels, spec }), nodes, foo)).toEqual(want);
  },
);

describe("placePod", () => {
  const cluster = clusterViewOf({ nodes: twoZones });

  test("says that there are no nodes", () => {
    const { outcome, nextStart } = placePod(waitingPod(), clusterViewOf({ nodes: [] }), options);
    expect({ outcome, nextStart }).toEqual({ outcome: { kind: "no-nodes" }, nextStart: 0 });
  });

  test("takes the only node that will do without scoring it", () => {
    const placement = placePod(waitingPod({ spec: { nodeName: "node-2" } }), cluster, options);
    expect(placement.outcome).toEqual({ kind: "placed", node: "node-2", by: { kind: "only-node" } });
    expect(placement.scored.nodes).toEqual([]);
    expect(placement.refused.toArray().map(({ node: name }) => name)).toEqual(["node-0", "node-1", "node-3"]);
  });

  test("draws between equals", () => {
    const { outcome } = placePod(waitingPod(), cluster, { ...options, draw: last });
    expect(outcome).toEqual({
      kind: "placed",
      node: "node-3",
      by: { kind: "score", total: 397, best: ["node-0", "node-1", "node-2", "node-3"] },
    });
  });

  test("takes a nominated node that still will do, and moves nothing on", () => {
    const nominated: PlacementOptions = { ...options, nominatedNode: "node-1", start: 3 };
    const { outcome, nextStart, feasible } = placePod(waitingPod(), cluster, nominated);
    expect(outcome).toEqual({ kind: "placed", node: "node-1", by: { kind: "nomination" } });
    expect({ nextStart, feasible }).toEqual({ nextStart: 3, feasible: ["node-1"] });
  });

  test.for([
    { name: "no longer there", nominatedNode: "node-9", spec: {} },
    { name: "no longer fit", nominatedNode: "node-1", spec: { nodeName: "node-2" } },
  ])("looks at all nodes when the nominated one is $name", ({ nominatedNode, spec }) => {
    const { outcome, examined } = placePod(waitingPod({ spec }), cluster, { ...options, nominatedNode });
    expect(outcome).toMatchObject({ kind: "placed" });
    expect(examined).toBe(4);
  });

  test("looks only at nodes that affinity pins, and says so of the others", () => {
    const nodeSelectorTerms = [
      { matchFields: [{ key: "metadata.name", operator: "In", values: ["node-1"] }] },
    ];
    const affinity = {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
    };
    const nodes = [...twoZones.slice(0, 1), node("node-1", { unschedulable: true }), ...twoZones.slice(2)];
    const placement = placePod(waitingPod({ spec: { affinity } }), clusterViewOf({ nodes }), options);
    expect(placement.outcome).toEqual({ kind: "unfit" });
    expect(placement.refused.toArray().map(({ node: name }) => name)).toEqual(["node-1"]);
    expect(placement.leftOut).toMatchObject({
      code: "UnschedulableAndUnresolvable",
      reasons: ["node(s) didn't satisfy plugin(s) [NodeAffinity]"],
    });
    expect(unschedulablePlugins(placement)).toEqual(new Set(["NodeAffinity", "NodeUnschedulable"]));
  });

  test("stops at a plugin that fails, and attributes the Pod's waiting to no plugin", () => {
    const broken: Plugin = { name: "Broken", preFilter: () => ({ filter: () => fails("odd") }) };
    const pluginSet = { filters: [broken], scorers: all.scorers };
    const placement = placePod(waitingPod(), cluster, { ...options, pluginSet });
    expect(placement.outcome).toEqual({
      kind: "failed",
      breakdown: { kind: "fails", plugin: "Broken", point: "Filter", message: "odd" },
    });
    expect(unschedulablePlugins(placement)).toEqual(new Set());
  });

  test("is satisfied with the first node that will do when no plugin scores", () => {
    const pluginSet = { filters: all.filters, scorers: [] };
    const placement = placePod(waitingPod(), cluster, { ...options, pluginSet, start: 2 });
    expect(placement).toMatchObject({ outcome: { node: "node-2" }, examined: 1, nextStart: 3 });
  });

  test("attributes an unfit Pod to the plugins that rejected its nodes", () => {
    const nodes = [
      node("a", { unschedulable: true }),
      node("b", { taints: [{ key: "k", effect: "NoSchedule" }] }),
    ];
    const placement = placePod(waitingPod(), clusterViewOf({ nodes }), options);
    expect(unschedulablePlugins(placement)).toEqual(new Set(["NodeUnschedulable", "TaintToleration"]));
  });

  test("leaves everything it was given as it was", () => {
    const frozen = deepFreeze(waitingPod());
    expect(placePod(frozen, clusterViewOf(deepFreeze({ nodes: twoZones })), options).pod).toBe(frozen);
  });
});

describe("the search of a large cluster", () => {
  const nodes = Array.from({ length: 300 }, (_, index) => node(`n${index}`));
  const view = clusterViewOf({ nodes });
  const oddOnly: Plugin = {
    name: "OddOnly",
    preFilter: () => ({
      filter: ({ name }) => (Number(name.slice(1)) % 2 === 1 ? fits : unschedulable("even")),
    }),
  };
  const pluginSet = { filters: [oddOnly], scorers: all.scorers };

  test("ends when enough nodes will do, and the next begins there", () => {
    const placement = placePod(waitingPod(), view, { pluginSet: all, draw: first });
    expect(placement).toMatchObject({ examined: 144, nextStart: 144 });
    expect(placement.feasible[0]).toBe("n0");
  });

  test("goes around the ring", () => {
    const placement = placePod(waitingPod(), view, { pluginSet, draw: first, start: 200 });
    expect(placement.feasible).toHaveLength(144);
    expect(placement.feasible.slice(0, 1)).toEqual(["n201"]);
    expect(placement).toMatchObject({ examined: 288, nextStart: 188 });
  });

  test("looks for the share it is told", () => {
    const percentageOfNodesToScore = 100;
    const placement = placePod(waitingPod(), view, {
      pluginSet: all,
      draw: first,
      percentageOfNodesToScore,
    });
    expect(placement).toMatchObject({ examined: 300, nextStart: 0 });
  });
});

describe("default constraints place Pods one by one", () => {
  const web: Service = {
    metadata: { name: "web", namespace: "default", uid: "u", resourceVersion: "1" },
    spec: { selector: { app: "web" } },
  };

  /** Places Pods by topology spread alone and returns how many are where after each. */
  function place(count: number, nodes: readonly Node[], pluginSet: PlacementOptions["pluginSet"]) {
    const pods: Pod[] = [];
    let start = 0;
    for (let index = 0; index < count; index++) {
      const view = clusterViewOf({ nodes, pods, services: [web] });
      const { outcome, nextStart } = placePod(waitingPod(), view, {
        pluginSet,
        draw: last,
        start,
      });
      if (outcome.kind !== "placed") throw new Error(outcome.kind);
      start = nextStart;
      pods.push(pod(`p${index}`, { node: outcome.node }));
    }
    return pods;
  }

  const perLabel = (pods: readonly Pod[], nodes: readonly Node[], key: string) => {
    const counts = new Map(nodes.map(({ metadata }) => [metadata.labels?.[key] ?? "", 0]));
    for (const { spec } of pods) {
      const on = nodes.find(({ metadata }) => metadata.name === spec.nodeName);
      const value = on?.metadata.labels?.[key] ?? "";
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return [...counts.values()];
  };

  test.for([3, 12, 27])("%i Pods on 300 nodes are even over three zones", (count) => {
    // In the order of the cache: zone by zone in turn.
    const nodes = Array.from({ length: 300 }, (_, index) => node(`n${index}`, { zone: `z${index % 3}` }));
    const pods = place(count, nodes, filtersAndSpread);
    expect(perLabel(pods, nodes, "topology.kubernetes.io/zone")).toEqual([count / 3, count / 3, count / 3]);
  });

  test("an operator's racks are never more uneven than allowed, and hosts are even", () => {
    const rack = "example.com/rack";
    const physical = "example.com/physical-host";
    const plugin = podTopologySpread({
      defaultingType: "List",
      defaultConstraints: [
        { maxSkew: 5, topologyKey: physical, whenUnsatisfiable: "ScheduleAnyway" },
        { maxSkew: 15, topologyKey: rack, whenUnsatisfiable: "DoNotSchedule" },
      ],
    });
    // One rack has ten hosts and the other one: by hosts alone the racks would soon be ten to one.
    const nodes = Array.from({ length: 11 }, (_, index) =>
      node(`n${index}`, { labels: { [rack]: index === 0 ? "small" : "large", [physical]: `h${index}` } }),
    );
    const pods = place(44, nodes, { filters: [plugin], scorers: [{ plugin, weight: 2 }] });
    const [small = 0, large = 0] = perLabel(pods, nodes, rack);
    expect(large - small).toBeLessThanOrEqual(15);
    expect(small + large).toBe(44);
    const perHost = perLabel(pods, nodes, physical).slice(1);
    expect(Math.max(...perHost) - Math.min(...perHost)).toBeLessThanOrEqual(1);
  });
});
