import { expect, test } from "vitest";
import { pod } from "../../src/testing/pod.ts";
import { ClusterState } from "../live/cluster-state.ts";
import { noFilter, type PodFilter, podFilter } from "./pod-filter.ts";

const owner = (name: string) => ({ apiVersion: "apps/v1", kind: "ReplicaSet", name });
const pods = [
  pod("web-1", { node: "node-1", owner: owner("web"), labels: { tier: "front" } }),
  pod("web-2", { node: "node-2", owner: owner("web"), ready: false }),
  pod("API-1", { node: "node-2", owner: owner("api"), labels: { constructor: "x" } }),
];

test.for<{ name: string; filter: Partial<PodFilter>; want: readonly string[] }>([
  { name: "nothing", filter: {}, want: ["web-1", "web-2", "API-1"] },
  { name: "a part of the name, in any case", filter: { text: "api" }, want: ["API-1"] },
  { name: "several words", filter: { text: " WEB-  node-2 " }, want: ["web-2"] },
  { name: "a label", filter: { text: "tier=front" }, want: ["web-1"] },
  { name: "a workload", filter: { workload: "ReplicaSet/default/web" }, want: ["web-1", "web-2"] },
  { name: "a state", filter: { state: "starting" }, want: ["web-2"] },
  { name: "what no Pod has", filter: { text: "(" }, want: [] },
])("a filter by $name", ({ filter, want }) => {
  const isShown = podFilter({ ...noFilter, ...filter }, new ClusterState());
  expect(pods.filter(isShown).map(({ metadata }) => metadata.name)).toEqual(want);
});
