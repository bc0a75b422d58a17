import type { CountCase } from "./counted-constraint.cases.ts";
import { hard, place } from "./spread-cluster.cases.ts";

const withC = [place("a", { foo: "" }), place("b", { foo: "" }), place("c", { bar: "" })];
const wantsFoo = {
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: "foo", operator: "Exists" }] }],
      },
    },
  },
};
const notX = {
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: "node", operator: "NotIn", values: ["x"] }] }],
      },
    },
  },
};
const taint = { key: "k", value: "v", effect: "NoSchedule" };
const withTaint = [place("a"), place("b"), place("c", {}, { taints: [taint] })];
/** Node c has neither the label the Pod wants nor, in zone2, a taint it tolerates. */
const mixed = [
  place("a", { zone: "zone1", foo: "" }),
  place("b", { zone: "zone1", foo: "" }),
  place("c", { zone: "zone2" }, { taints: [taint] }),
];
const honorBoth = { nodeAffinityPolicy: "Honor", nodeTaintsPolicy: "Honor" };
const honorAffinity = { nodeAffinityPolicy: "Honor", nodeTaintsPolicy: "Ignore" };
const ignoreBoth = { nodeAffinityPolicy: "Ignore", nodeTaintsPolicy: "Ignore" };

/** Which nodes count, by the policies of the constraints. */
export const inclusionCases: readonly CountCase[] = [
  {
    name: "leaves out nodes the Pod's affinity excludes, for every constraint",
    foo: "2/1/2/3",
    constraints: [hard("zone"), hard("node")],
    spec: notX,
    want: [
      { counts: { zone1: 3, zone2: 3 }, minimum: 3 },
      { counts: { a: 2, b: 1, y: 3 }, minimum: 1 },
    ],
  },
  ...[
    { means: "a node selector", spec: { nodeSelector: { foo: "" } } },
    { means: "node affinity", spec: wantsFoo },
  ].flatMap(({ means, spec }): CountCase[] => [
    {
      name: `leaves out what ${means} excludes, under Honor`,
      nodes: withC,
      foo: "1/2/0",
      constraints: [hard("node", { nodeAffinityPolicy: "Honor" })],
      spec,
      want: [{ counts: { a: 1, b: 2 }, minimum: 1 }],
    },
    {
      name: `counts what ${means} excludes, under Ignore`,
      nodes: withC,
      foo: "1/2/0",
      constraints: [hard("node", { nodeAffinityPolicy: "Ignore" })],
      spec,
      want: [{ counts: { a: 1, b: 2, c: 0 }, minimum: 0 }],
    },
  ]),
  {
    name: "counts tainted nodes, under Ignore",
    nodes: withTaint,
    foo: "1/2/0",
    constraints: [hard("node", { nodeTaintsPolicy: "Ignore" })],
    want: [{ counts: { a: 1, b: 2, c: 0 }, minimum: 0 }],
  },
  {
    name: "leaves out tainted nodes, under Honor",
    nodes: withTaint,
    foo: "1/2/0",
    constraints: [hard("node", { nodeTaintsPolicy: "Honor" })],
    want: [{ counts: { a: 1, b: 2 }, minimum: 1 }],
  },
  {
    name: "counts tainted nodes that the Pod tolerates, under Honor",
    nodes: withTaint,
    foo: "1/2/0",
    constraints: [hard("node", { nodeTaintsPolicy: "Honor" })],
    spec: { tolerations: [{ key: "k", operator: "Exists" }] },
    want: [{ counts: { a: 1, b: 2, c: 0 }, minimum: 0 }],
  },
  {
    name: "keeps the policies of two constraints apart: honour affinity, ignore all",
    nodes: mixed,
    foo: "1/0/1",
    constraints: [hard("zone", honorAffinity), hard("node", ignoreBoth)],
    spec: { nodeSelector: { foo: "" } },
    want: [
      { counts: { zone1: 1 }, minimum: 1 },
      { counts: { a: 1, b: 0, c: 1 }, minimum: 0 },
    ],
  },
  {
    name: "keeps the policies of two constraints apart: honour both, honour affinity",
    nodes: mixed,
    foo: "1/0/1",
    constraints: [hard("zone", honorBoth), hard("node", honorAffinity)],
    want: [
      { counts: { zone1: 1 }, minimum: 1 },
      { counts: { a: 1, b: 0, c: 1 }, minimum: 0 },
    ],
  },
  {
    name: "applies one policy to both constraints",
    nodes: mixed,
    foo: "1/0/1",
    constraints: [hard("zone", honorAffinity), hard("node", honorAffinity)],
    spec: { nodeSelector: { foo: "" } },
    want: [
      { counts: { zone1: 1 }, minimum: 1 },
      { counts: { a: 1, b: 0 }, minimum: 0 },
    ],
  },
  {
    name: "keeps the policies of two constraints apart: ignore all, honour both",
    nodes: mixed,
    foo: "1/0/1",
    constraints: [hard("zone", ignoreBoth), hard("node", honorBoth)],
    spec: { nodeSelector: { foo: "" } },
    want: [
      { counts: { zone1: 1, zone2: 1 }, minimum: 1 },
      { counts: { a: 1, b: 0 }, minimum: 0 },
    ],
  },
];
