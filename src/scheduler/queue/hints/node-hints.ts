import type { Node } from "../../../api/generated/core-v1.ts";
import { compileTerms, requiredNodeAffinity } from "../../../decisions/placement/snapshot/node-selector.ts";
import { nodeInfo, type NodeInfo } from "../../../decisions/placement/snapshot/node-info.ts";
import type { PodInfo } from "../../../decisions/placement/snapshot/pod-info.ts";
import {
  findUntoleratedTaint,
  isTolerated,
  tolerationsOf,
} from "../../../decisions/placement/snapshot/toleration.ts";
import type { NodeAffinityArgs } from "../../../decisions/placement/node-affinity/plugin.ts";
import type { ClusterEvent } from "../cluster-event.ts";
import { hints, type QueueingHints } from "./queueing-hints.ts";

/** Whether a node event turned a no into a yes. */
function becomes(event: ClusterEvent, isGood: (node: NodeInfo) => boolean): boolean {
  if (event.resource !== "Node" || event.after === undefined) return false;
  const judge = (node: Node | undefined) => node !== undefined && isGood(nodeInfo(node, []));
  return judge(event.after) && !judge(event.before);
}

function isOwn(waiting: PodInfo, event: ClusterEvent): boolean {
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
    return becomes(event, ({ taints }) => findUntoleratedTaint(taints, tolerations) === undefined);
  },
);

/** A node that the Pod, and the operator for it, want. */
export function nodeAffinityHints({ addedAffinity }: NodeAffinityArgs = {}): QueueingHints {
  const added = addedAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const isAllowed = added === undefined ? () => true : compileTerms(added.nodeSelectorTerms);
  return hints(["Node/Add", "Node/UpdateNodeLabel"], (waiting, event) => {
    const isWanted = requiredNodeAffinity(waiting);
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
