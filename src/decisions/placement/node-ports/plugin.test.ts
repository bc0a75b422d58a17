import { expect, test } from "vitest";
import type { Container, ContainerPort, PodSpec } from "../../../api/generated/core-v1.ts";
import { node } from "../../../testing/node.ts";
import { pod } from "../../../testing/pod.ts";
import { preFilterOf, verdictsOf } from "../plugin-fixture.cases.ts";
import { nodePorts } from "./plugin.ts";

const taken = "U: node(s) didn't have free ports for the requested pod ports";
type Port = Partial<ContainerPort>;
const opening = (...ports: readonly Port[]): Container => ({
  name: "app",
  ports: ports.map((port) => ({ containerPort: 80, ...port })),
});
const inContainer = (...ports: readonly Port[]): Partial<PodSpec> => ({ containers: [opening(...ports)] });

test.for<{ name: string; used: Partial<PodSpec>; wanted: Partial<PodSpec>; want: string }>([
  {
    name: "refuses a port that is taken",
    used: inContainer({ hostPort: 80 }),
    wanted: inContainer({ hostPort: 443 }, { hostPort: 80 }),
    want: taken,
  },
  {
    name: "takes TCP for no protocol, and other protocols for other ports",
    used: inContainer({ hostPort: 80, protocol: "TCP" }, { hostPort: 53, protocol: "UDP" }),
    wanted: inContainer({ hostPort: 53 }),
    want: "fits",
  },
  {
    name: "keeps addresses apart",
    used: inContainer({ hostPort: 80, hostIP: "10.0.0.1" }),
    wanted: inContainer({ hostPort: 80, hostIP: "10.0.0.2" }),
    want: "fits",
  },
  {
    name: "takes no address for all of them, when wanted",
    used: inContainer({ hostPort: 80, hostIP: "10.0.0.1" }),
    wanted: inContainer({ hostPort: 80 }),
    want: taken,
  },
  {
    name: "takes no address for all of them, when used",
    used: inContainer({ hostPort: 80, hostIP: "0.0.0.0" }),
    wanted: inContainer({ hostPort: 80, hostIP: "10.0.0.2" }),
    want: taken,
  },
  {
    name: "looks at sidecars",
    used: { initContainers: [{ ...opening({ hostPort: 80 }), restartPolicy: "Always" }] },
    wanted: inContainer({ hostPort: 80 }),
    want: taken,
  },
  {
    name: "does not look at init containers that end",
    used: { initContainers: [opening({ hostPort: 80 })] },
    wanted: inContainer({ hostPort: 80 }),
    want: "fits",
  },
])("NodePorts $name", ({ used, wanted, want }) => {
  const cluster = {
    nodes: [node("a")],
    pods: [pod("there", { node: "a", spec: { ...used, nodeName: "a" } })],
  };
  expect(verdictsOf(nodePorts, { spec: wanted }, cluster)).toEqual({ a: want });
});

test("NodePorts skips Pods without host ports", () => {
  expect(preFilterOf(nodePorts, { spec: inContainer({}) }, { nodes: [node("a")] })).toBeUndefined();
});

test("a terminating Pod keeps its port until it is gone", () => {
  const there = pod("there", {
    node: "a",
    deletedAt: "2026-01-01T00:00:00Z",
    spec: inContainer({ hostPort: 80 }),
  });
  const wanted = { spec: inContainer({ hostPort: 80 }) };
  expect(verdictsOf(nodePorts, wanted, { nodes: [node("a")], pods: [there] })).toEqual({ a: taken });
});
