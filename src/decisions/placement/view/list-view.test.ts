import { expect, test } from "vitest";
import { node } from "../../../testing/node.ts";
import { pod } from "../../../testing/pod.ts";
import { podInfo } from "../objects/pod-info.ts";
import { clusterViewContract } from "./cluster-view.contract.ts";
import { clusterViewOf } from "./list-view.ts";

clusterViewContract("list", clusterViewOf);

test("a cluster with another Pod is another view", () => {
  const before = clusterViewOf({ nodes: [node("a"), node("b")] });
  const [a] = before.nodes;
  if (a === undefined) throw new Error("there is a node");
  const after = before.withPod(a, podInfo(pod("p"))).withPod({ ...a, pods: [] }, podInfo(pod("q")));
  expect(before.nodes.map(({ pods }) => pods.length)).toEqual([0, 0]);
  expect(after.nodes.map(({ pods }) => pods.length)).toEqual([1, 0]);
});
