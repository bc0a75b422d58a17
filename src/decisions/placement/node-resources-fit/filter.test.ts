import { expect, test } from "vitest";
import { node } from "../../../testing/node.ts";
import { pod } from "../../../testing/pod.ts";
import { verdictsOf } from "../plugin-fixture.cases.ts";
import { clusterViewOf } from "../view/list-view.ts";
import { fitFilter } from "./filter.ts";
import type { NodeResourcesFitArgs } from "./args.ts";
import { nodeResourcesFit } from "./plugin.ts";

type Amounts = Readonly<Record<string, string | number>>;
const asking = (requests: Amounts) => ({ spec: { containers: [{ name: "app", resources: { requests } }] } });
const gpu = "example.com/gpu";

test.for<{
  name: string;
  room: Amounts;
  used?: Amounts;
  request: Amounts;
  args?: NodeResourcesFitArgs;
  want: string;
}>([
  {
    name: "takes a node with exactly enough",
    room: { cpu: 2 },
    used: { cpu: 1 },
    request: { cpu: 1 },
    want: "fits",
  },
  {
    name: "names what there is too little of, in order",
    room: { cpu: 2, memory: 10, "ephemeral-storage": 10, [gpu]: 2, pods: 1 },
    used: { cpu: 1, memory: 8, "ephemeral-storage": 8, [gpu]: 1 },
    request: { [gpu]: 2, "ephemeral-storage": 3, memory: 3, cpu: 2 },
    want:
      "U: Too many pods; Insufficient cpu; Insufficient memory; " +
      "Insufficient ephemeral-storage; Insufficient example.com/gpu",
  },
  {
    name: "refuses for good when even an empty node would be too small",
    room: { cpu: 2, memory: 10 },
    used: { memory: 8 },
    request: { cpu: 3, memory: 3 },
    want: "UAU: Insufficient cpu; Insufficient memory",
  },
  {
    name: "takes a full node for a Pod that requests nothing",
    room: { cpu: 1 },
    used: { cpu: 2 },
    request: {},
    want: "fits",
  },
  {
    name: "takes a full node for a Pod that requests 0",
    room: { cpu: 1 },
    used: { cpu: 2 },
    request: { cpu: 0 },
    want: "fits",
  },
  {
    name: "counts Pods even when they request nothing",
    room: { pods: 1 },
    used: {},
    request: {},
    want: "U: Too many pods",
  },
  {
    name: "misses what a node does not have at all",
    room: {},
    request: { [gpu]: 1 },
    want: `UAU: Insufficient ${gpu}`,
  },
  {
    name: "ignores a resource by name",
    room: {},
    request: { [gpu]: 1 },
    args: { ignoredResources: [gpu] },
    want: "fits",
  },
  {
    name: "ignores resources by group",
    room: {},
    request: { [gpu]: 1 },
    args: { ignoredResourceGroups: ["example.com"] },
    want: "fits",
  },
  {
    name: "never ignores what is Kubernetes' own",
    room: { cpu: 1 },
    request: { cpu: 2 },
    args: { ignoredResources: ["cpu"] },
    want: "UAU: Insufficient cpu",
  },
])("NodeResourcesFit $name", ({ room, used, request, args, want }) => {
  const cluster = {
    nodes: [node("a", { allocatable: room })],
    pods: used === undefined ? [] : [pod("there", { spec: { ...asking(used).spec, nodeName: "a" } })],
  };
  expect(verdictsOf(nodeResourcesFit(args), asking(request), cluster)).toEqual({ a: want });
});

test("a terminating Pod takes up room until it is gone, one that ended does not", () => {
  const there = { ...asking({ cpu: 3 }).spec, nodeName: "a" };
  const pods = [
    pod("ending", { deletedAt: "2026-01-01T00:00:00Z", spec: there }),
    pod("ended", { phase: "Succeeded", spec: there }),
  ];
  const cluster = { nodes: [node("a")], pods };
  expect(verdictsOf(nodeResourcesFit(), asking({ cpu: 1 }), cluster)).toEqual({ a: "fits" });
  expect(verdictsOf(nodeResourcesFit(), asking({ cpu: 2 }), cluster)).toEqual({ a: "U: Insufficient cpu" });
});

test("the detail says how much is missing", () => {
  const view = clusterViewOf({ nodes: [node("a", { allocatable: { cpu: 2 } })] });
  const [first] = view.nodes;
  const filter = fitFilter([["cpu", 2500]], view);
  expect(first && filter(first)).toMatchObject({ detail: "cpu: 2500m requested, 2000m of 2000m free" });
});

test("nodes that lack the same share a refusal, others have their own", () => {
  const sizes = [{ cpu: 2 }, { cpu: 2 }, { cpu: 1 }, { cpu: 2, pods: 0 }];
  const view = clusterViewOf({
    nodes: sizes.map((allocatable, index) =>
      node(`n${index}`, { allocatable: { pods: 10, ...allocatable } }),
    ),
  });
  const filter = fitFilter([["cpu", 2500]], view);
  const [one, alike, smaller, closed] = view.nodes.map(filter);
  expect(alike).toBe(one);
  expect(smaller).toMatchObject({ detail: "cpu: 2500m requested, 1000m of 1000m free" });
  expect(closed).toMatchObject({ reasons: ["Too many pods", "Insufficient cpu"] });
});
