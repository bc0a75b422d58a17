import { isActive } from "../../api/pod-state.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { finish, podsPerStep, type Steps } from "./steps.ts";

/**
 * Counts the active Pods of a workload per node, and answers for any Pod how many share its node.
 *
 * `related` are the Pods that match the selector of any ReplicaSet of the same owner, or of the ReplicaSet itself when
 * it has none; a Pod that matches several counts once. Pods without a node share the node "".
 */
export function countPerNode(related: Iterable<Pod>): (pod: Pod) => number {
  return finish(countPerNodeInSteps(distinct(related)));
}

/** Generator variant of `countPerNode`. No Pod may be given twice. */
export function* countPerNodeInSteps(related: Iterable<Pod>): Steps<(pod: Pod) => number> {
  const counts = new Map<string, number>();
  let seen = 0;
  for (const pod of related) {
    if (isActive(pod)) counts.set(nodeOf(pod), (counts.get(nodeOf(pod)) ?? 0) + 1);
    if (++seen % podsPerStep === 0) yield;
  }
  return (pod) => counts.get(nodeOf(pod)) ?? 0;
}

function* distinct(pods: Iterable<Pod>): Iterable<Pod> {
  const seen = new Set<unknown>();
  for (const pod of pods) {
    const identity = pod.metadata?.uid ?? pod;
    if (!seen.has(identity)) yield pod;
    seen.add(identity);
  }
}

/** The node a Pod is assigned to, or "" for none. */
export function nodeOf(pod: Pod): string {
  return pod.spec?.nodeName ?? "";
}
