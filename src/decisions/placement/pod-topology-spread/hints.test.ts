import { describe, expect, test } from "vitest";
import type { Node, Pod, Service } from "../../../api/generated/core-v1.ts";
import type { ReplicaSet } from "../../../api/generated/apps-v1.ts";
import { podInfo } from "../objects/pod-info.ts";
import type { PodTopologySpreadArgs } from "./args.ts";
import { clusterViewOf } from "../view/list-view.ts";
import { pod, type PodTraits } from "../../../testing/pod.ts";
import type { ClusterEvent } from "../cluster-event.ts";
import { podTopologySpreadHints } from "./hints.ts";

const foo = { matchExpressions: [{ key: "foo", operator: "Exists" }] };
const bar = { matchExpressions: [{ key: "bar", operator: "Exists" }] };
const hard = (topologyKey: string, labelSelector = foo) => ({
  maxSkew: 1,
  topologyKey,
  whenUnsatisfiable: "DoNotSchedule",
  labelSelector,
});
type Constraints = Pod["spec"]["topologySpreadConstraints"];

function waitingPod(constraints: Constraints, labels: Readonly<Record<string, string>> = { foo: "" }): Pod {
  const plain = pod("p", { node: null, labels });
  return { ...plain, spec: { ...plain.spec, topologySpreadConstraints: constraints ?? [] } };
}

function helps(
  waiting: Pod,
  event: ClusterEvent,
  args: PodTopologySpreadArgs = { defaultingType: "System" },
): boolean {
  return podTopologySpreadHints(args).isHelpful(podInfo(waiting), event, clusterViewOf({ nodes: [] }));
}

const both = [hard("zone"), hard("node")];
const node = (labels: Readonly<Record<string, string>>, taints: readonly string[] = []): Node => ({
  metadata: { name: "n", uid: "n", resourceVersion: "1", labels },
  spec: { taints: taints.map((key) => ({ key, effect: "NoSchedule" })) },
});

describe("for a Pod that its spread rejected", () => {
  test.for([
    {
      name: "a node's domain changes",
      before: node({ zone: "1", node: "1" }),
      after: node({ zone: "2", node: "1" }),
      want: true,
    },
    {
      name: "another label of a node in its topology changes",
      before: node({ zone: "1", node: "1", foo: "a" }),
      after: node({ zone: "1", node: "1", foo: "b" }),
      want: false,
    },
    {
      name: "another label of a node outside its topology changes",
      before: node({ foo: "a" }),
      after: node({ foo: "b" }),
      want: false,
    },
    { name: "a node outside its topology comes", after: node({ zone: "1" }), want: false },
    { name: "a node without any of its keys comes", after: node({ foo: "a" }), want: false },
    { name: "a node without any of its keys goes", before: node({ foo: "a" }), want: false },
    { name: "a node of its topology comes", after: node({ zone: "1", node: "1" }), want: true },
    { name: "a node outside its topology goes", before: node({ node: "1" }), want: false },
    { name: "a node of its topology goes", before: node({ zone: "1", node: "1" }), want: true },
    {
      name: "a node gets one key of two",
      before: node({}),
      after: node({ zone: "1" }),
      want: false,
    },
    {
      name: "a node gets the last key",
      before: node({ zone: "1" }),
      after: node({ zone: "1", node: "1" }),
      want: true,
    },
    {
      name: "a node loses a key",
      before: node({ zone: "1", node: "1" }),
      after: node({ zone: "1" }),
      want: true,
    },
    {
      name: "the taints of a node of its topology change",
      before: node({ zone: "1", node: "1" }, ["t"]),
      after: node({ zone: "1", node: "1" }),
      want: true,
    },
    {
      name: "the taints of a node outside its topology change",
      before: node({ zone: "1" }, ["t"]),
      after: node({ zone: "1" }),
      want: false,
    },
  ])("$name: $want", ({ before, after, want }) => {
    const action = before === undefined ? "Add" : after === undefined ? "Delete" : "UpdateNodeLabel";
    const event: ClusterEvent = {
      resource: "Node",
      action,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    };
    expect(helps(waitingPod(both), event)).toBe(want);
  });

  const other = (labels: Readonly<Record<string, string>>, traits: PodTraits = {}) =>
    pod("q", { labels, ...traits });
  const nominated = (labels: Readonly<Record<string, string>>): Pod => ({
    ...other(labels, { node: null }),
    status: { nominatedNodeName: "n" },
  });
  const one = [hard("zone")];
  const two = [hard("zone"), hard("node", bar)];

  test.for([
    { name: "a matching Pod comes", after: other({ foo: "" }), want: true },
    { name: "a matching Pod without a node comes", after: other({ foo: "" }, { node: null }), want: false },
    {
      name: "a matching Pod without a node changes",
      before: other({ foo: "" }, { node: null }),
      after: other({ x: "" }, { node: null }),
      want: false,
    },
    { name: "a matching Pod without a node goes", before: other({ foo: "" }, { node: null }), want: false },
    { name: "one of another namespace comes", after: other({ foo: "" }, { namespace: "x" }), want: false },
    { name: "one that does not match comes", after: other({ x: "" }), want: false },
    { name: "one that does not match goes", before: other({ x: "" }), want: false },
    { name: "a matching Pod goes", before: other({ foo: "" }), want: true },
    { name: "a matching Pod that was promised a node goes", before: nominated({ foo: "" }), want: true },
    { name: "another that was promised a node goes", before: nominated({ x: "" }), want: false },
    { name: "a label makes a Pod match", before: other({}), after: other({ foo: "" }), want: true },
    { name: "a Pod loses the label", before: other({ foo: "" }), after: other({}), want: true },
    {
      name: "the value of a label changes that only has to be there",
      before: other({ foo: "a" }),
      after: other({ foo: "b" }),
      want: false,
    },
    {
      name: "of two constraints one is matched by who comes",
      constraints: two,
      after: other({ bar: "" }),
      want: true,
    },
    { name: "of two constraints none is", constraints: two, after: other({ x: "" }), want: false },
    {
      name: "of two constraints one is matched by who goes",
      constraints: two,
      before: other({ bar: "" }),
      want: true,
    },
    {
      name: "of two constraints one gets another match",
      constraints: two,
      before: other({ foo: "" }),
      after: other({ foo: "", bar: "" }),
      want: true,
    },
    {
      name: "of two constraints none gets another match",
      constraints: two,
      before: other({ foo: "" }),
      after: other({ foo: "", x: "" }),
      want: false,
    },
  ])("$name: $want", ({ before, after, constraints = one, want }) => {
    const action = before === undefined ? "Add" : after === undefined ? "Delete" : "UpdatePodLabel";
    const event: ClusterEvent = {
      resource: "AssignedPod",
      action,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    };
    expect(helps(waitingPod(constraints), event)).toBe(want);
  });

  const tolerating = (constraints: Constraints): Pod => {
    const plain = waitingPod(constraints);
    return { ...plain, spec: { ...plain.spec, tolerations: [{ operator: "Exists" }] } };
  };
  const honoring = [{ ...hard("zone"), nodeTaintsPolicy: "Honor" }];

  test.for([
    {
      name: "it tolerates more, and taints count",
      before: waitingPod(honoring),
      after: tolerating(honoring),
      want: true,
    },
    {
      name: "it tolerates more, but taints do not count",
      before: waitingPod(one),
      after: tolerating(one),
      want: false,
    },
    { name: "it gets a label that counts", before: waitingPod(one, {}), after: waitingPod(one), want: true },
    {
      name: "it gets a label that does not",
      before: waitingPod(one),
      after: waitingPod(one, { foo: "", x: "" }),
      want: false,
    },
  ])("$name: $want", ({ before, after, want }) => {
    const event: ClusterEvent = { resource: "UnscheduledPod", action: "UpdatePodLabel", before, after };
    expect(helps(after, event)).toBe(want);
  });

  test("any event may help a Pod whose selector cannot be parsed", () => {
    const unreadable = [hard("zone", { matchExpressions: [{ key: "foo", operator: "Perhaps" }] })];
    expect(helps(waitingPod(unreadable), { resource: "Node", action: "Add", after: node({}) })).toBe(true);
  });
});

describe("for a Pod that was refused by a default", () => {
  const owned: Pod = {
    ...pod("p", { node: null }),
    metadata: {
      ...pod("p").metadata,
      ownerReferences: [
        { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: "u", controller: true },
      ],
    },
  };
  const service = (selector: Readonly<Record<string, string>>, namespace = "default"): Service => ({
    metadata: { name: "s", namespace, uid: "s", resourceVersion: "1" },
    spec: { selector },
  });
  const replicaSet = (name: string, app: string): ReplicaSet => ({
    metadata: { name, namespace: "default", uid: "r", resourceVersion: "1" },
    spec: { selector: { matchLabels: { app } } },
  });
  const web = { app: "web" };

  test.for<{ name: string; event: ClusterEvent; of?: Pod; want: boolean }>([
    {
      name: "a Service selects it",
      event: { resource: "Service", action: "Add", after: service(web) },
      want: true,
    },
    {
      name: "a Service that selected it goes",
      event: { resource: "Service", action: "Delete", before: service(web) },
      want: true,
    },
    {
      name: "a Service of others comes",
      event: { resource: "Service", action: "Add", after: service({ app: "x" }) },
      want: false,
    },
    {
      name: "a Service of another namespace comes",
      event: { resource: "Service", action: "Add", after: service(web, "x") },
      want: false,
    },
    {
      name: "a Service changes whom it selects",
      event: { resource: "Service", action: "Update", before: service(web), after: service({ app: "x" }) },
      want: true,
    },
    {
      name: "a Service changes otherwise",
      event: { resource: "Service", action: "Update", before: service(web), after: service(web) },
      want: false,
    },
    {
      name: "its owner comes to light",
      event: { resource: "ReplicaSet", action: "Add", after: replicaSet("web", "web") },
      want: true,
    },
    {
      name: "another owner comes to light",
      event: { resource: "ReplicaSet", action: "Add", after: replicaSet("api", "web") },
      want: false,
    },
    {
      name: "its owner is scaled",
      event: {
        resource: "ReplicaSet",
        action: "Update",
        before: replicaSet("web", "web"),
        after: replicaSet("web", "web"),
      },
      want: false,
    },
    {
      name: "a Service selects it, but it has constraints of its own",
      of: waitingPod([hard("zone")]),
      event: { resource: "Service", action: "Add", after: service(web) },
      want: false,
    },
  ])("$name: $want", ({ event, of = owned, want }) => {
    expect(helps(of, event, { defaultingType: "List", defaultConstraints: [hard("zone")] })).toBe(want);
  });
});
