import type { NodeInfo } from "../snapshot/node-info.ts";
import { hasAffinity, type PodInfo } from "../snapshot/pod-info.ts";

/** The Pods of a node between whom and a Pod there may be a wish: most often none, since few Pods have any. */
export function neighboursOf(pod: PodInfo): (node: NodeInfo) => readonly PodInfo[] {
  return hasAffinity(pod) ? (node) => node.pods : (node) => node.podsWithAffinity;
}
