import { expect, test } from "vitest";
import { deployment } from "../../src/testing/deployment.ts";
import { ClusterState } from "../live/cluster-state.ts";
import { workloadNamed } from "./workloads.ts";

test.for([
  ["Deployment", true],
  ["StatefulSet", false],
  ["DaemonSet", false],
  ["constructor", false],
  ["__proto__", false],
] as const)("the workload %s default/web is found: %s", ([kind, isFound]) => {
  const state = new ClusterState();
  const change = { kind: "deployments", key: "default/web", before: undefined } as const;
  state.apply({ ...change, after: deployment("web", {}) });
  expect(workloadNamed({ kind, namespace: "default", name: "web" }, state) !== undefined).toBe(isFound);
});
