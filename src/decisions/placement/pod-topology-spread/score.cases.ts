import type { PodSpec } from "../../../api/generated/core-v1.ts";
import { hasBar, place, service, soft, type SpreadCase } from "./spread-cluster.cases.ts";

/** What the nodes that will do are worth. Nodes whose name is not mentioned will not do. */
interface ScoreCase extends SpreadCase {
  readonly want: Readonly<Record<string, number>>;
}

const host = "kubernetes.io/hostname";
const withoutSelector = { labelSelector: null };
const taint = { key: "k", value: "v", effect: "NoSchedule" };

const ok = { ok: "" };
const threeWithSelector = [place("a", ok), place("b", ok), place("c")];
const threeWithTaint = [place("a"), place("b"), place("c", {}, { taints: [taint] })];
const wantsOk: Partial<PodSpec> = {
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: "ok", operator: "Exists" }] }],
      },
    },
  },
};

/** A node that belongs to no zone. */
const zoneless = ["a", "b", "c", "d"].map((name) => place(name));

const policies = [
  {
    way: "a node selector",
    nodes: threeWithSelector,
    spec: { nodeSelector: ok },
    policy: "nodeAffinityPolicy",
  },
  { way: "node affinity", nodes: threeWithSelector, spec: wantsOk, policy: "nodeAffinityPolicy" },
  { way: "a taint", nodes: threeWithTaint, spec: {}, policy: "nodeTaintsPolicy" },
].flatMap(({ way, nodes, spec, policy }): ScoreCase[] => [
  {
    name: `does not count Pods where ${way} keeps the Pod away, under Honor`,
    nodes,
    foo: "2/1/1",
    spec,
    constraints: [soft("node", { [policy]: "Honor" })],
    want: { a: 0, b: 33, c: 100 },
  },
  {
    name: `counts them, under Ignore`,
    nodes,
    foo: "2/1/1",
    spec,
    constraints: [soft("node", { [policy]: "Ignore" })],
    want: { a: 66, b: 100, c: 100 },
  },
]);

export const scoreCases: readonly ScoreCase[] = [
  {
    name: "finds all nodes best without Pods",
    constraints: [soft(host)],
    want: { a: 100, b: 100 },
  },
  { name: "finds a single node best", foo: "2/1", constraints: [soft(host)], want: { a: 100 } },
  { name: "finds equal nodes best", foo: "1/1", constraints: [soft(host)], want: { a: 100, b: 100 } },
  {
    name: "prefers emptier nodes",
    foo: "2/1/0/3",
    constraints: [soft(host)],
    want: { a: 20, b: 60, x: 100, y: 0 },
  },
  {
    name: "finds all nodes best without a selector",
    foo: "2/1/0/3",
    constraints: [soft(host, withoutSelector)],
    want: { a: 100, b: 100, x: 100, y: 100 },
  },
  {
    name: "minds less for a skew of 2",
    foo: "2/1/0/3",
    constraints: [soft(host, { maxSkew: 2 })],
    want: { a: 33, b: 66, x: 100, y: 16 },
  },
  {
    name: "minds still less for a skew of 3",
    foo: "4/3/2/1",
    constraints: [soft(host, { maxSkew: 3 })],
    want: { a: 44, b: 66, x: 77, y: 100 },
  },
  {
    name: "spreads over hosts by the built-in defaults although no node has a zone",
    nodes: zoneless,
    foo: "4/3/2/1",
    services: [service("web", { foo: "" })],
    want: { a: 44, b: 66, c: 77, d: 100 },
  },
  {
    name: "looks only at hosts that will do",
    foo: "4/2/1/3",
    constraints: [soft(host)],
    want: { a: 33, b: 83, x: 100 },
  },
  {
    name: "gives nothing to a node that lacks the label",
    nodes: [place("a", { h: "a" }), place("b"), place("x", { h: "x" }), place("y", { h: "y" })],
    foo: "4/2/1/3",
    constraints: [soft("h")],
    want: { a: 16, b: 0, x: 100 },
  },
  {
    name: "counts a zone's Pods on nodes that will not do",
    foo: "4/2/1/3",
    constraints: [soft("zone")],
    want: { a: 75, b: 75, x: 100 },
  },
  {
    name: "weighs zones and hosts",
    foo: "2/1/2/4",
    constraints: [soft("zone"), soft(host)],
    want: { a: 100, x: 63 },
  },
  {
    name: "adds up two constraints on zones",
    foo: "2/1/2/1",
    bar: "1/1/1/0",
    constraints: [soft("zone"), soft("zone", { labelSelector: hasBar })],
    want: { a: 85, b: 85, x: 100, y: 100 },
  },
  {
    name: "weighs zones by one selector and hosts by another",
    foo: "1/1/1/0",
    bar: "0/1/0/1",
    constraints: [soft("zone"), soft(host, { labelSelector: hasBar })],
    want: { a: 60, b: 20, x: 100, y: 60 },
  },
  {
    name: "prefers the empty zone",
    foo: "0/0/1/1",
    bar: "0/1/0/1",
    constraints: [soft("zone"), soft(host, { labelSelector: hasBar })],
    want: { a: 100, b: 60, x: 40, y: 0 },
  },
  {
    name: "weighs hosts less when fewer will do",
    foo: "1/1/1/0",
    bar: "0/1/0/1",
    constraints: [soft("zone"), soft(host, { labelSelector: hasBar })],
    want: { a: 50, b: 25, x: 100 },
  },
  {
    name: "does not look into other namespaces",
    foo: "1/2",
    elsewhere: "1/0",
    constraints: [soft(host)],
    want: { a: 100, b: 33 },
  },
  {
    name: "does not count terminating Pods",
    foo: "0/1",
    terminating: "1/0",
    constraints: [soft(host)],
    want: { a: 100, b: 0 },
  },
  {
    name: "does not care how many domains there should be",
    foo: "2/2/1",
    constraints: [soft(host, { maxSkew: 2, minDomains: 4 })],
    want: { a: 75, b: 75, x: 100 },
  },
  ...policies,
  {
    name: "goes by label values alone when the selector is empty",
    labels: { foo: "", bar: "" },
    foo: "1/1/1/0",
    bar: "0/1/1/0",
    constraints: [
      soft("zone", { labelSelector: {}, matchLabelKeys: ["foo"] }),
      soft(host, { labelSelector: {}, matchLabelKeys: ["bar"] }),
    ],
    want: { a: 60, b: 20, x: 60, y: 100 },
  },
  {
    name: "goes by the selector and by label values",
    labels: { foo: "", bar: "" },
    foo: "3/0/0/2",
    both: "0/1/1/0",
    constraints: [soft("zone", { matchLabelKeys: ["bar"] }), soft(host, { matchLabelKeys: ["bar"] })],
    want: { a: 100, b: 33, x: 33, y: 100 },
  },
  {
    name: "counts no Pod for an empty selector",
    foo: "2/1/0/3",
    constraints: [soft("zone", { labelSelector: {} })],
    want: { a: 100, b: 100, x: 100, y: 100 },
  },
  {
    name: "prefers nodes without a zone among nodes with one, by the built-in defaults",
    nodes: [place("a", {}, { zone: "z" }), place("b", {}, { zone: "z" }), place("c")],
    foo: "1/1/1",
    services: [service("web", { foo: "" })],
    want: { a: 40, b: 40, c: 100 },
  },
];
