import type { Node, Pod, Taint } from "../../../api/generated/core-v1.ts";
import { isTolerated } from "../../../decisions/placement/objects/toleration.ts";

/** The taints of a node that evict Pods. */
export function evictingTaints(node: Pick<Node, "spec"> | undefined): readonly Taint[] {
  const { taints } = node?.spec ?? {};
  return taints === undefined ? none : taints.filter(({ effect }) => effect === "NoExecute");
}

const none: readonly Taint[] = [];

/**
 * How long a Pod may stay on a node with these taints: not at all if it does not tolerate one of them, otherwise as long
 * as the toleration with the shortest time says; infinitely if none has a time.
 */
// upstream: tainteviction.getMinTolerationTime
export function evictionDelayMs({ spec }: Pick<Pod, "spec">, taints: readonly Taint[]): number {
  const { tolerations = [] } = spec;
  let shortest = Number.POSITIVE_INFINITY;
  for (const taint of taints) {
    const used = tolerations.find((toleration) => isTolerated(taint, [toleration]));
    if (used === undefined) return 0;
    const seconds = used.tolerationSeconds ?? Number.POSITIVE_INFINITY;
    shortest = Math.min(shortest, Math.max(0, seconds) * 1000);
  }
  return shortest;
}
