import type { Pod } from "../../api/generated/core-v1.ts";
import { type Choice, chooseNode, type Draw } from "./choose-node.ts";
import { type PreFilterOutcome, runPreFilter, leftOut } from "./run-pre-filter.ts";
import type { NodeInfo } from "./snapshot/node-info.ts";
import { podInfo } from "./snapshot/pod-info.ts";
import { findFeasibleNodes, type FilterResult } from "./find-feasible-nodes.ts";
import type { PluginSet } from "./plugin-set.ts";
import { feasibleNodesToFind } from "./node-sampling.ts";
import type { PluginState } from "./plugin.ts";
import type { Breakdown, RefusedNode, Rejection } from "./rejection.ts";
import { noScores, scoreNodes, type ScoreSheet } from "./score-nodes.ts";
import type { Snapshot } from "./snapshot/snapshot.ts";

/** How to place a Pod. */
export interface PlacementOptions {
  readonly pluginSet: PluginSet;
  /** Decides between equals; see `chooseNode`. */
  readonly draw: Draw;
  /** Where in the ring of nodes to begin: the `nextStart` of the placement before. */
  readonly start?: number;
  /** Which share of a large cluster to look for; 0 or nothing leaves it to the cluster's size. */
  readonly percentageOfNodesToScore?: number;
  /** A node to try before all others; if it will do, it is taken. */
  readonly nominatedNode?: string;
}

/** Where a Pod goes, or why nowhere, with everything that was found out on the way. */
export interface Placement {
  readonly pod: Pod;
  readonly outcome: PlacementOutcome;
  /** How many nodes there are. */
  readonly nodes: number;
  /** Those that were looked at and will not do. */
  readonly refused: readonly RefusedNode[];
  /** What is said of the nodes that were not looked at because they cannot do. */
  readonly leftOut?: Rejection;
  /** Those that will do, with their scores if there was anything to compare. */
  readonly feasible: readonly string[];
  readonly scored: ScoreSheet;
  /** How many nodes were looked at, and where the next placement should begin. */
  readonly examined: number;
  readonly nextStart: number;
  /** What opinions rest on, by plugin. */
  readonly pluginStates: ReadonlyMap<string, PluginState>;
}

export type PlacementOutcome =
  | { readonly kind: "placed"; readonly node: string; readonly by: PlacedBy }
  /** There is no node at all. */
  | { readonly kind: "no-nodes" }
  /** No node will do, whatever it is like. */
  | { readonly kind: "refused"; readonly rejection: Rejection }
  /** Every single node was refused. */
  | { readonly kind: "unfit" }
  | { readonly kind: "failed"; readonly breakdown: Breakdown };

/** What settled it: the nomination, the lack of another node, or the best total. */
export type PlacedBy =
  | { readonly kind: "nomination" }
  | { readonly kind: "only-node" }
  | ({ readonly kind: "score" } & Omit<Choice, "node">);

/** Finds the node for a Pod: considers it, filters nodes until enough will do, scores them and takes the best. */
export function placePod(pod: Pod, snapshot: Snapshot, options: PlacementOptions): Placement {
  const { start = 0, pluginSet } = options;
  const facts = podInfo(pod);
  const consideration = runPreFilter(facts, snapshot, pluginSet);
  const base = {
    pod,
    nodes: snapshot.nodes.length,
    refused: [],
    feasible: [],
    scored: noScores,
    examined: 0,
    nextStart: start,
    pluginStates: consideration.pluginStates,
  };
  if (snapshot.nodes.length === 0) return { ...base, outcome: { kind: "no-nodes" } };
  const { end } = consideration;
  if (end?.kind === "fails") return { ...base, outcome: { kind: "failed", breakdown: end } };
  if (end !== undefined) return { ...base, outcome: { kind: "refused", rejection: end } };

  const nominated = nominatedNode(consideration, snapshot, options.nominatedNode);
  if (nominated !== undefined) {
    const by: PlacedBy = { kind: "nomination" };
    return { ...base, outcome: { kind: "placed", node: nominated, by }, feasible: [nominated], examined: 1 };
  }
  const found = search(consideration, snapshot, options);
  const examined = found.feasible.length + found.refused.length;
  return {
    ...base,
    ...(consideration.narrowedNodes === undefined ? {} : { leftOut: leftOut(consideration.narrowedNodes) }),
    refused: found.refused,
    feasible: found.feasible.map(({ name }) => name),
    examined,
    nextStart: (start + examined) % snapshot.nodes.length,
    ...choose(found, consideration, options.draw),
  };
}

function nominatedNode(
  consideration: PreFilterOutcome,
  { nodes }: Snapshot,
  name: string | undefined,
): string | undefined {
  if (name === undefined) return undefined;
  const nominated = nodes.filter((node) => node.name === name && isWithin(consideration, node));
  return findFeasibleNodes(consideration, nominated, { start: 0, wanted: 1 }).feasible[0]?.name;
}

function isWithin({ narrowedNodes }: PreFilterOutcome, { name }: NodeInfo): boolean {
  return narrowedNodes === undefined || narrowedNodes.nodes.has(name);
}

function search(
  consideration: PreFilterOutcome,
  { nodes }: Snapshot,
  options: PlacementOptions,
): FilterResult {
  const { start = 0, percentageOfNodesToScore = 0, pluginSet } = options;
  const candidates =
    consideration.narrowedNodes === undefined ? nodes : nodes.filter((node) => isWithin(consideration, node));
  // Without anybody to compare nodes, the first that will do is as good as any.
  const wanted =
    pluginSet.scorers.length === 0 ? 1 : feasibleNodesToFind(candidates.length, percentageOfNodesToScore);
  return findFeasibleNodes(consideration, candidates, { start, wanted });
}

function choose(
  { feasible, breakdown }: FilterResult,
  consideration: PreFilterOutcome,
  draw: Draw,
): Pick<Placement, "outcome"> & Partial<Pick<Placement, "scored">> {
  if (breakdown !== undefined) return { outcome: { kind: "failed", breakdown } };
  const [first] = feasible;
  if (first === undefined) return { outcome: { kind: "unfit" } };
  if (feasible.length === 1) {
    return { outcome: { kind: "placed", node: first.name, by: { kind: "only-node" } } };
  }
  const scoring = scoreNodes(consideration, feasible);
  if (scoring.kind === "fails") return { outcome: { kind: "failed", breakdown: scoring } };
  const { node = first.name, ...choice } = chooseNode(scoring.nodes, draw) ?? { total: 0, best: [] };
  const by: PlacedBy = { kind: "score", ...choice };
  return { outcome: { kind: "placed", node, by }, scored: scoring };
}
