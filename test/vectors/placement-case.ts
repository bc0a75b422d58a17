import type { ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Node, Pod, Service } from "../../src/api/generated/core-v1.ts";
import { defaultPlugins } from "../../src/decisions/placement/default-plugins.ts";
import { evaluateNodes } from "../../src/decisions/placement/evaluate-nodes.ts";
import { pluginSetOf, type WeightedPlugin } from "../../src/decisions/placement/plugin-entry.ts";
import type { PodTopologySpreadArgs } from "../../src/decisions/placement/pod-topology-spread/args.ts";
import { clusterViewOf } from "../../src/decisions/placement/view/list-view.ts";
import type { Check } from "./kinds.ts";
import { difference } from "./check-sizing.ts";

type ByNode<T> = Readonly<Record<string, T>>;

interface PlacementVector {
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  readonly services?: readonly Service[];
  readonly replicaSets?: readonly ReplicaSet[];
  readonly pod: Pod;
  readonly podTopologySpreadArgs: PodTopologySpreadArgs;
  readonly plugins: readonly string[];
  readonly infeasible: ByNode<string>;
  readonly feasible: readonly string[];
  readonly scores: ByNode<Readonly<Record<string, number>>>;
  readonly totals: ByNode<number>;
}

/** What every node is worth to the Pod, by the plugins of the case in their order. */
export const checkPlacement: Check = (vector) => {
  const { pod, plugins, podTopologySpreadArgs, ...given } = vector as PlacementVector;
  const inTree = defaultPlugins({ PodTopologySpread: podTopologySpreadArgs });
  const enabled = plugins.flatMap((name) => inTree.find(({ plugin }) => plugin.name === name) ?? []);
  const evaluation = evaluateNodes(pod, clusterViewOf(given), pluginSetOf(enabled));
  if (evaluation.kind !== "evaluated") return `nodes were not evaluated: ${JSON.stringify(evaluation)}`;

  const { refused, scored } = evaluation;
  const reasons = refused.map(({ node, rejection }) => [node, rejection.reasons.join("; ")]);
  const scores = scored.map(({ node, scores: ofNode }) => [
    node,
    Object.fromEntries(ofNode.map(({ plugin, normalized, weight }) => [plugin, normalized * weight])),
  ]);
  const totals = scored.map(({ node, total }) => [node, total]);
  return (
    difference("plugins", names(enabled), plugins) ??
    difference("infeasible", Object.fromEntries(reasons), given.infeasible) ??
    difference("feasible", scored.map(({ node }) => node).sort(), given.feasible) ??
    difference("scores", Object.fromEntries(scores), given.scores) ??
    difference("totals", Object.fromEntries(totals), given.totals)
  );
};

function names(plugins: readonly WeightedPlugin[]): readonly string[] {
  return plugins.map(({ plugin }) => plugin.name);
}
