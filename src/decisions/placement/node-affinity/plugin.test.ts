import { describe, expect, test } from "vitest";
import type { NodeAffinity, NodeSelectorTerm, PodSpec } from "../../../api/generated/core-v1.ts";
import { node } from "../../../testing/node.ts";
import { preFilterOf, scoresOf, verdictsOf } from "../plugin-fixture.cases.ts";
import { nodeAffinity } from "./plugin.ts";

const nodes = [
  node("a", { labels: { disk: "ssd", gen: "1" } }),
  node("b", { labels: { disk: "hdd", gen: "2" } }),
];
const mismatch = "UAU: node(s) didn't match Pod's node affinity/selector";
const enforced = "UAU: node(s) didn't match scheduler-enforced node affinity";

const on = (key: string, ...values: readonly string[]): NodeSelectorTerm => ({
  matchExpressions: [{ key, operator: "In", values }],
});
const names = (...lists: readonly (readonly string[])[]): NodeSelectorTerm => ({
  matchFields: lists.map((values) => ({ key: "metadata.name", operator: "In", values })),
});
const required = (...nodeSelectorTerms: readonly NodeSelectorTerm[]): NodeAffinity => ({
  requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
});
const preferred = (...terms: readonly (readonly [number, NodeSelectorTerm])[]): NodeAffinity => ({
  preferredDuringSchedulingIgnoredDuringExecution: terms.map(([weight, preference]) => ({
    weight,
    preference,
  })),
});
const wanting = (affinity: NodeAffinity): Partial<PodSpec> => ({ affinity: { nodeAffinity: affinity } });

test.for<{ name: string; spec: Partial<PodSpec>; added?: NodeAffinity; want: Record<string, string> }>([
  { name: "takes any node for a Pod that does not mind", spec: {}, want: { a: "fits", b: "fits" } },
  { name: "goes by labels", spec: { nodeSelector: { disk: "ssd" } }, want: { a: "fits", b: mismatch } },
  { name: "goes by terms", spec: wanting(required(on("disk", "hdd"))), want: { a: mismatch, b: "fits" } },
  {
    name: "takes what one of several terms allows",
    spec: wanting(required(on("disk", "hdd"), on("gen", "1"))),
    want: { a: "fits", b: "fits" },
  },
  {
    name: "takes nothing for a term that asks for nothing",
    spec: wanting(required({})),
    want: { a: mismatch, b: mismatch },
  },
  {
    name: "asks the operator first",
    spec: wanting(required(on("disk", "hdd"))),
    added: required(on("gen", "1")),
    want: { a: mismatch, b: enforced },
  },
  {
    name: "asks the operator for Pods that do not mind",
    spec: {},
    added: required(on("gen", "1")),
    want: { a: "fits", b: enforced },
  },
])("NodeAffinity $name", ({ spec, added, want }) => {
  const plugin = nodeAffinity(added === undefined ? {} : { addedAffinity: added });
  expect(verdictsOf(plugin, { spec }, { nodes })).toEqual(want);
});

describe("NodeAffinity that pins nodes by name", () => {
  test.for<{
    name: string;
    terms: readonly NodeSelectorTerm[];
    among?: readonly string[];
    conflict?: boolean;
  }>([
    { name: "looks at no other node", terms: [names(["a"])], among: ["a"] },
    { name: "looks at all that some term names", terms: [names(["a"]), names(["z"])], among: ["a", "z"] },
    { name: "looks at what one term names twice", terms: [names(["a", "b"], ["b", "c"])], among: ["b"] },
    { name: "looks at all when one term names none", terms: [names(["a"]), on("disk", "ssd")] },
    { name: "gives up when a term contradicts itself", terms: [names(["a"], ["b"])], conflict: true },
    {
      name: "forgets a term that contradicts itself beside others",
      terms: [names(["a"], ["b"]), names(["c"])],
      among: ["c"],
    },
  ])("$name", ({ terms, among, conflict = false }) => {
    const result = preFilterOf(nodeAffinity(), { spec: wanting(required(...terms)) }, { nodes });
    expect(result?.nodeNames && [...result.nodeNames]).toEqual(among);
    const refusal = {
      kind: "rejects",
      code: "UnschedulableAndUnresolvable",
      reasons: ["pod affinity terms conflict"],
    };
    expect(result?.refusal).toEqual(conflict ? refusal : undefined);
  });
});

test.for<{ name: string; spec: Partial<PodSpec>; added?: NodeAffinity; want: unknown }>([
  {
    name: "has no preference when the Pod has none",
    spec: wanting(required(on("disk", "ssd"))),
    want: undefined,
  },
  {
    name: "adds up the weights of all terms that match",
    spec: wanting(preferred([30, on("disk", "ssd")], [10, on("disk", "hdd")], [5, on("gen", "1")])),
    want: { a: 100, b: 28 },
  },
  {
    name: "gives 0 to all when no term matches",
    spec: wanting(preferred([30, on("disk", "x")])),
    want: { a: 0, b: 0 },
  },
  {
    name: "adds what the operator prefers",
    spec: wanting(preferred([10, on("disk", "ssd")])),
    added: preferred([40, on("gen", "2")]),
    want: { a: 25, b: 100 },
  },
  {
    name: "fails on a term that cannot be read",
    spec: wanting(preferred([1, on("disk", "ssd")], [1, on("disk")])),
    want: "preferred node affinity: term 1 cannot be read",
  },
])("NodeAffinity as a scorer $name", ({ spec, added, want }) => {
  const plugin = nodeAffinity(added === undefined ? {} : { addedAffinity: added });
  expect(scoresOf(plugin, { spec }, { nodes })).toEqual(want);
});
