import { expect, test } from "vitest";
import { node } from "../../src/testing/node.ts";
import { pod } from "../../src/testing/pod.ts";
import { ClusterState } from "../live/cluster-state.ts";
import { zoneSpreadOf, zonesOf } from "./zones.ts";

function clusterOf(nodes: readonly ReturnType<typeof node>[]): ClusterState {
  const state = new ClusterState();
  for (const after of nodes)
    state.apply({ kind: "nodes", key: after.metadata.name, before: undefined, after });
  return state;
}

const three = [
  node("node-10", { zone: "a" }),
  node("node-2", { zone: "a" }),
  node("node-1", { zone: "b" }),
  node("node-3", { zone: "c", unschedulable: true }),
];

test("nodes are in zones, both in the order in which people count", () => {
  const layout = zonesOf(clusterOf([...three, node("lonely")]));
  expect(layout.map(({ name, nodes }) => [name, ...nodes.map(({ metadata }) => metadata.name)])).toEqual([
    ["", "lonely"],
    ["a", "node-2", "node-10"],
    ["b", "node-1"],
    ["c", "node-3"],
  ]);
});

test("the layout is the same until a node changes", () => {
  const state = clusterOf(three);
  const before = zonesOf(state);
  state.apply({ kind: "pods", key: "default/a", before: undefined, after: pod("a") });
  expect(zonesOf(state)).toBe(before);
  state.apply({ kind: "nodes", key: "node-9", before: undefined, after: node("node-9", { zone: "a" }) });
  expect(zonesOf(state)).not.toBe(before);
});

test.for([
  { name: "nothing runs", on: [], want: 0 },
  { name: "one zone has all", on: ["node-2", "node-10"], want: 2 },
  { name: "zones have as many", on: ["node-2", "node-1"], want: 0 },
  { name: "the zone without Pods takes none", on: ["node-2", "node-1", "node-1"], want: 1 },
])("the skew when $name", ({ on, want }) => {
  const pods = on.map((each, index) => pod(`p${index}`, { node: each }));
  const ending = pod("ending", { node: "node-2", deletedAt: "2026-01-01T00:00:00Z" });
  expect(zoneSpreadOf([...pods, ending], clusterOf(three)).skew).toBe(want);
});

test("where nodes cannot be read, those that Pods name stand in, the same for as long as they are named", () => {
  const state = new ClusterState();
  for (const [name, nodeName] of [
    ["a", "node-2"],
    ["b", "node-10"],
    ["c", "node-2"],
  ] as const)
    state.apply({
      kind: "pods",
      key: `default/${name}`,
      before: undefined,
      after: pod(name, { node: nodeName }),
    });
  const [zone] = zonesOf(state);
  expect(zone?.nodes.map(({ metadata }) => metadata.name)).toEqual(["node-2", "node-10"]);
  expect(zonesOf(state)[0]?.nodes[0]).toBe(zone?.nodes[0]);
});
