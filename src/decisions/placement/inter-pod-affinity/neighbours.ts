import type { NodeFacts } from "../facts/node-facts.ts";
import { hasAffinity, type PodFacts } from "../facts/pod-facts.ts";

/** The Pods of a node between whom and a Pod there may be a wish: most often none, since few Pods have any. */
export function neighboursOf(pod: PodFacts): (node: NodeFacts) => readonly PodFacts[] {
  return hasAffinity(pod) ? (node) => node.pods : (node) => node.podsWithAffinity;
}
