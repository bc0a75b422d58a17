import { expect, test } from "vitest";
import { node } from "../../../testing/node.ts";
import { pod } from "../../../testing/pod.ts";
import { scoresOf } from "../plugin-fixture.cases.ts";
import { nodeResourcesBalancedAllocation } from "./plugin.ts";

type Amounts = Readonly<Record<string, string | number>>;
const asking = (requests: Amounts) => ({ containers: [{ name: "app", resources: { requests } }] });
const gpu = "example.com/gpu";
const threeResources = [gpu, "cpu", "memory"].map((name) => ({ name, weight: 1 }));

test.for<{
  name: string;
  used?: Amounts;
  request: Amounts;
  resources?: typeof threeResources;
  want: number | undefined;
}>([
  { name: "is 75 where nothing changes", request: { cpu: "1", memory: 25 }, want: 75 },
  { name: "is lower where the Pod makes a node uneven", request: { cpu: 4 }, want: 50 },
  {
    name: "is higher where the Pod makes a node even",
    used: { cpu: 4 },
    request: { memory: 100 },
    want: 100,
  },
  {
    name: "does not count what the Pod does not request",
    used: {},
    request: { cpu: "400m" },
    // 10 % of CPU and nothing of memory: 95 instead of 100
    want: 72,
  },
  {
    name: "takes more than all for all",
    used: { cpu: 8, memory: 100 },
    request: { cpu: 1, memory: 1 },
    want: 75,
  },
  {
    name: "goes by the standard deviation of three",
    request: { [gpu]: 2, cpu: 2 },
    resources: threeResources,
    // 1, 1/2 and 0: a deviation of 0.408
    want: 54,
  },
  { name: "is not there for a Pod that requests nothing", request: {}, want: undefined },
  { name: "is not there for a Pod that requests 0", request: { cpu: 0, memory: "0" }, want: undefined },
  { name: "is not there for a Pod that requests other things", request: { [gpu]: 1 }, want: undefined },
])("the score of NodeResourcesBalancedAllocation $name", ({ used, request, resources, want }) => {
  const cluster = {
    nodes: [node("a", { allocatable: { cpu: 4, memory: 100, [gpu]: 2 } })],
    pods: used === undefined ? [] : [pod("there", { spec: { ...asking(used), nodeName: "a" } })],
  };
  const plugin = nodeResourcesBalancedAllocation(resources === undefined ? {} : { resources });
  const scores = scoresOf(plugin, { spec: asking(request) }, cluster);
  expect(scores).toEqual(want === undefined ? undefined : { a: want });
});
