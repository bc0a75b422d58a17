// Which node a Pod may and should run on, and why: the published subpath `trimtab/decisions/placement`.

export {
  placePod,
  type PlacedBy,
  type Placement,
  type PlacementOptions,
  type PlacementOutcome,
} from "./place-pod.ts";
export { evaluateNodes, type Evaluation } from "./evaluate-nodes.ts";
export { admitPod } from "./admit-pod.ts";
export { blamedPlugins } from "./blamed-plugins.ts";
export { type ClusterObjects, type Snapshot, snapshotOf } from "./snapshot/snapshot.ts";
export { nodeInfo, type NodeInfo } from "./snapshot/node-info.ts";
export { podInfo, type PodInfo } from "./snapshot/pod-info.ts";
export { defaultPlugins, type PluginArgs } from "./default-plugins.ts";
export { type PluginSet, pluginSetOf, type WeightedPlugin } from "./plugin-set.ts";
export {
  fails,
  type Failure,
  fits,
  type PreFilterResult,
  type Plugin,
  type Refusal,
  type RefusalCode,
  rejects,
  type Scorer,
  unresolvable,
  unschedulable,
  type Verdict,
} from "./plugin.ts";
export type { Breakdown, RefusedNode, Rejection } from "./rejection.ts";
export type { PluginScore, ScoredNode, ScoreSheet } from "./score-nodes.ts";
export type { Draw } from "./choose-node.ts";
export type { DerivedSelector, SelectorSource } from "./derived-selector.ts";
export { explainPlacement, type PlacementExplanation } from "./explain-placement.ts";
export {
  describeConstraint,
  failedSchedulingMessage,
  describeSelection,
} from "../explain/placement-reason.ts";
