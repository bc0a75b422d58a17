import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { Node, Pod } from "../../api/generated/core-v1.ts";
import { podInfo } from "./objects/pod-info.ts";
import { clusterViewOf } from "./view/list-view.ts";
import { pod } from "../../testing/pod.ts";
import type { ClusterEvent } from "./cluster-event.ts";
import { inTreePlugins } from "./default-plugins.ts";
import { defaultArgs } from "./plugin-entry.ts";

const waiting = (spec: Partial<Pod["spec"]> = {}): Pod => {
  const plain = pod("p", { node: null });
  return { ...plain, spec: { ...plain.spec, ...spec } };
};
const placed = (spec: Partial<Pod["spec"]> = {}, labels = {}): Pod => {
  const plain = pod("q", { labels });
  return { ...plain, spec: { ...plain.spec, ...spec } };
};
const requesting = (cpu: string) => ({
  containers: [{ name: "c", image: "c", resources: { requests: { cpu } } }],
});
const listening = (hostPort: number) => ({
  containers: [{ name: "c", image: "c", ports: [{ containerPort: 80, hostPort }] }],
});
const near = (kind: "podAffinity" | "podAntiAffinity", app: string): Partial<Pod["spec"]> => ({
  affinity: {
    [kind]: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: "zone", labelSelector: { matchLabels: { app } } },
      ],
    },
  },
});
const node = (cpu: string, spec: NonNullable<Node["spec"]> = {}, labels = {}): Node => ({
  metadata: { name: "n", uid: "n", resourceVersion: "1", labels },
  spec,
  status: { allocatable: { cpu, pods: "10" } },
});
const tainted = { taints: [{ key: "t", effect: "NoSchedule" }] };
const comes = (after: Node): ClusterEvent => ({ resource: "Node", action: "Add", after });
const goes = (before: Pod): ClusterEvent => ({ resource: "AssignedPod", action: "Delete", before });
const arrives = (after: Pod): ClusterEvent => ({ resource: "AssignedPod", action: "Add", after });

test.for<{ plugin: string; name: string; of?: Pod; event: ClusterEvent; want: boolean }>([
  { plugin: "NodeResourcesFit", name: "a Pod goes", event: goes(placed()), want: true },
  { plugin: "NodeResourcesFit", name: "a Pod without a node goes", event: goes(waiting()), want: false },
  {
    plugin: "NodeResourcesFit",
    name: "a large enough node comes",
    of: waiting(requesting("2")),
    event: comes(node("2")),
    want: true,
  },
  {
    plugin: "NodeResourcesFit",
    name: "a small node comes",
    of: waiting(requesting("2")),
    event: comes(node("1")),
    want: false,
  },
  {
    plugin: "NodeResourcesFit",
    name: "a node grows enough",
    of: waiting(requesting("2")),
    event: { resource: "Node", action: "UpdateNodeAllocatable", before: node("1"), after: node("2") },
    want: true,
  },
  {
    plugin: "NodeResourcesFit",
    name: "a node shrinks",
    of: waiting(requesting("2")),
    event: { resource: "Node", action: "UpdateNodeAllocatable", before: node("4"), after: node("2") },
    want: false,
  },
  {
    plugin: "NodeResourcesFit",
    name: "a Pod gives up what is wanted",
    of: waiting(requesting("2")),
    event: {
      resource: "AssignedPod",
      action: "UpdatePodScaleDown",
      before: placed(requesting("2")),
      after: placed(requesting("1")),
    },
    want: true,
  },
  {
    plugin: "NodeResourcesFit",
    name: "a Pod gives up what is not",
    event: {
      resource: "AssignedPod",
      action: "UpdatePodScaleDown",
      before: placed(requesting("2")),
      after: placed(requesting("1")),
    },
    want: false,
  },
  {
    plugin: "NodePorts",
    name: "the port becomes free",
    of: waiting(listening(80)),
    event: goes(placed(listening(80))),
    want: true,
  },
  {
    plugin: "NodePorts",
    name: "another port becomes free",
    of: waiting(listening(80)),
    event: goes(placed(listening(81))),
    want: false,
  },
  {
    plugin: "NodePorts",
    name: "a node comes",
    of: waiting(listening(80)),
    event: comes(node("1")),
    want: true,
  },
  { plugin: "NodeUnschedulable", name: "a node comes", event: comes(node("1")), want: true },
  {
    plugin: "NodeUnschedulable",
    name: "a cordoned node comes",
    event: comes(node("1", { unschedulable: true })),
    want: false,
  },
  {
    plugin: "NodeUnschedulable",
    name: "a node is uncordoned",
    event: {
      resource: "Node",
      action: "UpdateNodeTaint",
      before: node("1", { unschedulable: true }),
      after: node("1"),
    },
    want: true,
  },
  { plugin: "TaintToleration", name: "a tainted node comes", event: comes(node("1", tainted)), want: false },
  {
    plugin: "TaintToleration",
    name: "a taint is removed",
    event: { resource: "Node", action: "UpdateNodeTaint", before: node("1", tainted), after: node("1") },
    want: true,
  },
  {
    plugin: "TaintToleration",
    name: "a node that was good stays good",
    event: { resource: "Node", action: "UpdateNodeTaint", before: node("1"), after: node("1") },
    want: false,
  },
  {
    plugin: "NodeAffinity",
    name: "a node of the kind comes",
    of: waiting({ nodeSelector: { disk: "ssd" } }),
    event: comes(node("1", {}, { disk: "ssd" })),
    want: true,
  },
  {
    plugin: "NodeAffinity",
    name: "a node of another kind comes",
    of: waiting({ nodeSelector: { disk: "ssd" } }),
    event: comes(node("1")),
    want: false,
  },
  {
    plugin: "InterPodAffinity",
    name: "a Pod that the affinity matches comes",
    of: waiting(near("podAffinity", "db")),
    event: arrives(placed({}, { app: "db" })),
    want: true,
  },
  {
    plugin: "InterPodAffinity",
    name: "a Pod that the affinity does not match comes",
    of: waiting(near("podAffinity", "db")),
    event: arrives(placed()),
    want: false,
  },
  {
    plugin: "InterPodAffinity",
    name: "a Pod that the anti-affinity matches goes",
    of: waiting(near("podAntiAffinity", "db")),
    event: goes(placed({}, { app: "db" })),
    want: true,
  },
  {
    plugin: "InterPodAffinity",
    name: "a Pod with matching anti-affinity goes",
    event: goes(placed(near("podAntiAffinity", "web"))),
    want: true,
  },
  {
    plugin: "InterPodAffinity",
    name: "a Pod with other anti-affinity goes",
    event: goes(placed(near("podAntiAffinity", "x"))),
    want: false,
  },
  {
    plugin: "InterPodAffinity",
    name: "a node outside the topology comes",
    of: waiting(near("podAffinity", "db")),
    event: comes(node("1")),
    want: false,
  },
  {
    plugin: "InterPodAffinity",
    name: "a node of the topology comes",
    of: waiting(near("podAffinity", "db")),
    event: comes(node("1", {}, { zone: "a" })),
    want: true,
  },
])("rejected by $plugin: $name: $want", ({ plugin, of = waiting(), event, want }) => {
  const entry = inTreePlugins.find(({ name }) => name === plugin);
  const context = { isV1beta1: false, gates: defaultFeatureGates };
  const hints = entry?.hints?.(defaultArgs(entry, context));
  expect(hints?.isHelpful(podInfo(of), event, clusterViewOf({ nodes: [] }))).toBe(want);
});
