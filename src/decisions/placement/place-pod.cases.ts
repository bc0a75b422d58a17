import type { Node, PodSpec, Taint } from "../../api/generated/core-v1.ts";
import { node } from "../../testing/node.ts";
import { hard, hasFoo, soft } from "./pod-topology-spread/spread-cluster.cases.ts";

/** Where Pods with the label `foo` are, per node in order, and where one more may go. */
interface PlacementCase {
  readonly name: string;
  readonly nodes?: readonly Node[];
  readonly foo: string;
  readonly spec: Partial<PodSpec>;
  readonly labels?: Readonly<Record<string, string>>;
  /** The nodes it may end up on; none when it has to wait. */
  readonly want: readonly string[];
}

const host = "kubernetes.io/hostname";
const zone = "topology.kubernetes.io/zone";
const taint: Taint = { key: "k", value: "v", effect: "NoSchedule" };

/** node-0 and node-1 in one zone, node-2 and node-3 in another. */
export const twoZones: readonly Node[] = [
  node("node-0", { zone: "z0" }),
  node("node-1", { zone: "z0" }),
  node("node-2", { zone: "z1" }),
  node("node-3", { zone: "z1" }),
];
const threeOf = (last: Node): readonly Node[] => [node("node-0"), node("node-1"), last];
const spread = (
  ...topologySpreadConstraints: PodSpec["topologySpreadConstraints"] & object
): Partial<PodSpec> => ({
  topologySpreadConstraints,
});
const inZone = (...values: readonly string[]): Partial<PodSpec> => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: zone, operator: "In", values }] }],
      },
    },
  },
});

/** The scenarios of upstream's integration suites for filtering, without the ones that preempt. */
export const filteringCases: readonly PlacementCase[] = [
  { name: "on the emptiest node", foo: "1/1/0/1", spec: spread(hard(host)), want: ["node-2"] },
  {
    name: "on all but the fullest node for a skew of 2",
    foo: "2/0/0/1",
    spec: spread(hard(host, { maxSkew: 2 })),
    want: ["node-1", "node-2", "node-3"],
  },
  {
    name: "in the zone it has to be in, when that is even",
    foo: "1/0/2/0",
    spec: { ...spread(hard(zone)), ...inZone("z0") },
    want: ["node-0", "node-1"],
  },
  {
    name: "where zones and hosts both allow it",
    foo: "2/1/0/3",
    spec: spread(hard(zone), hard(host)),
    want: ["node-2"],
  },
  {
    name: "nowhere, when zones and hosts contradict each other",
    foo: "2/1/0/4",
    spec: spread(hard(zone), hard(host)),
    want: [],
  },
  {
    name: "nowhere, when the only node it wants is too full",
    foo: "2/0/0/0",
    spec: { ...spread(hard(host, { nodeAffinityPolicy: "Ignore" })), nodeSelector: { [host]: "node-0" } },
    want: [],
  },
  ...[
    { minDomains: 3, maxSkew: 2, foo: "2/1/1/0", want: ["node-2", "node-3"] },
    { minDomains: 1, maxSkew: 2, foo: "2/1/1/0", want: ["node-2", "node-3"] },
    { minDomains: 3, maxSkew: 2, foo: "1/1/1/1", want: [] },
    { minDomains: 2, maxSkew: 2, foo: "1/1/1/1", want: ["node-0", "node-1", "node-2", "node-3"] },
  ].map(({ foo, want, ...details }) => ({
    name: `by a minimum of ${details.minDomains} zones for ${foo}`,
    foo,
    spec: spread(hard(zone, details)),
    want,
  })),
  ...[
    { policy: "nodeAffinityPolicy", value: "Honor", want: ["node-0", "node-1"] },
    { policy: "nodeAffinityPolicy", value: "Ignore", want: [] },
  ].map(({ policy, value, want }) => ({
    name: `beside a node its selector excludes, which counts or not: ${value}`,
    nodes: [node("node-0", { labels: { ok: "" } }), node("node-1", { labels: { ok: "" } }), node("node-2")],
    foo: "1/1/0",
    spec: { ...spread(hard(host, { [policy]: value })), nodeSelector: { ok: "" } },
    want,
  })),
  ...[
    { value: "Honor", want: ["node-0", "node-1"] },
    { value: "Ignore", want: [] },
  ].map(({ value, want }) => ({
    name: `beside a node with a taint, which counts or not: ${value}`,
    nodes: threeOf(node("node-2", { taints: [taint] })),
    foo: "1/1/0",
    spec: spread(hard(host, { nodeTaintsPolicy: value })),
    want,
  })),
  {
    name: "on a tainted node it tolerates",
    nodes: threeOf(node("node-2", { taints: [taint] })),
    foo: "1/1/0",
    spec: { ...spread(hard(host, { nodeTaintsPolicy: "Honor" })), tolerations: [{ operator: "Exists" }] },
    want: ["node-2"],
  },
  {
    name: "by label values of its own, which no other Pod has yet",
    foo: "2/0/0/1",
    labels: { foo: "", bar: "mine" },
    spec: spread(hard(host, { matchLabelKeys: ["bar"] })),
    want: ["node-0", "node-1", "node-2", "node-3"],
  },
  {
    name: "by label values that others share",
    foo: "1/1/0/1",
    spec: spread(hard(host, { labelSelector: {}, matchLabelKeys: ["foo"] })),
    want: ["node-2"],
  },
  {
    name: "anywhere, by label keys without a selector",
    foo: "5/0/0/1",
    spec: spread(hard(host, { labelSelector: null, matchLabelKeys: ["foo"] })),
    want: ["node-0", "node-1", "node-2", "node-3"],
  },
];

/** The same for scoring, by topology spread alone. */
export const scoringCases: readonly PlacementCase[] = [
  {
    name: "on the emptiest node that will do",
    nodes: [node("node-0", { unschedulable: true }), ...twoZones.slice(1)],
    foo: "0/1/2/3",
    spec: spread(soft(host)),
    want: ["node-1"],
  },
  {
    name: "on the emptiest host of the zones that a hard constraint allows",
    foo: "2/1/1/3",
    spec: spread(hard(zone), soft(host)),
    want: ["node-1"],
  },
  ...[
    { value: "Honor", want: ["node-1"] },
    { value: "Ignore", want: ["node-0"] },
  ].map(({ value, want }) => ({
    name: `by racks, in which Pods on a node it does not want count or not: ${value}`,
    nodes: [
      node("node-0", { labels: { rack: "r0", ok: "" } }),
      node("node-1", { labels: { rack: "r1", ok: "" } }),
      node("node-2", { labels: { rack: "r1" } }),
    ],
    foo: "1/0/3",
    spec: { ...spread(soft("rack", { nodeAffinityPolicy: value })), nodeSelector: { ok: "" } },
    want,
  })),
  {
    name: "by label values that others share",
    foo: "1/2/0/1",
    spec: spread(soft(host, { labelSelector: {}, matchLabelKeys: ["foo"] })),
    want: ["node-2"],
  },
  {
    name: "anywhere, by label values that no other Pod shares",
    foo: "1/2/0/1",
    labels: { foo: "", bar: "mine" },
    spec: spread(soft(host, { labelSelector: hasFoo, matchLabelKeys: ["bar"] })),
    want: ["node-0", "node-1", "node-2", "node-3"],
  },
];
