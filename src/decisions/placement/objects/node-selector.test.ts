import { expect, test } from "vitest";
import type { NodeSelectorTerm, PodSpec } from "../../../api/generated/core-v1.ts";
import { node } from "../../../testing/node.ts";
import { pod } from "../../../testing/pod.ts";
import { describeNode } from "./node-info.ts";
import { compileTerm, compileTerms, requiredNodeAffinity } from "./node-selector.ts";
import { podInfo } from "./pod-info.ts";

const here = describeNode(node("here", { labels: { disk: "ssd", gen: "3", empty: "" } }));

const on = (key: string, operator: string, ...values: readonly string[]): NodeSelectorTerm => ({
  matchExpressions: [{ key, operator, values }],
});
const named = (operator: string, ...values: readonly string[]): NodeSelectorTerm => ({
  matchFields: [{ key: "metadata.name", operator, values }],
});

test.for<{ name: string; term: NodeSelectorTerm; want: boolean | undefined }>([
  { name: "without requirements matches nothing", term: {}, want: false },
  { name: "In, with the value", term: on("disk", "In", "hdd", "ssd"), want: true },
  { name: "In, without the label", term: on("rack", "In", "ssd"), want: false },
  { name: "NotIn, with the value", term: on("disk", "NotIn", "ssd"), want: false },
  { name: "NotIn, without the label", term: on("rack", "NotIn", "r1"), want: true },
  { name: "Exists, with an empty value", term: on("empty", "Exists"), want: true },
  { name: "DoesNotExist", term: on("disk", "DoesNotExist"), want: false },
  { name: "Gt, with a larger value", term: on("gen", "Gt", "2"), want: true },
  { name: "Gt, with the same value", term: on("gen", "Gt", "3"), want: false },
  { name: "Lt, with a smaller value", term: on("gen", "Lt", "10"), want: true },
  { name: "Lt, with a label that is no number", term: on("disk", "Lt", "10"), want: false },
  { name: "metadata.name In", term: named("In", "here"), want: true },
  { name: "metadata.name NotIn", term: named("NotIn", "here"), want: false },
  {
    name: "of labels and fields holds when both do",
    term: { ...on("disk", "In", "ssd"), ...named("In", "here") },
    want: true,
  },
  {
    name: "of labels and fields fails when one does",
    term: { ...on("disk", "In", "ssd"), ...named("In", "there") },
    want: false,
  },
  { name: "In, without values, cannot be read", term: on("disk", "In"), want: undefined },
  { name: "Exists, with values, cannot be read", term: on("disk", "Exists", "ssd"), want: undefined },
  { name: "Gt, with two values, cannot be read", term: on("gen", "Gt", "1", "2"), want: undefined },
  { name: "Gt, with no number, cannot be read", term: on("gen", "Gt", "many"), want: undefined },
  { name: "with an unknown operator cannot be parsed", term: on("gen", "Like", "3"), want: undefined },
  { name: "with a key that is none cannot be read", term: on("a/b/c", "Exists"), want: undefined },
  { name: "of two names cannot be read", term: named("In", "here", "there"), want: undefined },
  { name: "of names that exist cannot be read", term: named("Exists"), want: undefined },
  {
    name: "of another field cannot be read",
    term: { matchFields: [{ key: "spec.unschedulable", operator: "In", values: ["x"] }] },
    want: undefined,
  },
])("a term $name", ({ term, want }) => {
  expect(compileTerm(term)?.(here)).toBe(want);
});

test("of several terms one has to match, and one that cannot be read does not", () => {
  expect(compileTerms([on("disk", "In"), on("disk", "Exists")])(here)).toBe(true);
  expect(compileTerms([on("disk", "In"), on("rack", "Exists")])(here)).toBe(false);
  expect(compileTerms([])(here)).toBe(false);
});

const requiring = (...nodeSelectorTerms: readonly NodeSelectorTerm[]): Partial<PodSpec> => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
});

test.for<{ name: string; spec: Partial<PodSpec>; want: boolean }>([
  { name: "nothing", spec: {}, want: true },
  { name: "a label it has", spec: { nodeSelector: { disk: "ssd" } }, want: true },
  { name: "a label with another value", spec: { nodeSelector: { disk: "ssd", gen: "4" } }, want: false },
  { name: "affinity that holds", spec: requiring(on("disk", "Exists")), want: true },
  {
    name: "a label it has and affinity that fails",
    spec: { nodeSelector: { disk: "ssd" }, ...requiring(on("rack", "Exists")) },
    want: false,
  },
  { name: "affinity without terms", spec: requiring(), want: false },
])("a node for a Pod that requires $name: $want", ({ spec, want }) => {
  expect(requiredNodeAffinity(podInfo(pod("p", { spec })))(here)).toBe(want);
});
