import type { Node, Pod, Taint } from "../../../api/generated/core-v1.ts";
import { isTolerated } from "../../../decisions/placement/objects/toleration.ts";

/** Returns the taints of a node that evict Pods. */
export function evictingTaints(node: Pick<Node, "spec"> | undefined): readonly Taint[] {
  const { taints } = node?.spec ?? {};
  return taints === undefined ? none : taints.filter(({ effect }) => effect === "NoExecute");
}

const none: readonly Taint[] = [];

/**
 * Returns how long a Pod may stay on a node with these taints: 0 if it does not tolerate one of them, otherwise the
 * shortest time of its matching tolerations; infinite if none of them has a time.
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
