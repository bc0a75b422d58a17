import type { Pod } from "../../api/generated/core-v1.ts";
import { findFeasibleNodes } from "./find-feasible-nodes.ts";
import type { PluginFailure, RefusedNode, Rejection } from "./plugin.ts";
import type { PluginSet } from "./plugin-entry.ts";
import { RefusedNodeList } from "./refused-nodes.ts";
import { runPreFilter } from "./run-pre-filter.ts";
import { scoredNodes, type ScoredNode, scoreNodes } from "./score-nodes.ts";
import { podInfo } from "./objects/pod-info.ts";
import type { ClusterView } from "./view/cluster-view.ts";

/** The verdict on every node of a cluster for a Pod, and the scores of the feasible ones. */
export type Evaluation =
  | {
      readonly kind: "evaluated";
      readonly refused: readonly RefusedNode[];
      readonly scored: readonly ScoredNode[];
    }
  /** PreFilter rejected the Pod for every node. */
  | { readonly kind: "refused"; readonly rejection: Rejection }
  | { readonly kind: "failed"; readonly breakdown: PluginFailure };

/**
 * Filters every node by itself and scores all that are feasible, even a single one: no sampling and no nomination.
 * `placePod` chooses the node.
 */
export function evaluateNodes(pod: Pod, cluster: ClusterView, pluginSet: PluginSet): Evaluation {
  const info = podInfo(pod);
  const preFilter = runPreFilter(info, cluster, pluginSet);
  const { end } = preFilter;
  if (end?.kind === "fails") return { kind: "failed", breakdown: end };
  if (end !== undefined) return { kind: "refused", rejection: end };
  const search = { start: 0, wanted: Infinity, feasible: [], refused: new RefusedNodeList() };
  const { feasible, refused, breakdown } = findFeasibleNodes(preFilter, cluster.nodes, search);
  if (breakdown !== undefined) return { kind: "failed", breakdown };
  const scoring = scoreNodes({ pod: info, cluster, scorers: pluginSet.scorers }, feasible);
  return scoring.kind === "fails"
    ? { kind: "failed", breakdown: scoring }
    : { kind: "evaluated", refused: refused.toArray(), scored: scoredNodes(scoring) };
}
