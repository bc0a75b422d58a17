import type { RankedNode } from "./score-nodes.ts";

/** A whole number from 0 up to, but not including, the limit. */
export type Draw = (limit: number) => number;

/** The node chosen, and all that were as good. */
export interface Choice {
  readonly node: string;
  readonly total: number;
  /** Every node with the best total, in order; more than one, and the draw decided. */
  readonly best: readonly string[];
}

/**
 * Chooses the node with the best total. Among several, each is as likely as the others (reservoir sampling: the k-th
 * replaces the choice with a chance of 1 in k), so the same draws give the same node.
 */
export function chooseNode(nodes: readonly RankedNode[], draw: Draw): Choice | undefined {
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
