import type { ScoreSheet } from "./score-nodes.ts";

/** A whole number from 0 up to, but not including, the limit. */
export type Draw = (limit: number) => number;

/** The chosen node, and all nodes with the same total. */
export interface Choice {
  readonly node: string;
  readonly total: number;
  /** Every node with the best total, in order; the draw decides between several. */
  readonly best: readonly string[];
}

/**
 * Chooses the node with the best total. Several are equally likely (reservoir sampling: the k-th replaces the choice
 * with a chance of 1 in k, as upstream's selectHost), and the same draws give the same node.
 */
export function chooseNode({ nodes, totals }: Omit<ScoreSheet, "columns">, draw: Draw): Choice | undefined {
  let choice: { readonly node: string; readonly total: number } | undefined;
  let best: string[] = [];
  for (let index = 0; index < nodes.length; index++) {
    const [node = "", total = 0] = [nodes[index], totals[index]];
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
