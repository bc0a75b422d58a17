// The node a Pod is placed on, and why that one.

export { placePod, type Placement, type PlacementOptions, type PlacementOutcome } from "./place-pod.ts";
export { evaluateNodes, type Evaluation } from "./evaluate-nodes.ts";
export type { ClusterView } from "./view/cluster-view.ts";
export { clusterViewOf, type PlacementObjects } from "./view/list-view.ts";
export { defaultPlugins, type PluginArgs } from "./default-plugins.ts";
export { pluginSetOf, type PluginSet, type WeightedPlugin } from "./plugin-entry.ts";
export type { PluginFailure, Plugin, RefusedNode, Rejection } from "./plugin.ts";
export type { ScoredNode, ScoreSheet } from "./score-nodes.ts";
export { explainPlacement, type PlacementExplanation } from "./explain-placement.ts";
export { failedSchedulingMessage } from "../explain/placement-reason.ts";
export {
  toPlacementRecord,
  type PlacementDecision,
  type PlacementRecord,
} from "../explain/placement-record.ts";
