import { quotient } from "./arithmetic.ts";
import { type Breakdown, fits, type Refusal, type RefusedNode, type Rejection } from "./plugin.ts";
import type { PreFilterOutcome } from "./run-pre-filter.ts";
import type { NodeInfo } from "./snapshot/node-info.ts";

/** The index in the ring of nodes at which a search begins, and the number of feasible nodes at which it ends. */
export interface NodeSearch {
  readonly start: number;
  readonly wanted: number;
  /** Examines a node first, such as with the Pods that are nominated to it. */
  readonly precheck?: (node: NodeInfo) => Rejection | Breakdown | undefined;
  /** The array to fill with the feasible nodes. */
  readonly feasible: NodeInfo[];
}

/** The nodes a search examined, in the order in which it examined them. */
export interface FilterResult {
  readonly feasible: readonly NodeInfo[];
  readonly refused: readonly RefusedNode[];
  /** The failure that ended the search; what it found until then means nothing. */
  readonly breakdown?: Breakdown;
}

/** Runs Filter on nodes, around the ring of those given, until enough are feasible. */
export function findFeasibleNodes(
  { filters }: Pick<PreFilterOutcome, "filters">,
  nodes: readonly NodeInfo[],
  { start, wanted, precheck, feasible }: NodeSearch,
): FilterResult {
  let found = 0;
  const refused: RefusedNode[] = [];
  const rejections: Rejections = new Map();
  let next = start % Math.max(nodes.length, 1);
  for (let count = 0; count < nodes.length && found < wanted; count++) {
    const node = nodes[next];
    next = next + 1 === nodes.length ? 0 : next + 1;
    if (node === undefined) continue;
    const verdict = precheck?.(node) ?? runFilters(node, filters, rejections);
    if (verdict === undefined) feasible[found++] = node;
    else if (verdict.kind === "rejects") refused.push({ node: node.name, rejection: verdict });
    else return { feasible: feasible.slice(0, found), refused, breakdown: verdict };
  }
  feasible.length = found;
  return { feasible, refused };
}

/** What was made of a refusal: most plugins give many nodes the same one. */
type Rejections = Map<Refusal, Rejection>;

/** The first rejection of a node; the filters after it do not run. */
export function runFilters(
  node: NodeInfo,
  filters: PreFilterOutcome["filters"],
  rejections: Rejections = new Map(),
): Rejection | Breakdown | undefined {
  for (const { plugin, filter } of filters) {
    const verdict = filter(node);
    if (verdict === fits || verdict.kind === "fits") continue;
    if (verdict.kind === "fails") return { ...verdict, plugin, point: "Filter" };
    const known = rejections.get(verdict);
    if (known?.plugins[0] === plugin) return known;
    const rejection = { ...verdict, plugins: [plugin] };
    rejections.set(verdict, rejection);
    return rejection;
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
