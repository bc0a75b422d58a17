import { isActive } from "../../api/pod-state.ts";
import type { Pod } from "../../api/generated/core-v1.ts";

/**
 * Counts the active Pods of a workload per node, and answers for any Pod how many share its node.
 *
 * `related` are the Pods that match the selector of any ReplicaSet of the same owner, or of the ReplicaSet itself when
 * it has none; a Pod that matches several counts once. Pods without a node share the node "".
 */
export function countPerNode(related: Iterable<Pod>): (pod: Pod) => number {
  const counts = new Map<string, number>();
  const seen = new Set<unknown>();
  for (const pod of related) {
    const identity = pod.metadata?.uid ?? pod;
    if (!isActive(pod) || seen.has(identity)) continue;
    seen.add(identity);
    counts.set(nodeOf(pod), (counts.get(nodeOf(pod)) ?? 0) + 1);
  }
  return (pod) => counts.get(nodeOf(pod)) ?? 0;
}

/** The node a Pod is assigned to, or "" for none. */
export function nodeOf(pod: Pod): string {
  return pod.spec?.nodeName ?? "";
}
