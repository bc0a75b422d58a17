import type { Node, Pod } from "../../../api/generated/core-v1.ts";
import { type AffinityTerm, matchesTerm } from "../objects/affinity-term.ts";
import { podInfo, type PodInfo } from "../objects/pod-info.ts";
import { labelOf } from "../objects/reading.ts";
import type { ClusterView } from "../view/cluster-view.ts";
import { type ObjectChange, type QueueingHints, templateHints } from "../cluster-event.ts";

/**
 * A Pod that begins to match affinity of the waiting Pod, one that ends a match of anti-affinity on either side, or a
 * node in a topology domain of its terms.
 */
export const interPodAffinityHints: QueueingHints = templateHints(
  ["Pod/Add", "Pod/UpdatePodLabel", "Pod/Delete", "Node/Add", "Node/UpdateNodeLabel"],
  (waiting, event, cluster) => {
    if (event.resource === "Node") return nodeHelps(waiting, event);
    const isPod = event.resource === "AssignedPod" || event.resource === "UnscheduledPod";
    return isPod && podHelps(waiting, event, cluster);
  },
);

function podHelps(waiting: PodInfo, { before, after }: ObjectChange<Pod>, cluster: ClusterView): boolean {
  if (after?.metadata.uid === waiting.pod.metadata.uid) return true; // its own terms may match its new labels
  const matchesAny = (terms: readonly AffinityTerm[], pod: Pod | undefined) =>
    pod !== undefined && anyMatches(terms, podInfo(pod), cluster);
  const affinity = waiting.affinity.required;
  const antiAffinity = waiting.antiAffinity.required;
  const beginsToMatch = matchesAny(affinity, after) && !matchesAny(affinity, before);
  const ceasesToMatch = matchesAny(antiAffinity, before) && !matchesAny(antiAffinity, after);
  return beginsToMatch || ceasesToMatch || (after === undefined && hadAntiAffinity(waiting, before, cluster));
}

function anyMatches(terms: readonly AffinityTerm[], pod: PodInfo, cluster: ClusterView): boolean {
  const labels = cluster.namespaceLabels(pod.namespace);
  return terms.some((term) => matchesTerm(term, pod, labels));
}

/** Whether a deleted Pod had anti-affinity to the waiting one. */
function hadAntiAffinity(waiting: PodInfo, deleted: Pod | undefined, cluster: ClusterView): boolean {
  return deleted !== undefined && anyMatches(podInfo(deleted).antiAffinity.required, waiting, cluster);
}

/** Whether the node was added to a topology domain of the waiting Pod's terms, or moved to another. */
function nodeHelps(waiting: PodInfo, { before, after }: ObjectChange<Node>): boolean {
  const { affinity, antiAffinity } = waiting;
  const domain = (node: Node | undefined, key: string) => labelOf(node?.metadata.labels, key);
  const keys = [...affinity.required, ...antiAffinity.required].map(({ topologyKey }) => topologyKey);
  // Rejected by the terms of existing Pods alone: any new node may be far enough from them.
  if (keys.length === 0) return true;
  const changed = keys.some((key) => domain(before, key) !== domain(after, key));
  const hasKeys = affinity.required.every(({ topologyKey }) => domain(after, topologyKey) !== undefined);
  return changed ? hasKeys : before === undefined && affinity.required.length === 0;
}
