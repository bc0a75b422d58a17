import { expect, test } from "vitest";
import { decidedAt, type StateTraits } from "../daemon/daemon-state.cases.ts";
import { noObjects } from "./cluster-objects.ts";
import { daemonObjects } from "./daemon-objects.cases.ts";
import { daemonSetText } from "./daemon-set-text.ts";
import { explainDaemonSet } from "./explain-daemon-set.ts";

const workload = { kind: "DaemonSet", namespace: "default", name: "agent" } as const;

/** The lines of the explanation, without the spaces of the table. */
function explained(traits: StateTraits): readonly string[] {
  const explanation = explainDaemonSet(daemonObjects(traits), { workload, now: decidedAt });
  const text = explanation === undefined ? "" : daemonSetText(explanation);
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.replaceAll(/ +/g, " ").trim());
}

test("a rollout says which node holds it back, and what the others wait for", () => {
  expect(explained({ pods: "1n- 2o+ 3o+" })).toEqual([
    "DaemonSet default/agent: waiting, held back by 1.",
    "3 nodes should run a Pod, 2 available, 1 at the current revision; 1 node may be without one (maxUnavailable 1).",
    "NODE PODS NEXT WHY",
    "1 n1 wait new-not-available: n1, of the current revision, is not Ready",
    "2 o2 (old) wait budget: o2 is of an earlier revision; 1 node may be unavailable, 1 is",
    "3 o3 (old) wait budget: o3 is of an earlier revision; 1 node may be unavailable, 1 is",
  ]);
});

test("a node without a Pod says why", () => {
  const taints = [{ key: "dedicated", value: "gpu", effect: "NoSchedule" }];
  expect(
    explained({
      pods: "1n+",
      nodeTraits: { 1: { labels: { disk: "ssd" } }, 2: { labels: { disk: "ssd" }, taints } },
      set: { podSpec: { nodeSelector: { disk: "ssd" } } },
    }),
  ).toEqual([
    "DaemonSet default/agent: rolled out, nothing is left to do.",
    "1 node should run a Pod, 1 available, 1 at the current revision; 1 node may be without one (maxUnavailable 1).",
    "NODE PODS NEXT WHY",
    "1 n1 -",
    "2 - none it does not tolerate the taint dedicated=gpu:NoSchedule",
    "3 - none the node lacks the label disk=ssd of its node selector",
  ]);
});

test("what happens at once comes first", () => {
  expect(explained({ pods: "1n+ 2o+", set: { maxSurge: 1 } })).toEqual([
    "DaemonSet default/agent: in progress.",
    "3 nodes should run a Pod, 2 available, 1 at the current revision; 1 node may have a second Pod (maxSurge 1).",
    "NODE PODS NEXT WHY",
    "3 - create missing: the node has none",
    "1 n1 -",
    "2 o2 (old) - an earlier revision, replaced once every node has its Pod",
  ]);
});

test("a DaemonSet that is left alone says why", () => {
  expect(explained({ set: { selector: {} } })[0]).toBe(
    "DaemonSet default/agent: nothing happens, since its selector selects every Pod.",
  );
  expect(explained({ pods: "1o+ 2o+ 3n+", set: { strategy: "OnDelete" } })[0]).toBe(
    "DaemonSet default/agent: waiting for Pods to be deleted (OnDelete).",
  );
  expect(explainDaemonSet(noObjects, { workload, now: decidedAt })).toBeUndefined();
});

test("without the data of revisions, as in a snapshot, the newest is the current one", () => {
  const known = daemonObjects({ pods: "1n+ 2o+ 3n+" });
  const controllerRevisions = known.controllerRevisions.map(({ metadata, revision }) => ({
    metadata,
    revision,
  }));
  const objects = { ...known, controllerRevisions };
  expect(explainDaemonSet(objects, { workload, now: decidedAt })?.updated).toBe(2);
});
