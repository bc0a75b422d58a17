import { expect, test } from "vitest";
import type { PodSpec } from "../../api/generated/core-v1.ts";
import { daemonSet } from "../../testing/daemon-set.ts";
import { node, type NodeTraits } from "../../testing/node.ts";
import { nodeEligibility } from "./node-eligibility.ts";

const check = (podSpec: Partial<PodSpec>, traits: NodeTraits = {}) =>
  nodeEligibility(daemonSet("agent", { podSpec }))(node("node-1", traits));

const trouble = [
  { name: "cordoned", key: "unschedulable", effect: "NoSchedule" },
  { name: "not ready", key: "not-ready", effect: "NoExecute" },
  { name: "unreachable", key: "unreachable", effect: "NoExecute" },
  { name: "short of disk", key: "disk-pressure", effect: "NoSchedule" },
  { name: "short of memory", key: "memory-pressure", effect: "NoSchedule" },
  { name: "short of processes", key: "pid-pressure", effect: "NoSchedule" },
];

test.for(trouble)("a node that is $name runs daemon Pods", ({ key, effect }) => {
  const taints = [{ key: `node.kubernetes.io/${key}`, effect }];
  expect(check({}, { taints, unschedulable: true })).toEqual({ kind: "runs" });
});

test("a node without a network runs daemon Pods of the host network only", () => {
  const taint = { key: "node.kubernetes.io/network-unavailable", effect: "NoSchedule" };
  const because = { by: "taint", taint };
  expect(check({}, { taints: [taint] })).toEqual({ kind: "keeps", because });
  expect(check({ hostNetwork: true }, { taints: [taint] })).toEqual({ kind: "runs" });
});

test("of two taints, the one that evicts decides", () => {
  const evicting = { key: "b", effect: "NoExecute" };
  const taints = [{ key: "a", effect: "NoSchedule" }, evicting];
  expect(check({}, { taints })).toEqual({ kind: "excluded", because: { by: "taint", taint: evicting } });
  const tolerations = [{ key: "b", operator: "Exists" }];
  expect(check({ tolerations }, { taints })).toMatchObject({ kind: "keeps" });
});

const inZone = (zone: string) => ({
  nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", operator: "In", values: [zone] }] }],
});
const zoned = (zone: string): Partial<PodSpec> => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: inZone(zone) } },
});

test.for([
  { name: "its name", spec: { nodeName: "node-2" }, want: { by: "node-name", nodeName: "node-2" } },
  {
    name: "a label",
    spec: { nodeSelector: { zone: "a", disk: "ssd" } },
    want: { by: "selector", key: "disk", value: "ssd" },
  },
  { name: "affinity", spec: zoned("b"), want: { by: "affinity", terms: inZone("b").nodeSelectorTerms } },
])("a node is excluded by $name", ({ spec, want }) => {
  expect(check(spec, { labels: { zone: "a" } })).toEqual({ kind: "excluded", because: want });
});

test("a node is included by affinity", () => {
  expect(check(zoned("a"), { labels: { zone: "a" } })).toEqual({ kind: "runs" });
});

test("a toleration of the template that is limited in time gives way to the one of daemon Pods", () => {
  const key = "node.kubernetes.io/not-ready";
  const limited = { key, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 };
  const taints = [{ key, effect: "NoExecute" }];
  expect(check({ tolerations: [limited] }, { taints })).toEqual({ kind: "runs" });
});
