import { expect, test } from "vitest";
import { node } from "../../../testing/node.ts";
import { pod } from "../../../testing/pod.ts";
import { clusterViewOf } from "./list-view.ts";

const asking = (cpu: string, nodeName: string) => ({
  nodeName,
  containers: [
    { name: "app", resources: { requests: { cpu } }, ports: [{ containerPort: 80, hostPort: 80 }] },
  ],
});

test("a view of lists sums up the Pods of every node, but for those that ended or are elsewhere", () => {
  const pods = [
    pod("p", { spec: asking("1", "a") }),
    pod("q", { spec: asking("500m", "a"), deletedAt: "2026-01-01T00:00:00Z" }),
    pod("ended", { spec: asking("1", "a"), phase: "Failed" }),
    pod("elsewhere", { spec: asking("1", "gone") }),
    pod("waiting", { node: null }),
  ];
  const [a, b] = clusterViewOf({ nodes: [node("a"), node("b")], pods }).nodes;
  expect(a?.pods.map(({ name, isTerminating }) => [name, isTerminating])).toEqual([
    ["p", false],
    ["q", true],
  ]);
  expect(a?.requested).toEqual(new Map([["cpu", 1500]]));
  expect(a?.nonZeroRequested.get("memory")).toBe(2 * 200 * 2 ** 20);
  expect(a?.hostPorts).toHaveLength(2);
  expect(a?.allowedPods).toBe(110);
  expect(a?.allocatable.get("cpu")).toBe(4000);
  expect(b?.pods).toEqual([]);
});

test("a view of lists counts the nodes that have an image", () => {
  const images = [{ names: ["app:1", "app@sha256:1"], sizeBytes: 5 }];
  const { nodesWithImage } = clusterViewOf({
    nodes: [node("a", { images }), node("b", { images }), node("c")],
  });
  expect(["app:1", "app@sha256:1", "other"].map(nodesWithImage)).toEqual([2, 2, 0]);
});

test("a view of lists knows the labels of namespaces, and none of those it has not seen", () => {
  const metadata = { name: "red", uid: "u", resourceVersion: "1", labels: { team: "red" } };
  const { namespaceLabels } = clusterViewOf({ nodes: [], namespaces: [{ metadata, spec: {} }] });
  expect([namespaceLabels("red"), namespaceLabels("blue")]).toEqual([{ team: "red" }, undefined]);
});
