import { expect, test } from "vitest";
import { deployment } from "../../src/testing/deployment.ts";
import { ClusterState } from "../live/cluster-state.ts";
import { pod } from "../../src/testing/pod.ts";
import { unrankedSentence, workloadNamed } from "./workloads.ts";

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

test.for([
  ["StatefulSet", "StatefulSet db removes the Pods with the highest ordinals first."],
  ["DaemonSet", "DaemonSet db removes it when its node should no longer run one."],
  ["Job", "No ReplicaSet or ReplicationController controls it: no scale-down removes it."],
] as const)("when a Pod of a %s would be removed: %s", ([kind, sentence]) => {
  expect(unrankedSentence(pod("db-0", { owner: { apiVersion: "apps/v1", kind, name: "db" } }))).toBe(
    sentence,
  );
});
