import { expect, test } from "vitest";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { replicaSet } from "../../src/testing/replica-set.ts";
import { pod } from "../../src/testing/pod.ts";
import { ClusterState } from "./cluster-state.ts";

const put = (state: ClusterState, after: Pod) =>
  state.apply({ kind: "pods", key: `default/${after.metadata.name}`, before: undefined, after });
const namesOn = (state: ClusterState, node: string) =>
  state.podsByNode.in(node).map(({ metadata }) => metadata.name);

test("a Pod moves from the Pods without a node to those of its node", () => {
  const state = new ClusterState();
  put(state, pod("a", { node: null }));
  expect(namesOn(state, "")).toEqual(["a"]);
  put(state, pod("a", { node: "node-1" }));
  expect([namesOn(state, ""), namesOn(state, "node-1")]).toEqual([[], ["a"]]);
});

test("the Pods of a node are the same array until one of them changes", () => {
  const state = new ClusterState();
  put(state, pod("a", { node: "node-1" }));
  const before = state.podsByNode.in("node-1");
  put(state, pod("b", { node: "node-2" }));
  expect(state.podsByNode.in("node-1")).toBe(before);
  put(state, pod("a", { node: "node-1", ready: false }));
  expect(state.podsByNode.in("node-1")).not.toBe(before);
});

test("a copy has the same objects and changes by itself", () => {
  const state = new ClusterState();
  put(state, pod("a"));
  const copy = state.copy();
  put(state, pod("b"));
  expect([copy.objects.pods.length, state.objects.pods.length]).toEqual([1, 2]);
});

test("who owns ReplicaSets has another version only when one comes, goes or changes its owner", () => {
  const state = new ClusterState();
  const versions = [{}, { size: 3 }, { owner: "web" }, { owner: "web", size: 5 }].map((traits) => {
    const after = replicaSet("web-1", traits);
    state.apply({ kind: "replicaSets", key: "default/web-1", before: undefined, after });
    return state.ownersVersion;
  });
  expect(versions).toEqual([0, 0, 1, 1]);
});
