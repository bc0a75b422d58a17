import { quotient } from "../../src/decisions/placement/arithmetic.ts";
import type { PluginFailure, RefusedNode, Rejection } from "./plugin.ts";
import type { PreFilterOutcome } from "./run-pre-filter.ts";
import type { NodeInfo } from "./snapshot/node-info.ts";

/** The index in the ring of nodes at which a search begins, and the number of feasible nodes at which it ends. */
export interface NodeSearch {
  readonly start: number;
  readonly wanted: number;
}

/** The nodes a search examined, in the order in which it examined them. */
export interface FilterResult {
  readonly feasible: readonly NodeInfo[];
  readonly refused: readonly RefusedNode[];
  /** The failure that ended the search; what it found until then means nothing. */
  readonly breakdown?: PluginFailure;
}

/** Runs Filter on nodes, around the ring of those given, until enough are feasible. */
export function findFeasibleNodes(
  { filters }: Pick<PreFilterOutcome, "filters">,
  nodes: readonly NodeInfo[],
  { start, wanted }: NodeSearch,
): FilterResult {
  const feasible: NodeInfo[] = [];
  const refused: RefusedNode[] = [];
  for (let offset = 0; offset < nodes.length && feasible.length < wanted; offset++) {
    const node = nodes[(start + offset) % nodes.length];
    if (node === undefined) continue;
    const verdict = runFilters(node, filters);
    if (verdict?.kind === "fails") return { feasible, refused, breakdown: verdict };
    if (verdict === undefined) feasible.push(node);
    else refused.push({ node: node.name, rejection: verdict });
  }
  return { feasible, refused };
}

/** The first rejection of a node; the filters after it do not run. */
function runFilters(
  node: NodeInfo,
  filters: PreFilterOutcome["filters"],
): Rejection | PluginFailure | undefined {
  for (const { plugin, filter } of filters) {
    const verdict = filter(node);
    if (verdict.kind === "fails") return { ...verdict, plugin, point: "Filter" };
    if (verdict.kind === "rejects") return { ...verdict, plugins: [plugin] };
  }
  return undefined;
}

/** In a cluster with fewer nodes than this, all are examined. */
const minFeasibleNodes = 100;
const minPercentage = 5;

/**
 * The number of feasible nodes to look for among `nodes` (upstream: numFeasibleNodesToFind). 0 percent derives the
 * percentage from the size of the cluster.
 */
export function feasibleNodesToFind(nodes: number, percentageOfNodesToScore = 0): number {
  if (nodes < minFeasibleNodes) return nodes;
  const percentage = percentageOfNodesToScore > 0 ? percentageOfNodesToScore : adaptivePercentage(nodes);
  if (percentage >= 100) return nodes;
  return Math.max(quotient(nodes * percentage, 100), minFeasibleNodes);
}

/** Half of a small cluster, less of a larger one. */
function adaptivePercentage(nodes: number): number {
  return Math.max(50 - quotient(nodes, 125), minPercentage);
}
