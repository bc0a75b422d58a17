import { expect, test } from "vitest";
import type { Node, Pod } from "../../api/generated/core-v1.ts";
import { pod } from "../../testing/pod.ts";
import { nodeUpdateActions, podUpdateActions } from "./update-actions.ts";

const waiting = pod("a", { node: null });
const withSpec = (spec: Partial<Pod["spec"]>): Pod => ({ ...waiting, spec: { ...waiting.spec, ...spec } });
const requesting = (cpu: string) =>
  withSpec({ containers: [{ name: "app", image: "app", resources: { requests: { cpu } } }] });

test.for([
  { name: "its status", before: waiting, after: { ...waiting, status: {} }, want: ["Update"] },
  {
    name: "a label",
    before: waiting,
    after: pod("a", { node: null, labels: { x: "y" } }),
    want: ["UpdatePodLabel"],
  },
  {
    name: "a smaller request",
    before: requesting("2"),
    after: requesting("1500m"),
    want: ["UpdatePodScaleDown"],
  },
  { name: "a larger request", before: requesting("1"), after: requesting("2"), want: ["Update"] },
  {
    name: "its last gate",
    before: withSpec({ schedulingGates: [{ name: "g" }] }),
    after: waiting,
    want: ["UpdatePodSchedulingGatesEliminated"],
  },
  {
    name: "one gate of two",
    before: withSpec({ schedulingGates: [{ name: "g" }, { name: "h" }] }),
    after: withSpec({ schedulingGates: [{ name: "h" }] }),
    want: ["Update"],
  },
  {
    name: "a toleration",
    before: waiting,
    after: withSpec({ tolerations: [{ operator: "Exists" }] }),
    want: ["UpdatePodToleration"],
  },
])("an update of a Pod's $name is $want", ({ before, after, want }) => {
  expect(podUpdateActions(before, after)).toEqual(want);
});

const node: Node = {
  metadata: { name: "n", uid: "n", resourceVersion: "1", labels: { zone: "a" } },
  spec: { unschedulable: true },
  status: {
    allocatable: { cpu: "4" },
    conditions: [{ type: "Ready", status: "True", lastHeartbeatTime: "a" }],
  },
};

test.for([
  {
    name: "a heartbeat",
    after: {
      ...node,
      status: { ...node.status, conditions: [{ type: "Ready", status: "True", lastHeartbeatTime: "b" }] },
    },
    want: [],
  },
  { name: "uncordoning", after: { ...node, spec: {} }, want: ["UpdateNodeTaint"] },
  {
    name: "everything at once",
    after: {
      metadata: { ...node.metadata, labels: {}, annotations: { a: "b" } },
      spec: { unschedulable: true, taints: [{ key: "k", effect: "NoSchedule" }] },
      status: { allocatable: { cpu: "5" }, conditions: [{ type: "Ready", status: "False" }] },
    },
    want: [
      "UpdateNodeAllocatable",
      "UpdateNodeLabel",
      "UpdateNodeTaint",
      "UpdateNodeCondition",
      "UpdateNodeAnnotation",
    ],
  },
])("an update of a node by $name is $want", ({ after, want }) => {
  expect(nodeUpdateActions(node, after)).toEqual(want);
});
