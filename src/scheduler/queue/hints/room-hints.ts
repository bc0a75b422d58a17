import type { Node, Pod } from "../../../api/generated/core-v1.ts";
import { amountOf } from "../../../decisions/placement/snapshot/amounts.ts";
import { portsConflict, hostPortsOf } from "../../../decisions/placement/snapshot/host-port.ts";
import { nodeInfo } from "../../../decisions/placement/snapshot/node-info.ts";
import { podInfo, type PodInfo } from "../../../decisions/placement/snapshot/pod-info.ts";
import { fitFilter, type IgnoredResources } from "../../../decisions/placement/node-resources-fit/filter.ts";
import type { ObjectChange } from "../cluster-event.ts";
import { hints, type QueueingHints } from "./queueing-hints.ts";

/** A Pod that gives up a port, or a node where all are free. */
export const nodePortsHints: QueueingHints = hints(["Pod/Delete", "Node/Add"], (waiting, event) => {
  if (event.resource === "Node") return true;
  if (event.resource !== "AssignedPod" || event.before === undefined) return false;
  const freed = hostPortsOf(event.before);
  return waiting.hostPorts.some((wanted) => freed.some((port) => portsConflict(wanted, port)));
});

/** A Pod that makes room, a Pod that needs less of it, or a node with room enough for it alone. */
export function nodeResourcesFitHints(ignored: IgnoredResources = {}): QueueingHints {
  return hints(
    ["Pod/Delete", "Pod/UpdatePodScaleDown", "Node/Add", "Node/UpdateNodeAllocatable"],
    (waiting, event) => {
      switch (event.resource) {
        case "AssignedPod":
        case "UnscheduledPod":
          return frees(waiting, event);
        case "Node":
          return event.after !== undefined && offers(waiting, event, ignored);
        case "Service":
        case "ReplicaSet":
        case "StatefulSet":
        case "ReplicationController":
          return false;
      }
    },
  );
}

/** Whether a Pod that is gone, or now requests less, leaves something; or the waiting one itself wants less. */
function frees(waiting: PodInfo, { before, after }: ObjectChange<Pod>): boolean {
  if (after?.metadata.uid === waiting.pod.metadata.uid) return true;
  if (before === undefined) return false;
  if (after === undefined) return (before.spec.nodeName ?? before.status?.nominatedNodeName ?? "") !== "";
  const [old, now] = [podInfo(before).request, podInfo(after).request];
  return [...waiting.request].some(
    ([name, wanted]) => wanted > 0 && amountOf(now, name) < amountOf(old, name),
  );
}

/** Whether the waiting Pod fits an empty node like this one, and something it wants has grown. */
function offers(waiting: PodInfo, { before, after }: ObjectChange<Node>, ignored: IgnoredResources): boolean {
  if (after === undefined) return false;
  const now = nodeInfo(after, []);
  if (fitFilter(waiting, ignored)(now).kind !== "fits") return false;
  if (before === undefined) return true;
  const old = nodeInfo(before, []);
  if (now.allowedPods > old.allowedPods) return true;
  return [...waiting.request].some(
    ([name, wanted]) => wanted > 0 && amountOf(now.allocatable, name) > amountOf(old.allocatable, name),
  );
}
