import type { Node, Pod } from "../../../api/generated/core-v1.ts";
import { resourceAmount } from "../objects/amounts.ts";
import { describeNode } from "../objects/node-info.ts";
import { podInfo, type PodInfo } from "../objects/pod-info.ts";
import { fitsWhenEmpty, type IgnoredResources } from "./filter.ts";
import { type ObjectChange, type QueueingHints, templateHints } from "../cluster-event.ts";

/** A Pod that releases resources or requests less, or a node that has enough for the waiting Pod when empty. */
export function nodeResourcesFitHints(ignored: IgnoredResources): QueueingHints {
  return templateHints(
    ["Pod/Delete", "Pod/UpdatePodScaleDown", "Node/Add", "Node/UpdateNodeAllocatable"],
    (waiting, event) => {
      if (event.resource === "Node") return event.after !== undefined && offers(waiting, event, ignored);
      const isPod = event.resource === "AssignedPod" || event.resource === "UnscheduledPod";
      return isPod && releases(waiting, event);
    },
  );
}

/** Whether an assigned Pod was deleted or requests less of what is wanted, or the waiting Pod itself changed. */
function releases(waiting: PodInfo, { before, after }: ObjectChange<Pod>): boolean {
  if (after?.metadata.uid === waiting.pod.metadata.uid) return true;
  if (before === undefined) return false;
  if (after === undefined) return (before.spec.nodeName ?? before.status?.nominatedNodeName ?? "") !== "";
  const [old, now] = [podInfo(before).request, podInfo(after).request];
  return [...waiting.request].some(
    ([name, wanted]) => wanted > 0 && resourceAmount(now, name) < resourceAmount(old, name),
  );
}

/** Whether the waiting Pod fits the node when empty, and the node has grown in something the Pod requests. */
function offers(waiting: PodInfo, { before, after }: ObjectChange<Node>, ignored: IgnoredResources): boolean {
  if (after === undefined) return false;
  const now = describeNode(after);
  if (!fitsWhenEmpty(waiting, now, ignored)) return false;
  if (before === undefined) return true;
  const old = describeNode(before);
  if (now.allowedPods > old.allowedPods) return true;
  return [...waiting.request].some(
    ([name, wanted]) =>
      wanted > 0 && resourceAmount(now.allocatable, name) > resourceAmount(old.allocatable, name),
  );
}
