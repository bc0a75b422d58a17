import { expect, test } from "vitest";
import type { NodeSelectorTerm } from "../../api/generated/core-v1.ts";
import { node } from "../../testing/node.ts";
import { defaultPlugins } from "./default-plugins.ts";
import { evaluateNodes } from "./evaluate-nodes.ts";
import { pluginSetOf } from "./plugin-entry.ts";
import { waitingPod } from "./plugin-fixture.cases.ts";
import { clusterViewOf } from "./view/list-view.ts";

const pluginSet = pluginSetOf(defaultPlugins());
const cluster = clusterViewOf({ nodes: [node("a"), node("b", { unschedulable: true })] });

const pinned = (...lists: readonly (readonly string[])[]) => {
  const matchFields = lists.map((values) => ({ key: "metadata.name", operator: "In", values }));
  const nodeSelectorTerms: readonly NodeSelectorTerm[] = [{ matchFields }];
  return {
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
  };
};

test("every node is examined, and even a single feasible one is scored", () => {
  expect(evaluateNodes(waitingPod(), cluster, pluginSet)).toMatchObject({
    kind: "evaluated",
    refused: [{ node: "b", rejection: { plugins: ["NodeUnschedulable"] } }],
    scored: [{ node: "a", total: 397 }],
  });
});

test("nodes that affinity does not name are examined as well, each by itself", () => {
  expect(evaluateNodes(waitingPod({ spec: pinned(["z"]) }), cluster, pluginSet)).toMatchObject({
    kind: "evaluated",
    refused: [
      { node: "a", rejection: { reasons: ["node(s) didn't match Pod's node affinity/selector"] } },
      { node: "b", rejection: { reasons: ["node(s) were unschedulable"] } },
    ],
    scored: [],
  });
});

test("no node is examined when PreFilter rejects the Pod", () => {
  expect(evaluateNodes(waitingPod({ spec: pinned(["a"], ["b"]) }), cluster, pluginSet)).toMatchObject({
    kind: "refused",
    rejection: { plugins: ["NodeAffinity"], reasons: ["pod affinity terms conflict"] },
  });
});

test("a Pod that cannot be read is a failure of the plugin that reads it", () => {
  const labelSelector = { matchExpressions: [{ key: "app", operator: "Near" }] };
  const constraint = { maxSkew: 1, topologyKey: "zone", labelSelector };
  const soft = [{ ...constraint, whenUnsatisfiable: "ScheduleAnyway" }];
  const evaluation = evaluateNodes(
    waitingPod({ spec: { topologySpreadConstraints: soft } }),
    cluster,
    pluginSet,
  );
  expect(evaluation).toMatchObject({
    kind: "failed",
    breakdown: { plugin: "PodTopologySpread", point: "PreScore" },
  });
});
