import { expect, test } from "vitest";
import { noObjects } from "../../decisions/explain/cluster-objects.ts";
import { node } from "../../testing/node.ts";
import { pod } from "../../testing/pod.ts";
import { withAssumedNodes } from "./assumed-nodes.ts";
import type { Snapshot } from "./snapshot.ts";

const snapshotOf = (objects: Partial<Snapshot["objects"]>): Snapshot => ({
  takenAt: 0,
  isAnonymised: false,
  objects: { ...noObjects, ...objects },
});

test("a snapshot without nodes has those that its Pods name, with what they ask for", () => {
  const containers = [
    { name: "app", image: "app", resources: { requests: { "example.com/gpu": "1", cpu: "2" } } },
  ];
  const pods = [
    pod("a", { node: "n2", spec: { containers, nodeSelector: { disk: "fast" } } }),
    pod("b", { node: "n1" }),
    pod("c", { node: null }),
  ];
  const { nodes } = withAssumedNodes(snapshotOf({ pods })).objects;
  expect(nodes.map(({ metadata }) => metadata.name)).toEqual(["n1", "n2"]);
  expect(nodes[1]?.metadata.labels).toMatchObject({ disk: "fast", "kubernetes.io/hostname": "n2" });
  expect(Object.keys(nodes[1]?.status?.allocatable ?? {})).toContain("example.com/gpu");
});

test("a snapshot without nodes and without Pods has a node, so that Pods can be placed", () => {
  expect(withAssumedNodes(snapshotOf({})).objects.nodes).toHaveLength(1);
});

test("a snapshot with nodes stays as it is", () => {
  const snapshot = snapshotOf({ nodes: [node("n1")], pods: [pod("a", { node: "n2" })] });
  expect(withAssumedNodes(snapshot)).toBe(snapshot);
});
