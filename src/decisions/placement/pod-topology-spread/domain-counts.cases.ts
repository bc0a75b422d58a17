import type { DomainCounts } from "./domain-counts.ts";
import { fourNodes, hard, hasBar, place, service, soft, type SpreadCase } from "./spread-cluster.cases.ts";

/** What each hard constraint counts, and its minimum; `null` where there is nothing to filter by. */
interface CountCase extends SpreadCase {
  readonly want:
    | readonly { readonly counts: Readonly<Record<string, number>>; readonly minimum: number }[]
    | null;
}

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
const ofList = (...defaultConstraints: Parameters<typeof hard>[0][]) => ({
  defaultingType: "List" as const,
  defaultConstraints: defaultConstraints.map((key) => hard(key, { labelSelector: null })),
});

export const countCases: readonly CountCase[] = [
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
    name: "counts nothing without a selector",
    foo: "2/1/0/3",
    constraints: [hard("zone", { labelSelector: null })],
    want: [{ counts: { zone1: 0, zone2: 0 }, minimum: 0 }],
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
    name: "counts other Pods for another selector",
    foo: "1/0/0/0",
    bar: "0/1/0/0",
    constraints: [hard("zone"), hard("node", { labelSelector: hasBar })],
    want: [
      { counts: { zone1: 1, zone2: 0 }, minimum: 0 },
      { counts: { a: 0, b: 1, x: 0, y: 0 }, minimum: 0 },
    ],
  },
  {
    name: "counts a Pod for every selector that finds it",
    foo: "1/0/0/1",
    bar: "0/0/1/0",
    both: "1/1/0/1",
    constraints: [hard("zone"), hard("node", { labelSelector: hasBar })],
    want: [
      { counts: { zone1: 3, zone2: 2 }, minimum: 2 },
      { counts: { a: 1, b: 1, x: 1, y: 1 }, minimum: 1 },
    ],
  },
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
  {
    name: "takes hard defaults, and the selector of a Service, without any node",
    nodes: [],
    labels: { foo: "bar" },
    args: {
      defaultingType: "List",
      defaultConstraints: [
        hard("node", { labelSelector: null }),
        soft("zone", { labelSelector: null }),
        hard("planet", { labelSelector: null }),
      ],
    },
    services: [service("web", { foo: "bar" })],
    want: [
      { counts: {}, minimum: 0 },
      { counts: {}, minimum: 0 },
    ],
  },
  {
    name: "has no defaults for a Pod that no object selects",
    args: ofList("zone"),
    services: [service("other", { baz: "kar" })],
    want: null,
  },
  {
    name: "takes a default's policies and minimum of domains, but neither its selector nor its label keys",
    nodes: withTaint,
    foo: "1/2/4",
    bar: "3/0/0",
    labels: { foo: "", bar: "" },
    args: {
      defaultingType: "List",
      defaultConstraints: [
        hard("node", {
          labelSelector: hasBar,
          matchLabelKeys: ["bar"],
          minDomains: 3,
          nodeTaintsPolicy: "Honor",
        }),
      ],
    },
    services: [service("web", { foo: "" })],
    want: [{ counts: { a: 1, b: 2 }, minimum: 0 }],
  },
  {
    name: "never asks for defaults when the Pod has constraints",
    foo: "1/0/0/0",
    args: ofList("node"),
    services: [service("web", { foo: "" })],
    constraints: [hard("zone")],
    want: [{ counts: { zone1: 1, zone2: 0 }, minimum: 0 }],
  },
  {
    name: "has nothing to filter by when all defaults are soft",
    args: { defaultingType: "System" },
    services: [service("web", { foo: "" })],
    want: null,
  },
  {
    name: "takes the emptiest domain when there is no minimum of domains",
    foo: "2/1/1/3",
    constraints: [hard("node")],
    want: [{ counts: { a: 2, b: 1, x: 1, y: 3 }, minimum: 1 }],
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
  {
    name: "adds the Pod's own label values to its selector",
    foo: "2/1/0/0",
    both: "1/0/0/1",
    labels: { foo: "", bar: "" },
    constraints: [hard("zone", { matchLabelKeys: ["bar"] })],
    want: [{ counts: { zone1: 1, zone2: 1 }, minimum: 1 }],
  },
  {
    name: "counts by label values alone when the selector is empty",
    foo: "2/1/0/0",
    bar: "0/0/3/0",
    labels: { bar: "" },
    constraints: [hard("zone", { labelSelector: {}, matchLabelKeys: ["bar"] })],
    want: [{ counts: { zone1: 0, zone2: 3 }, minimum: 0 }],
  },
  {
    name: "counts nothing by label values when there is no selector",
    foo: "2/1/0/0",
    constraints: [hard("zone", { labelSelector: null, matchLabelKeys: ["foo"] })],
    want: [{ counts: { zone1: 0, zone2: 0 }, minimum: 0 }],
  },
  {
    name: "ignores label keys the Pod does not have",
    foo: "2/1/0/0",
    constraints: [hard("zone", { matchLabelKeys: ["bar"] })],
    want: [{ counts: { zone1: 3, zone2: 0 }, minimum: 0 }],
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
  { name: "has nothing to filter by without constraints", args: { defaultingType: "List" }, want: null },
  {
    name: "counts no Pod for an empty selector, which would match all",
    foo: "2/1/0/3",
    constraints: [hard("zone", { labelSelector: {} })],
    want: [{ counts: { zone1: 0, zone2: 0 }, minimum: 0 }],
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

/** The counts of the domains that a node is in which counts, by label value. */
export function countsByValue({
  column,
  perDomain,
  isCounted,
}: DomainCounts): Readonly<Record<string, number>> {
  const entries = column.values.map((value, domain) => [value, perDomain[domain] ?? 0] as const);
  return Object.fromEntries(entries.filter((_, domain) => isCounted(domain)));
}
