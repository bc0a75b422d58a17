import type { CountCase } from "./counted-constraint.cases.ts";
import { fourNodes, hard, hasBar, place, soft } from "./spread-cluster.cases.ts";

/** What is counted in which domains. */
export const domainCases: readonly CountCase[] = [
  {
    name: "knows the domains of an empty cluster",
    constraints: [hard("zone", { maxSkew: 5 })],
    want: [{ counts: { zone1: 0, zone2: 0 }, minimum: 0 }],
  },
  {
    name: "counts Pods per zone",
    foo: "2/1/1/1",
    constraints: [hard("zone")],
    want: [{ counts: { zone1: 3, zone2: 2 }, minimum: 2 }],
  },
  {
    name: "takes an empty zone for the minimum",
    nodes: [...fourNodes, place("o", { zone: "zone3" })],
    foo: "2/1/0/2/0",
    constraints: [hard("zone")],
    want: [{ counts: { zone1: 3, zone2: 2, zone3: 0 }, minimum: 0 }],
  },
  {
    name: "does not look into other namespaces",
    foo: "1/1/0/1",
    elsewhere: "1/0/0/1",
    constraints: [hard("zone")],
    want: [{ counts: { zone1: 2, zone2: 1 }, minimum: 1 }],
  },
  {
    name: "counts for zones and nodes",
    foo: "2/1/0/4",
    constraints: [hard("zone"), hard("node")],
    want: [
      { counts: { zone1: 3, zone2: 4 }, minimum: 3 },
      { counts: { a: 2, b: 1, x: 0, y: 4 }, minimum: 0 },
    ],
  },
  {
    name: "drops soft constraints and keeps the order of the others",
    foo: "2/1/0/4",
    constraints: [soft("node"), hard("zone"), soft("zone"), hard("node")],
    want: [
      { counts: { zone1: 3, zone2: 4 }, minimum: 3 },
      { counts: { a: 2, b: 1, x: 0, y: 4 }, minimum: 0 },
    ],
  },
  {
    name: "takes the emptiest domain when there is no minimum of domains",
    foo: "2/1/1/3",
    constraints: [hard("node")],
    want: [{ counts: { a: 2, b: 1, x: 1, y: 3 }, minimum: 1 }],
  },
  {
    name: "keeps two constraints on one key apart",
    foo: "1/1/1/0",
    bar: "1/0/2/1",
    constraints: [hard("zone"), hard("zone", { labelSelector: hasBar })],
    want: [
      { counts: { zone1: 2, zone2: 1 }, minimum: 1 },
      { counts: { zone1: 1, zone2: 3 }, minimum: 1 },
    ],
  },
  {
    name: "leaves a node that lacks one key out of every constraint",
    nodes: [
      place("a", { zone: "zone1" }),
      place("b", { zone: "zone1", node: null }),
      place("x", { zone: "zone2" }),
    ],
    foo: "1/5/1",
    constraints: [hard("zone"), hard("node")],
    want: [
      { counts: { zone1: 1, zone2: 1 }, minimum: 1 },
      { counts: { a: 1, x: 1 }, minimum: 1 },
    ],
  },
  {
    name: "does not count terminating Pods",
    foo: "1/0/0/0",
    terminating: "3/0/1/0",
    constraints: [hard("zone")],
    want: [{ counts: { zone1: 1, zone2: 0 }, minimum: 0 }],
  },
];
