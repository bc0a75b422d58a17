import type { PodSpec } from "../../../api/generated/core-v1.ts";
import { fourNodes, hard, hasBar, place, type SpreadCase } from "./spread-cluster.cases.ts";

/** The nodes that will do, and those that lack a label; all others would be too uneven. */
interface FilterCase extends SpreadCase {
  readonly fit: readonly string[];
  readonly missing?: readonly string[];
}

const both = { foo: "", bar: "" };
const all = ["a", "b", "x", "y"];
const taint = { key: "k", value: "v", effect: "NoSchedule" };

function onNodes(operator: "In" | "NotIn", ...values: readonly string[]): Partial<PodSpec> {
  const nodeSelectorTerms = [{ matchExpressions: [{ key: "node", operator, values }] }];
  return {
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
  };
}

const oneConstraint: readonly FilterCase[] = [
  { name: "lets all pass where there are no Pods", constraints: [hard("zone")], fit: all },
  {
    name: "lets all pass when the Pod is none of those it counts",
    foo: "2/1/1/1",
    labels: { other: "" },
    constraints: [hard("zone")],
    fit: all,
  },
  {
    name: "does not mind Pods of other namespaces",
    foo: "1/0/1/0",
    elsewhere: "5/0/0/0",
    constraints: [hard("zone")],
    fit: all,
  },
  {
    name: "lets all pass without a selector",
    foo: "2/1/0/3",
    constraints: [hard("zone", { labelSelector: null })],
    fit: all,
  },
  { name: "lets all pass when zones are even", foo: "2/1/0/3", constraints: [hard("zone")], fit: all },
  {
    name: "neither takes nor counts a node without the label",
    nodes: [
      place("a", { zone: "zone1" }),
      place("b"),
      place("x", { zone: "zone2" }),
      place("y", { zone: "zone2" }),
    ],
    foo: "1/1/1/1",
    constraints: [hard("zone")],
    fit: ["a"],
    missing: ["b"],
  },
  {
    name: "takes no node when none has the label",
    constraints: [hard("rack")],
    fit: [],
    missing: all,
  },
  {
    name: "takes only the emptiest node for a skew of 1",
    foo: "2/1/0/3",
    constraints: [hard("node")],
    fit: ["x"],
  },
  {
    name: "takes a second node for a skew of 2",
    foo: "2/1/0/3",
    constraints: [hard("node", { maxSkew: 2 })],
    fit: ["b", "x"],
  },
  {
    name: "takes it as well when the Pod itself does not count",
    foo: "2/1/0/3",
    labels: { other: "" },
    constraints: [hard("node")],
    fit: ["b", "x"],
  },
  {
    name: "measures against the nodes that affinity leaves, and lets the others pass",
    foo: "2/1/0/3",
    constraints: [hard("node")],
    spec: onNodes("In", "a", "y"),
    fit: ["a", "b", "x"],
  },
  {
    name: "does not count a terminating Pod",
    foo: "1/0/1/1",
    terminating: "0/0/1/0",
    constraints: [hard("node")],
    fit: ["b"],
  },
  {
    name: "does not count Pods of a zone that are on an excluded node",
    foo: "0/3/0/1",
    constraints: [hard("zone")],
    spec: onNodes("NotIn", "b"),
    fit: ["a", "b"],
  },
  {
    name: "takes nodes of one hostname as one domain",
    nodes: [place("a", { host: "h" }), place("b", { host: "h" }), place("x", { host: "i" })],
    foo: "1/1/1",
    constraints: [hard("host")],
    fit: ["x"],
  },
];

const threeNodes = [
  place("a", { zone: "zone1" }),
  place("b", { zone: "zone1" }),
  place("c", { zone: "zone2" }),
];

const minimumOfDomains: readonly FilterCase[] = [
  {
    name: "measures against 0 while there are too few nodes",
    nodes: threeNodes,
    foo: "2/2/1",
    constraints: [hard("node", { maxSkew: 2, minDomains: 4 })],
    fit: ["c"],
  },
  {
    name: "measures against the emptiest when there are enough nodes",
    nodes: threeNodes,
    foo: "2/2/1",
    constraints: [hard("node", { maxSkew: 2, minDomains: 2 })],
    fit: ["a", "b", "c"],
  },
  {
    name: "measures against 0 while there are too few zones",
    foo: "1/1/1/0",
    constraints: [hard("zone", { maxSkew: 2, minDomains: 3 })],
    fit: ["x", "y"],
  },
  {
    name: "measures against the emptiest when there are enough zones",
    foo: "1/1/1/0",
    constraints: [hard("zone", { maxSkew: 2, minDomains: 1 })],
    fit: all,
  },
];

/** Three ways to rule out node y, which has one Pod as a and b have. */
const ways = [
  {
    way: "a node selector",
    nodes: ["a", "b", "x"].map((name) => place(name, { ok: "" })).concat(place("y")),
    spec: { nodeSelector: { ok: "" } },
    policy: "nodeAffinityPolicy",
  },
  { way: "node affinity", nodes: fourNodes, spec: onNodes("NotIn", "y"), policy: "nodeAffinityPolicy" },
  {
    way: "a taint",
    nodes: ["a", "b", "x"].map((name) => place(name)).concat(place("y", {}, { taints: [taint] })),
    spec: {},
    policy: "nodeTaintsPolicy",
  },
];

const policies = ways.flatMap(({ way, nodes, spec, policy }): FilterCase[] => [
  {
    name: `lets a node pass that ${way} rules out, under Honor`,
    nodes,
    foo: "1/1/0/1",
    constraints: [hard("node", { [policy]: "Honor" })],
    spec,
    fit: ["x", "y"],
  },
  {
    name: `refuses a node that ${way} rules out like any other, under Ignore`,
    nodes,
    foo: "1/1/0/1",
    constraints: [hard("node", { [policy]: "Ignore" })],
    spec,
    fit: ["x"],
  },
]);

/** Node b is tainted, node y is not wanted. */
const mixedNodes = [
  place("a", { zone: "zone1", ok: "" }),
  place("b", { zone: "zone1", ok: "" }, { taints: [taint] }),
  place("x", { zone: "zone2", ok: "" }),
  place("y", { zone: "zone2" }),
];
const honor = { nodeAffinityPolicy: "Honor", nodeTaintsPolicy: "Honor" };
const ignore = { nodeAffinityPolicy: "Ignore", nodeTaintsPolicy: "Ignore" };
const mixed = { nodes: mixedNodes, spec: { nodeSelector: { ok: "" } }, foo: "0/1/1/1" };

const twoConstraints: readonly FilterCase[] = [
  {
    name: "takes what both zones and nodes allow",
    foo: "2/1/0/3",
    constraints: [hard("zone"), hard("node")],
    fit: ["x"],
  },
  {
    name: "takes nothing when zones and nodes contradict each other",
    foo: "2/1/0/4",
    constraints: [hard("zone"), hard("node")],
    fit: [],
  },
  {
    name: "takes what two selectors allow together",
    labels: both,
    foo: "1/0/0/0",
    bar: "1/0/0/1",
    constraints: [hard("zone"), hard("node", { labelSelector: hasBar })],
    fit: ["x"],
  },
  {
    name: "takes nothing when two selectors contradict each other",
    labels: both,
    foo: "1/0/0/0",
    bar: "0/0/1/1",
    constraints: [hard("zone"), hard("node", { labelSelector: hasBar })],
    fit: [],
  },
  {
    name: "takes the one node that two selectors leave",
    labels: both,
    foo: "1/1/2/1",
    bar: "1/0/0/1",
    constraints: [hard("zone"), hard("node", { labelSelector: hasBar })],
    fit: ["b"],
  },
  {
    name: "counts the Pod for the one selector that finds it",
    labels: { bar: "" },
    foo: "0/0/1/1",
    bar: "0/0/1/1",
    constraints: [hard("zone"), hard("node", { labelSelector: hasBar })],
    fit: ["a", "b"],
  },
  {
    name: "refuses a node that has one of the two labels",
    nodes: [
      place("a", { zone: "zone1" }),
      place("b", { zone: "zone1" }),
      place("x", { zone: "zone2", node: null }),
      place("y", { zone: "zone2" }),
    ],
    foo: "1/0/0/1",
    constraints: [hard("zone"), hard("node")],
    fit: ["b"],
    missing: ["x"],
  },
  {
    name: "leaves out the same nodes for both when both honour",
    ...mixed,
    constraints: [hard("zone", honor), hard("node", honor)],
    // zones: 0 and 1; nodes: a 0 and x 1, the others unknown
    fit: ["a", "b"],
  },
  {
    name: "leaves out nodes for zones alone",
    ...mixed,
    constraints: [hard("zone", honor), hard("node", ignore)],
    fit: ["a"],
  },
  {
    name: "leaves out nodes for nodes alone",
    ...mixed,
    constraints: [hard("zone", ignore), hard("node", honor)],
    // zones: 1 and 2
    fit: ["a", "b"],
  },
  {
    name: "leaves out no node when neither honours",
    ...mixed,
    constraints: [hard("zone", ignore), hard("node", ignore)],
    fit: ["a"],
  },
  {
    name: "takes what two constraints on one key allow",
    labels: both,
    foo: "2/1/2/1",
    bar: "1/1/1/0",
    constraints: [hard("zone"), hard("zone", { labelSelector: hasBar })],
    fit: ["x", "y"],
  },
  {
    name: "takes nothing when two constraints on one key contradict each other",
    labels: both,
    foo: "2/1/2/2",
    bar: "1/1/1/0",
    constraints: [hard("zone"), hard("zone", { labelSelector: hasBar })],
    fit: [],
  },
];

export const filterCases = [...oneConstraint, ...minimumOfDomains, ...policies, ...twoConstraints];
