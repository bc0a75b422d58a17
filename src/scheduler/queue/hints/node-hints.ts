import type { Node } from "../../../api/generated/core-v1.ts";
import { compileTerms, requiredNodes } from "../../../decisions/placement/facts/node-selector.ts";
import { nodeFacts, type NodeFacts } from "../../../decisions/placement/facts/node-facts.ts";
import type { PodFacts } from "../../../decisions/placement/facts/pod-facts.ts";
import {
  forbiddingTaint,
  isTolerated,
  tolerationsOf,
} from "../../../decisions/placement/facts/toleration.ts";
import type { NodeAffinityArgs } from "../../../decisions/placement/node-affinity/plugin.ts";
import type { ClusterEvent } from "../cluster-event.ts";
import { hints, type QueueingHints } from "./queueing-hints.ts";

/** Whether a node event turned a no into a yes. */
function becomes(event: ClusterEvent, isGood: (node: NodeFacts) => boolean): boolean {
  if (event.resource !== "Node" || event.after === undefined) return false;
  const judge = (node: Node | undefined) => node !== undefined && isGood(nodeFacts(node, []));
  return judge(event.after) && !judge(event.before);
}

function isOwn(waiting: PodFacts, event: ClusterEvent): boolean {
  const isPod = event.resource === "AssignedPod" || event.resource === "UnscheduledPod";
  return isPod && event.after?.metadata.uid === waiting.pod.metadata.uid;
}

const cordon = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };

/** A node that is there for everybody, or a Pod that does not mind. */
export const nodeUnschedulableHints: QueueingHints = hints(
  ["Node/Add", "Node/UpdateNodeTaint", "Pod/UpdatePodToleration"],
  (waiting, event) =>
    event.resource === "Node"
      ? becomes(event, ({ isUnschedulable }) => !isUnschedulable)
      : isOwn(waiting, event) && isTolerated(cordon, tolerationsOf(waiting)),
);

/** A node whose taints the Pod tolerates, or a Pod that tolerates more. */
export const taintTolerationHints: QueueingHints = hints(
  ["Node/Add", "Node/UpdateNodeTaint", "Pod/UpdatePodToleration"],
  (waiting, event) => {
    if (event.resource !== "Node") return isOwn(waiting, event);
    const tolerations = tolerationsOf(waiting);
    return becomes(event, ({ taints }) => forbiddingTaint(taints, tolerations) === undefined);
  },
);

/** A node that the Pod, and the operator for it, want. */
export function nodeAffinityHints({ addedAffinity }: NodeAffinityArgs = {}): QueueingHints {
  const added = addedAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const isAllowed = added === undefined ? () => true : compileTerms(added.nodeSelectorTerms);
  return hints(["Node/Add", "Node/UpdateNodeLabel"], (waiting, event) => {
    const isWanted = requiredNodes(waiting);
    return becomes(event, (node) => isAllowed(node) && isWanted(node));
  });
}

/** A node that was not there. */
export const nodeNameHints: QueueingHints = hints(["Node/Add"], () => true);

/** The last gate of a Pod that opens. */
export const schedulingGatesHints: QueueingHints = hints(
  ["Pod/UpdatePodSchedulingGatesEliminated"],
  (waiting, event) => isOwn(waiting, event),
);
