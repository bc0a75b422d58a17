import type { Node, Pod } from "../../../api/generated/core-v1.ts";
import { type AffinityTerm, matchesTerm } from "../../../decisions/placement/snapshot/affinity-term.ts";
import { podInfo, type PodInfo } from "../../../decisions/placement/snapshot/pod-info.ts";
import { labelOf } from "../../../decisions/placement/snapshot/reading.ts";
import type { Snapshot } from "../../../decisions/placement/snapshot/snapshot.ts";
import type { ObjectChange } from "../cluster-event.ts";
import { hints, type QueueingHints } from "./queueing-hints.ts";

/** A Pod the waiting one looks for, one it avoids or that avoids it and is gone, or a node of the right topology. */
export const interPodAffinityHints: QueueingHints = hints(
  ["Pod/Add", "Pod/UpdatePodLabel", "Pod/Delete", "Node/Add", "Node/UpdateNodeLabel"],
  (waiting, event, snapshot) => {
    switch (event.resource) {
      case "AssignedPod":
      case "UnscheduledPod":
        return podHelps(waiting, event, snapshot);
      case "Node":
        return nodeHelps(waiting, event);
      case "Service":
      case "ReplicaSet":
      case "StatefulSet":
      case "ReplicationController":
        return false;
    }
  },
);

function podHelps(waiting: PodInfo, { before, after }: ObjectChange<Pod>, snapshot: Snapshot): boolean {
  if (after?.metadata.uid === waiting.pod.metadata.uid) return true; // its own labels: its own terms may mean it
  const isAny = (terms: readonly AffinityTerm[], pod: Pod | undefined) =>
    pod !== undefined && means(terms, podInfo(pod), snapshot);
  const { affinity, antiAffinity } = waiting;
  const isNewlyNear = isAny(affinity.required, after) && !isAny(affinity.required, before);
  const isNoLongerFar = isAny(antiAffinity.required, before) && !isAny(antiAffinity.required, after);
  return isNewlyNear || isNoLongerFar || (after === undefined && wasHostile(waiting, before, snapshot));
}

function means(terms: readonly AffinityTerm[], pod: PodInfo, snapshot: Snapshot): boolean {
  const labels = snapshot.namespaceLabels(pod.namespace);
  return terms.some((term) => matchesTerm(term, pod, labels));
}

function wasHostile(waiting: PodInfo, gone: Pod | undefined, snapshot: Snapshot): boolean {
  return gone !== undefined && means(podInfo(gone).antiAffinity.required, waiting, snapshot);
}

/** Whether the node has come into a domain of one of the waiting Pod's terms, or changed it. */
function nodeHelps(waiting: PodInfo, { before, after }: ObjectChange<Node>): boolean {
  const { affinity, antiAffinity } = waiting;
  const domain = (node: Node | undefined, key: string) => labelOf(node?.metadata.labels, key);
  const keys = [...affinity.required, ...antiAffinity.required].map(({ topologyKey }) => topologyKey);
  // Refused by others' terms alone, any new node may be far enough from them.
  if (keys.length === 0) return true;
  const changed = keys.some((key) => domain(before, key) !== domain(after, key));
  const isInReach = affinity.required.every(({ topologyKey }) => domain(after, topologyKey) !== undefined);
  return changed ? isInReach : before === undefined && affinity.required.length === 0;
}
