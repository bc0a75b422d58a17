import type { PreFilterOutcome } from "./run-pre-filter.ts";
import type { NodeInfo } from "./snapshot/node-info.ts";
import type { Breakdown, RefusedNode, Rejection } from "./rejection.ts";

/** How far to look: from which place in the ring of nodes, and until how many are found. */
export interface Search {
  readonly start: number;
  readonly wanted: number;
}

/** What a search found, in the order in which it looked. */
export interface FilterResult {
  readonly feasible: readonly NodeInfo[];
  readonly refused: readonly RefusedNode[];
  /** Why it stopped short; what was found until then means nothing. */
  readonly breakdown?: Breakdown;
}

/** Looks for nodes that will do, around the ring of those given (Filter). */
export function findFeasibleNodes(
  { filters }: Pick<PreFilterOutcome, "filters">,
  nodes: readonly NodeInfo[],
  { start, wanted }: Search,
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

/** The first no a node gets; it ends the examination, and nobody else is blamed. */
function runFilters(node: NodeInfo, filters: PreFilterOutcome["filters"]): Rejection | Breakdown | undefined {
  for (const { plugin, filter } of filters) {
    const verdict = filter(node);
    if (verdict.kind === "fails") return { ...verdict, plugin, point: "Filter" };
    if (verdict.kind === "rejects") return { ...verdict, plugins: [plugin] };
  }
  return undefined;
}
