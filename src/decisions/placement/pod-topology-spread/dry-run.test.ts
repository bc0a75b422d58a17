import { expect, test } from "vitest";
import { pod, type PodTraits } from "../../../testing/pod.ts";
import { podInfo } from "../objects/pod-info.ts";
import type { ClusterView } from "../view/cluster-view.ts";
import { countsByValue } from "./counted-constraint.cases.ts";
import { countDomains, globalMinimum } from "./counted-constraint.ts";
import { effectiveConstraints } from "./effective-constraints.ts";
import { answerFor, hard, hasBar, place, podOfCase, type SpreadCase } from "./spread-cluster.cases.ts";

// upstream: AddPod and RemovePod of PodTopologySpread, which a dry run takes the place of

/** The counts and the minimum of each hard constraint while a Pod is added to a node, or removed from it. */
interface DryRunCase extends SpreadCase {
  readonly add?: { readonly on: string } & PodTraits;
  /** The node whose first Pod goes. */
  readonly remove?: string;
  readonly want: readonly (readonly [counts: Readonly<Record<string, number>>, minimum: number])[];
}

const two = [place("a", { zone: "zone1" }), place("b", { zone: "zone2" })];
const foo = { labels: { foo: "" } };
const bar = { labels: { bar: "" } };
const both = { labels: { foo: "", bar: "" } };
const zoneAndNode = [hard("zone"), hard("node")];
const fooAndBar = [hard("zone"), hard("node", { labelSelector: hasBar })];
const onlyA = { nodeSelector: { node: "a" } };
const tainted = [place("a"), place("b", {}, { taints: [{ key: "k", effect: "NoSchedule" }] })];

function countsOf(given: DryRunCase, cluster: ClusterView): DryRunCase["want"] {
  const waiting = podInfo(podOfCase(given));
  const constraints = effectiveConstraints(waiting, cluster, { defaultingType: "System" }).of(
    "DoNotSchedule",
  );
  if (typeof constraints === "string") throw new Error(constraints);
  return countDomains(constraints, waiting, cluster).map((counts, index) => [
    countsByValue(counts),
    globalMinimum(counts, constraints[index]?.minDomains ?? 1),
  ]);
}

test.for<DryRunCase>([
  {
    name: "added where both nodes are at the minimum",
    nodes: two,
    constraints: [hard("node")],
    add: { on: "a", ...foo },
    want: [[{ a: 1, b: 0 }, 0]],
  },
  {
    name: "added where one node alone is at the minimum",
    nodes: two,
    foo: "1/0",
    constraints: [hard("node")],
    add: { on: "b", ...foo },
    want: [[{ a: 1, b: 1 }, 1]],
  },
  {
    name: "added that is of another namespace",
    nodes: two,
    foo: "1/0",
    constraints: [hard("node")],
    add: { on: "b", namespace: "elsewhere", ...foo },
    want: [[{ a: 1, b: 0 }, 0]],
  },
  {
    name: "added to a node that is not at the minimum",
    nodes: two,
    foo: "1/2",
    constraints: [hard("node")],
    add: { on: "b", ...foo },
    want: [[{ a: 1, b: 3 }, 1]],
  },
  {
    name: "added, by zone and node, where all are at the minimum",
    constraints: zoneAndNode,
    add: { on: "a", ...foo },
    want: [
      [{ zone1: 1, zone2: 0 }, 0],
      [{ a: 1, b: 0, x: 0, y: 0 }, 0],
    ],
  },
  {
    name: "added, by zone and node, to the zone and node at the minimum",
    constraints: zoneAndNode,
    foo: "1/1/0/1",
    add: { on: "x", ...foo },
    want: [
      [{ zone1: 2, zone2: 2 }, 2],
      [{ a: 1, b: 1, x: 1, y: 1 }, 1],
    ],
  },
  {
    name: "added, by zone and node, to a node that is not at the minimum in a zone that is",
    constraints: zoneAndNode,
    foo: "1/1/0/1",
    add: { on: "y", ...foo },
    want: [
      [{ zone1: 2, zone2: 2 }, 2],
      [{ a: 1, b: 1, x: 0, y: 2 }, 0],
    ],
  },
  {
    name: "added that one of two selectors matches",
    constraints: fooAndBar,
    foo: "1/0/1/0",
    bar: "1/1/0/1",
    add: { on: "x", ...bar },
    want: [
      [{ zone1: 1, zone2: 1 }, 1],
      [{ a: 1, b: 1, x: 1, y: 1 }, 1],
    ],
  },
  {
    name: "added that both selectors match",
    constraints: fooAndBar,
    foo: "1/0/0/0",
    bar: "1/1/0/1",
    add: { on: "x", ...both },
    want: [
      [{ zone1: 1, zone2: 1 }, 1],
      [{ a: 1, b: 1, x: 1, y: 1 }, 1],
    ],
  },
  {
    name: "added to a node that the waiting Pod may not use",
    nodes: two,
    foo: "1/0",
    constraints: [hard("node")],
    spec: onlyA,
    add: { on: "b", ...foo },
    want: [[{ a: 1 }, 1]],
  },
  {
    name: "added to the only node that it may use",
    nodes: two,
    foo: "1/0",
    constraints: [hard("node")],
    spec: onlyA,
    add: { on: "a", ...foo },
    want: [[{ a: 2 }, 2]],
  },
  {
    name: "added that the selector does not match",
    nodes: two,
    foo: "1/0",
    constraints: [hard("node")],
    add: { on: "b", ...bar },
    want: [[{ a: 1, b: 0 }, 0]],
  },
  {
    name: "added to a node with a taint, which is ignored by default",
    nodes: tainted,
    constraints: [hard("node")],
    add: { on: "b", ...foo },
    want: [[{ a: 0, b: 1 }, 0]],
  },
  {
    name: "removed, which leaves the minimum as it is",
    nodes: two,
    foo: "2/1",
    constraints: [hard("node")],
    remove: "a",
    want: [[{ a: 1, b: 1 }, 1]],
  },
  {
    name: "removed, which lowers the minimum",
    nodes: two,
    foo: "2/1",
    constraints: [hard("node")],
    remove: "b",
    want: [[{ a: 2, b: 0 }, 0]],
  },
  {
    name: "removed that the selector does not match",
    nodes: two,
    foo: "1/0",
    bar: "0/1",
    constraints: [hard("node")],
    remove: "b",
    want: [[{ a: 1, b: 0 }, 0]],
  },
  {
    name: "removed, by zone and node",
    constraints: zoneAndNode,
    foo: "2/1/1/0",
    remove: "a",
    want: [
      [{ zone1: 2, zone2: 1 }, 1],
      [{ a: 1, b: 1, x: 1, y: 0 }, 0],
    ],
  },
  {
    name: "removed from a node that the waiting Pod may not use",
    nodes: two,
    foo: "1/1",
    constraints: [hard("node")],
    spec: onlyA,
    remove: "b",
    want: [[{ a: 1 }, 1]],
  },
  {
    name: "removed from the only node that the waiting Pod may use",
    nodes: two,
    foo: "2/1",
    constraints: [hard("node")],
    spec: onlyA,
    remove: "a",
    want: [[{ a: 1 }, 1]],
  },
  {
    name: "removed that is not there",
    nodes: two,
    foo: "1/0",
    constraints: [hard("node")],
    remove: "b",
    want: [[{ a: 1, b: 0 }, 0]],
  },
  {
    // upstream: counted down although it was never counted
    name: "removed that is terminating and was not counted",
    nodes: two,
    foo: "1/0",
    terminating: "0/1",
    constraints: [hard("node")],
    remove: "b",
    want: [[{ a: 1, b: 0 }, 0]],
  },
])("counts in a dry run with a Pod $name", (given) => {
  const counted = answerFor(given, (cluster) => {
    const before = countsOf(given, cluster);
    const name = given.add?.on ?? given.remove;
    const node = cluster.nodes.find((each) => each.name === name);
    if (node === undefined) throw new Error(`there is no node ${name}`);
    const change = given.add
      ? { with: [podInfo(pod("added", { ...given.add, node: null }))] }
      : { without: [node.pods[0] ?? podInfo(pod("absent", foo))] };
    const during = cluster.dryRun(node, change, (assumed) => countsOf(given, assumed.cluster));
    expect(countsOf(given, cluster)).toEqual(before);
    return during;
  });
  expect(counted).toEqual(given.want);
});
