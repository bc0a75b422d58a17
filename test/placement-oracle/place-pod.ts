import type { Pod } from "../../src/api/generated/core-v1.ts";
import { feasibleNodesToFind, type FilterResult, findFeasibleNodes } from "./find-feasible-nodes.ts";
import type { PluginFailure, PluginState, RefusedNode, Rejection } from "./plugin.ts";
import type { PluginSet } from "./plugin-set.ts";
import { type PreFilterOutcome, rejectionOfExcluded, runPreFilter } from "./run-pre-filter.ts";
import {
  noScores,
  scoreNodes,
  type ScoreSheet,
  type ScoringContext,
  type RankedNode,
} from "./score-nodes.ts";
import type { NodeInfo } from "./snapshot/node-info.ts";
import { podInfo } from "./snapshot/pod-info.ts";
import type { Snapshot } from "./snapshot/snapshot.ts";

/** How to place a Pod. */
export interface PlacementOptions {
  readonly pluginSet: PluginSet;
  /** Breaks ties; see `chooseNode`. */
  readonly draw: Draw;
  /** The index in the ring of nodes at which to begin: the `nextStart` of the previous placement. */
  readonly start?: number;
  /** 0 or absent derives the percentage from the size of the cluster. */
  readonly percentageOfNodesToScore?: number;
  /** The node the Pod was nominated to: it is examined first and taken if it is feasible. */
  readonly nominatedNode?: string;
}

/** The node of a Pod, or why there is none, with everything that was found out on the way. */
export interface Placement {
  readonly pod: Pod;
  readonly outcome: PlacementOutcome;
  /** The number of nodes in the cluster. */
  readonly nodes: number;
  /** The nodes that were examined and rejected. */
  readonly refused: readonly RefusedNode[];
  /** The rejection of the nodes that PreFilter excluded, which were not examined. */
  readonly leftOut?: Rejection;
  /** The nodes that passed every filter; they are scored when there are several. */
  readonly feasible: readonly string[];
  readonly scored: ScoreSheet;
  /** The number of nodes that were examined, and the index at which the next placement should begin. */
  readonly examined: number;
  readonly nextStart: number;
  /** What decisions rest on, by plugin. */
  readonly pluginStates: ReadonlyMap<string, PluginState>;
}

export type PlacementOutcome =
  | { readonly kind: "placed"; readonly node: string; readonly by: PlacedBy }
  /** The cluster has no nodes. */
  | { readonly kind: "no-nodes" }
  /** PreFilter rejected the Pod for every node. */
  | { readonly kind: "refused"; readonly rejection: Rejection }
  /** Every node was rejected. */
  | { readonly kind: "unfit" }
  | { readonly kind: "failed"; readonly breakdown: PluginFailure };

/** What decided for the node: the nomination, the lack of another feasible node, or the best total score. */
export type PlacedBy =
  | { readonly kind: "nomination" }
  | { readonly kind: "only-node" }
  | ({ readonly kind: "score" } & Omit<Choice, "node">);

/** Finds the node for a Pod: filters nodes until enough are feasible, scores them and chooses the best. */
export function placePod(pod: Pod, snapshot: Snapshot, options: PlacementOptions): Placement {
  const { start = 0, pluginSet } = options;
  const info = podInfo(pod);
  const preFilter = runPreFilter(info, snapshot, pluginSet);
  const base = {
    pod,
    nodes: snapshot.nodes.length,
    refused: [],
    feasible: [],
    scored: noScores,
    examined: 0,
    nextStart: start,
    pluginStates: preFilter.pluginStates,
  };
  if (snapshot.nodes.length === 0) return { ...base, outcome: { kind: "no-nodes" } };
  const { end } = preFilter;
  if (end?.kind === "fails") return { ...base, outcome: { kind: "failed", breakdown: end } };
  if (end !== undefined) return { ...base, outcome: { kind: "refused", rejection: end } };

  const nominated = feasibleNominatedNode(preFilter, snapshot, options.nominatedNode);
  if (nominated !== undefined) {
    const by: PlacedBy = { kind: "nomination" };
    return { ...base, outcome: { kind: "placed", node: nominated, by }, feasible: [nominated], examined: 1 };
  }
  const found = search(preFilter, snapshot, options);
  const examined = found.feasible.length + found.refused.length;
  const { narrowedNodes } = preFilter;
  return {
    ...base,
    ...(narrowedNodes === undefined ? {} : { leftOut: rejectionOfExcluded(narrowedNodes) }),
    refused: found.refused,
    feasible: found.feasible.map(({ name }) => name),
    examined,
    nextStart: (start + examined) % snapshot.nodes.length,
    ...choose(found, { pod: info, snapshot, scorers: pluginSet.scorers }, options.draw),
  };
}

function feasibleNominatedNode(
  preFilter: PreFilterOutcome,
  { nodes }: Snapshot,
  name: string | undefined,
): string | undefined {
  if (name === undefined) return undefined;
  const nominated = nodes.filter((node) => node.name === name && isWithin(preFilter, node));
  return findFeasibleNodes(preFilter, nominated, { start: 0, wanted: 1 }).feasible[0]?.name;
}

function isWithin({ narrowedNodes }: PreFilterOutcome, { name }: NodeInfo): boolean {
  return narrowedNodes === undefined || narrowedNodes.nodes.has(name);
}

function search(preFilter: PreFilterOutcome, { nodes }: Snapshot, options: PlacementOptions): FilterResult {
  const { start = 0, percentageOfNodesToScore = 0, pluginSet } = options;
  const candidates =
    preFilter.narrowedNodes === undefined ? nodes : nodes.filter((node) => isWithin(preFilter, node));
  // Without a plugin that scores, the first feasible node is as good as any.
  const wanted =
    pluginSet.scorers.length === 0 ? 1 : feasibleNodesToFind(candidates.length, percentageOfNodesToScore);
  return findFeasibleNodes(preFilter, candidates, { start, wanted });
}

function choose(
  { feasible, breakdown }: FilterResult,
  context: ScoringContext,
  draw: Draw,
): Pick<Placement, "outcome"> & Partial<Pick<Placement, "scored">> {
  if (breakdown !== undefined) return { outcome: { kind: "failed", breakdown } };
  const [first] = feasible;
  if (first === undefined) return { outcome: { kind: "unfit" } };
  if (feasible.length === 1) {
    return { outcome: { kind: "placed", node: first.name, by: { kind: "only-node" } } };
  }
  const scoring = scoreNodes(context, feasible);
  if (scoring.kind === "fails") return { outcome: { kind: "failed", breakdown: scoring } };
  const { node = first.name, ...choice } = chooseNode(scoring.nodes, draw) ?? { total: 0, best: [] };
  const by: PlacedBy = { kind: "score", ...choice };
  return { outcome: { kind: "placed", node, by }, scored: scoring };
}

/** A whole number from 0 up to, but not including, the limit. */
type Draw = (limit: number) => number;

/** The chosen node, and all nodes with the same total. */
interface Choice {
  readonly node: string;
  readonly total: number;
  /** Every node with the best total, in order; the draw decides between several. */
  readonly best: readonly string[];
}

/**
 * Chooses the node with the best total. Several are equally likely (reservoir sampling: the k-th replaces the choice
 * with a chance of 1 in k, as upstream's selectHost), and the same draws give the same node.
 */
function chooseNode(nodes: readonly RankedNode[], draw: Draw): Choice | undefined {
  let choice: { readonly node: string; readonly total: number } | undefined;
  let best: string[] = [];
  for (const { node, total } of nodes) {
    if (choice === undefined || total > choice.total) {
      choice = { node, total };
      best = [node];
    } else if (total === choice.total) {
      best.push(node);
      if (draw(best.length) === 0) choice = { node, total };
    }
  }
  return choice === undefined ? undefined : { ...choice, best };
}
