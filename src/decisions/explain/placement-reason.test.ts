import { describe, expect, test } from "vitest";
import type { Service } from "../../api/generated/core-v1.ts";
import { node } from "../../testing/node.ts";
import { pod } from "../../testing/pod.ts";
import { defaultPlugins } from "../placement/default-plugins.ts";
import { explainPlacement } from "../placement/explain-placement.ts";
import { pluginSetOf } from "../placement/plugin-entry.ts";
import { placePod } from "../placement/place-pod.ts";
import { type Waiting, waitingPod } from "../placement/plugin-fixture.cases.ts";
import { podTopologySpread } from "../placement/pod-topology-spread/plugin.ts";
import { clusterViewOf, type PlacementObjects } from "../placement/view/list-view.ts";
import { describeConstraint, failedSchedulingMessage, describeSelection } from "./placement-reason.ts";

const web: Service = {
  metadata: { name: "web", namespace: "default", uid: "u", resourceVersion: "1" },
  spec: { selector: { app: "web" } },
};
const zone = "topology.kubernetes.io/zone";
const all = pluginSetOf(defaultPlugins());
const place = (waiting: Waiting, cluster: PlacementObjects, pluginSet = all) =>
  placePod(waitingPod(waiting), clusterViewOf(cluster), { pluginSet, draw: () => 0 });

describe("a constraint is said", () => {
  test.for<{ name: string; whenUnsatisfiable: string; source: "own" | "list"; want: string }>([
    {
      name: "as the Pod's",
      whenUnsatisfiable: "DoNotSchedule",
      source: "own",
      want: `Pods with app=web must be spread by ${zone}, at most 2 more in one than in another (the Pod itself)`,
    },
    {
      name: "as the operator's, with whom it is for",
      whenUnsatisfiable: "ScheduleAnyway",
      source: "list",
      want: `Pods with app=web should be spread by ${zone}, at most 2 more in one than in another (the operator's defaults, for Service web)`,
    },
  ])("$name", ({ whenUnsatisfiable, source, want }) => {
    const constraint = { maxSkew: 2, topologyKey: zone, whenUnsatisfiable };
    const own = { ...constraint, labelSelector: { matchLabels: { app: "web" } } };
    const plugin = podTopologySpread({ defaultingType: "List", defaultConstraints: [constraint] });
    const spec = source === "own" ? { topologySpreadConstraints: [own] } : {};
    const cluster = { nodes: [node("a", { zone: "1" })], services: [web] };
    const { constraints, selector } = explainPlacement(
      place({ spec }, cluster, pluginSetOf([{ plugin, weight: 1 }])),
    );
    expect(constraints.map((each) => describeConstraint(each, selector))).toEqual([want]);
  });
});

describe("the FailedScheduling message", () => {
  const constraint = {
    maxSkew: 1,
    topologyKey: zone,
    whenUnsatisfiable: "DoNotSchedule",
    labelSelector: { matchLabels: { app: "web" } },
  };
  const tainted = node("t", { zone: "1", taints: [{ key: "k", effect: "NoSchedule" }] });
  const crowded = ["a", "b"].map((name) => node(name, { zone: "2" }));
  const pinned = (...values: readonly (readonly string[])[]) => ({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            { matchFields: values.map((each) => ({ key: "metadata.name", operator: "In", values: each })) },
          ],
        },
      },
    },
  });

  test.for<{ name: string; waiting: Waiting; cluster: PlacementObjects; want: string | undefined }>([
    {
      name: "counts reasons and sorts them",
      waiting: { spec: { topologySpreadConstraints: [constraint] } },
      cluster: { nodes: [tainted, ...crowded], pods: [pod("p", { node: "a" })] },
      want:
        "0/3 nodes are available: 1 node(s) had untolerated taint(s), " +
        "2 node(s) didn't match pod topology spread constraints.",
    },
    {
      name: "sorts them as text",
      waiting: {},
      cluster: {
        nodes: [
          ...Array.from({ length: 10 }, (_, index) => node(`c${index}`, { unschedulable: true })),
          ...["x", "y"].map((name) => node(name, { taints: [{ key: "k", effect: "NoSchedule" }] })),
        ],
      },
      want: "0/12 nodes are available: 10 node(s) were unschedulable, 2 node(s) had untolerated taint(s).",
    },
    {
      name: "counts a node for each of its reasons",
      waiting: { spec: { containers: [{ name: "a", resources: { requests: { cpu: 9, memory: "1Ti" } } }] } },
      cluster: { nodes: crowded },
      want: "0/2 nodes are available: 2 Insufficient cpu, 2 Insufficient memory.",
    },
    {
      name: "mentions nodes that were not examined",
      waiting: { spec: pinned(["t"]) },
      cluster: { nodes: [tainted, ...crowded] },
      want:
        "0/3 nodes are available: 1 node(s) had untolerated taint(s), " +
        "2 node(s) didn't satisfy plugin(s) [NodeAffinity].",
    },
    {
      name: "is one sentence when no node was looked at",
      waiting: { spec: pinned(["a"], ["b"]) },
      cluster: { nodes: crowded },
      want: "0/2 nodes are available: pod affinity terms conflict.",
    },
    {
      name: "says that there are no nodes",
      waiting: {},
      cluster: { nodes: [] },
      want: "no nodes available to schedule pods",
    },
    {
      name: "says which plugin broke down",
      waiting: {
        spec: {
          topologySpreadConstraints: [
            { ...constraint, labelSelector: { matchExpressions: [{ key: "app", operator: "Near" }] } },
          ],
        },
      },
      cluster: { nodes: crowded },
      want:
        'running PreFilter plugin "PodTopologySpread": obtaining pod\'s hard topology spread constraints: ' +
        'labelSelector.matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator',
    },
    {
      name: "is not there for a Pod that was placed",
      waiting: {},
      cluster: { nodes: crowded },
      want: undefined,
    },
  ])("$name", ({ waiting, cluster, want }) => {
    expect(failedSchedulingMessage(place(waiting, cluster))).toBe(want);
  });
});

test.for([
  { name: "the best, by a draw", waiting: {}, want: "b: best of 2 with 397, drawn from 2 as good" },
  { name: "the only node", waiting: { spec: { nodeName: "a" } }, want: "a: the only node that fits" },
  { name: "no node", waiting: { spec: { nodeName: "z" } }, want: "no node" },
])("it is said that it was $name", ({ waiting, want }) => {
  expect(describeSelection(explainPlacement(place(waiting, { nodes: [node("a"), node("b")] })))).toBe(want);
});
