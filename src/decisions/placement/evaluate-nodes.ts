import type { Pod } from "../../api/generated/core-v1.ts";
import { runPreFilter } from "./run-pre-filter.ts";
import { podInfo } from "./snapshot/pod-info.ts";
import { findFeasibleNodes } from "./find-feasible-nodes.ts";
import type { PluginSet } from "./plugin-set.ts";
import type { Breakdown, RefusedNode, Rejection } from "./rejection.ts";
import { scoredNodes, type ScoredNode, scoreNodes } from "./score-nodes.ts";
import type { Snapshot } from "./snapshot/snapshot.ts";

/** What every node of a cluster would be worth to a Pod. */
export type Evaluation =
  | {
      readonly kind: "evaluated";
      readonly refused: readonly RefusedNode[];
      readonly scored: readonly ScoredNode[];
    }
  /** No node will do, whatever it is like. */
  | { readonly kind: "refused"; readonly rejection: Rejection }
  | { readonly kind: "failed"; readonly breakdown: Breakdown };

/**
 * Judges every node by itself and scores all that will do, even a single one: no sampling, no short cuts. Where to put
 * the Pod is `placePod`'s to say.
 */
export function evaluateNodes(pod: Pod, snapshot: Snapshot, lineup: PluginSet): Evaluation {
  const consideration = runPreFilter(podInfo(pod), snapshot, lineup);
  const { end } = consideration;
  if (end?.kind === "fails") return { kind: "failed", breakdown: end };
  if (end !== undefined) return { kind: "refused", rejection: end };
  const search = { start: 0, wanted: Infinity };
  const { feasible, refused, breakdown } = findFeasibleNodes(consideration, snapshot.nodes, search);
  if (breakdown !== undefined) return { kind: "failed", breakdown };
  const scoring = scoreNodes(consideration, feasible);
  return scoring.kind === "fails"
    ? { kind: "failed", breakdown: scoring }
    : { kind: "evaluated", refused, scored: scoredNodes(scoring) };
}
