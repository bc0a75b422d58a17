import type { ScoreSheet } from "./score-nodes.ts";

/** A whole number from 0 up to, but not including, the limit. */
export type DrawBelow = (limit: number) => number;

/** The chosen node, and all nodes with the same total. */
export interface NodeChoice {
  readonly node: string;
  readonly total: number;
  /** Every node with the best total, in order; the draw decides between several. */
  readonly best: readonly string[];
}

/**
 * Chooses the node with the best total. Several are equally likely (reservoir sampling: the k-th replaces the choice
 * with a chance of 1 in k, as upstream's selectHost), and the same draws give the same node. The best are listed in the
 * array given.
 */
export function chooseNode(
  { nodes, totals }: Omit<ScoreSheet, "columns">,
  draw: DrawBelow,
  best: string[] = [],
): NodeChoice | undefined {
  let node: string | undefined;
  let highest = -Infinity;
  let ties = 0;
  for (let index = 0; index < nodes.length; index++) {
    const total = totals[index] ?? 0;
    if (total < highest) continue;
    ties = total > highest ? 1 : ties + 1;
    highest = total;
    best[ties - 1] = nodes[index] ?? "";
    if (ties === 1 || draw(ties) === 0) node = nodes[index];
  }
  best.length = ties;
  return node === undefined ? undefined : { node, total: highest, best };
}
