import { expect, test } from "vitest";
import { node } from "../../../testing/node.ts";
import { pod } from "../../../testing/pod.ts";
import { scoresOf } from "../plugin-fixture.cases.ts";
import { nodeResourcesFit } from "./plugin.ts";
import type { ScoringStrategy } from "./scoring-strategy.ts";

type Amounts = Readonly<Record<string, string | number>>;
const asking = (requests: Amounts) => ({ containers: [{ name: "app", resources: { requests } }] });
const gpu = "example.com/gpu";

const least: ScoringStrategy = { type: "LeastAllocated" };
const most: ScoringStrategy = { type: "MostAllocated" };
const line: ScoringStrategy = {
  type: "RequestedToCapacityRatio",
  shape: [
    { utilization: 0, score: 0 },
    { utilization: 40, score: 10 },
    { utilization: 100, score: 5 },
  ],
};
const cpuOnly = { resources: [{ name: "cpu", weight: 1 }] };

test.for<{
  name: string;
  strategy: ScoringStrategy;
  room: Amounts;
  used?: Amounts;
  request: Amounts;
  want: number;
}>([
  {
    name: "is what stays free of CPU and memory on average",
    strategy: least,
    room: { cpu: 4, memory: 10_000 },
    used: { cpu: 1, memory: 2000 },
    request: { cpu: 1, memory: 3000 },
    want: 50,
  },
  {
    name: "rounds down for each resource and for the mean",
    strategy: least,
    room: { cpu: 3, memory: 7 },
    request: { cpu: 1, memory: 2 },
    // 66 and 71
    want: 68,
  },
  {
    name: "counts something for a Pod that does not say",
    strategy: { ...least, ...cpuOnly },
    room: { cpu: 1 },
    used: {},
    request: {},
    want: 80,
  },
  {
    name: "is 0 for a resource that is used up",
    strategy: least,
    room: { cpu: 1, memory: 100 },
    used: { cpu: 1, memory: 0 },
    request: { cpu: 1, memory: 50 },
    want: 25,
  },
  {
    name: "leaves out a resource the node does not have",
    strategy: least,
    room: { cpu: 4, memory: 0 },
    request: { cpu: 1 },
    want: 75,
  },
  {
    name: "weighs resources",
    strategy: {
      ...least,
      resources: [
        { name: "cpu", weight: 3 },
        { name: "memory", weight: 1 },
      ],
    },
    room: { cpu: 4, memory: 100 },
    request: { cpu: 1, memory: 100 },
    want: 56,
  },
  {
    name: "looks at extended resources only if the Pod asks for them",
    strategy: {
      ...least,
      resources: [
        { name: "cpu", weight: 1 },
        { name: gpu, weight: 1 },
      ],
    },
    room: { cpu: 4, [gpu]: 4 },
    used: { cpu: 0, [gpu]: 3 },
    request: { cpu: 1 },
    want: 75,
  },
  {
    name: "can prefer fuller nodes",
    strategy: most,
    room: { cpu: 4, memory: 100 },
    used: { cpu: 1, memory: 200 },
    request: { cpu: 1, memory: 10 },
    want: 75,
  },
  {
    name: "can follow a line up",
    strategy: { ...line, ...cpuOnly },
    room: { cpu: 10 },
    request: { cpu: 2 },
    want: 50,
  },
  {
    name: "can follow a line down",
    strategy: { ...line, ...cpuOnly },
    room: { cpu: 10 },
    request: { cpu: 7 },
    want: 75,
  },
  {
    name: "stays at the end of a line",
    strategy: { ...line, ...cpuOnly },
    room: { cpu: 10 },
    request: { cpu: 70 },
    want: 50,
  },
])("the score of NodeResourcesFit $name", ({ strategy, room, used, request, want }) => {
  const cluster = {
    nodes: [node("a", { allocatable: room })],
    pods: used === undefined ? [] : [pod("there", { spec: { ...asking(used), nodeName: "a" } })],
  };
  const plugin = nodeResourcesFit({ scoringStrategy: strategy });
  expect(scoresOf(plugin, { spec: asking(request) }, cluster)).toEqual({ a: want });
});
