import { quotient } from "./arithmetic.ts";
import { type PluginFailure, fits, type Rejection } from "./plugin.ts";
import { RefusedNodeList } from "./refused-nodes.ts";
import type { PreFilterOutcome } from "./run-pre-filter.ts";
import type { NodeInfo } from "./objects/node-info.ts";

/** The index in the ring of nodes at which a search begins, and the number of feasible nodes at which it ends. */
export interface NodeSearch {
  readonly start: number;
  readonly wanted: number;
  /** Examines a node first, such as with the Pods that are nominated to it. */
  readonly precheck?: ((node: NodeInfo) => Rejection | PluginFailure | undefined) | undefined;
  /** To be filled with the feasible nodes, and with the others that were examined. */
  readonly feasible: NodeInfo[];
  readonly refused: RefusedNodeList;
}

/** The nodes a search examined, in the order in which it examined them. */
export interface FilterResult {
  readonly feasible: readonly NodeInfo[];
  readonly refused: RefusedNodeList;
  /** The failure that ended the search; what it found until then means nothing. */
  readonly breakdown?: PluginFailure;
}

/** Runs Filter on nodes, around the ring of those given, until enough are feasible. */
export function findFeasibleNodes(
  { filters }: Pick<PreFilterOutcome, "filters">,
  nodes: readonly NodeInfo[],
  { start, wanted, precheck, feasible, refused }: NodeSearch,
): FilterResult {
  let found = 0;
  let next = start % Math.max(nodes.length, 1);
  refused.clear();
  for (let count = 0; count < nodes.length && found < wanted; count++) {
    const node = nodes[next];
    next = next + 1 === nodes.length ? 0 : next + 1;
    if (node === undefined) continue;
    const verdict = precheck === undefined ? undefined : listIfRefused(node, precheck(node), refused);
    const examined = verdict ?? examine(node, filters, refused);
    if (examined === "passes") feasible[found++] = node;
    else if (examined !== "refused")
      return { feasible: feasible.slice(0, found), refused, breakdown: examined };
  }
  feasible.length = found;
  return { feasible, refused };
}

/** Lists a node that a precheck rejected. */
function listIfRefused(
  node: NodeInfo,
  verdict: Rejection | PluginFailure | undefined,
  refused: RefusedNodeList,
): "refused" | PluginFailure | undefined {
  if (verdict?.kind !== "rejects") return verdict;
  refused.add(node, verdict, verdict.plugins);
  return "refused";
}

/** Runs the filters on a node until one rejects it, and lists it then. */
function examine(
  node: NodeInfo,
  filters: PreFilterOutcome["filters"],
  refused: RefusedNodeList,
): "passes" | "refused" | PluginFailure {
  for (const { plugin, plugins, filter } of filters) {
    const verdict = filter(node);
    if (verdict === fits || verdict.kind === "fits") continue;
    if (verdict.kind === "fails") return { ...verdict, plugin, point: "Filter" };
    refused.add(node, verdict, plugins);
    return "refused";
  }
  return "passes";
}

/** The first rejection of a single node; the filters after it do not run. */
export function runFilters(
  node: NodeInfo,
  filters: PreFilterOutcome["filters"],
): Rejection | PluginFailure | undefined {
  const refused = new RefusedNodeList();
  const verdict = examine(node, filters, refused);
  if (verdict === "passes") return undefined;
  return verdict === "refused" ? refused.toArray()[0]?.rejection : verdict;
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
