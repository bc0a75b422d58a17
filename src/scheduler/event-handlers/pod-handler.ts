import type { Pod } from "../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { isTerminal } from "../../api/pod-state.ts";
import type { ResourceEventHandler } from "../../machinery/informer/informer.ts";
import { nominationOf, type NominatedPods } from "../nominated-pods.ts";
import { podUpdateActions } from "../queue/update-actions.ts";
import type { SchedulerCache } from "../cache/scheduler-cache.ts";
import type { SchedulingQueue } from "../queue/scheduling-queue.ts";

/** What a Pod is to the scheduler. */
type PodRole = "assigned" | "unscheduled" | "foreign" | "gone";

/** Assigned Pods go to the cache, unscheduled ones to the queue; a Pod in a terminal phase counts as deleted. */
export function podHandler(targets: HandlerTargets): ResourceEventHandler<Pod> {
  const { cache, queue, nominated, podGone, isResponsibleFor } = targets;
  const roleOf = (pod: Pod | undefined): PodRole => {
    if (pod === undefined || isTerminal(pod)) return "gone";
    if (pod.spec.nodeName !== undefined) return "assigned";
    return isResponsibleFor(pod) ? "unscheduled" : "foreign";
  };
  const handle = (before: Pod | undefined, after: Pod | undefined): void => {
    switch (roleOf(after)) {
      case "assigned":
        if (after !== undefined) handleAssigned(roleOf(before) === "assigned" ? before : undefined, after);
        break;
      case "unscheduled":
        if (after !== undefined) handleUnscheduled(before, after);
        break;
      case "foreign":
        break;
      case "gone":
        if (before !== undefined) handleGone(before);
        break;
    }
  };
  const handleAssigned = (before: Pod | undefined, after: Pod): void => {
    queue.delete(after.metadata.uid);
    nominated.delete(after.metadata.uid);
    cache.setPod(after);
    if (before === undefined) return queue.moveOnEvent({ resource: "AssignedPod", action: "Add", after });
    for (const action of podUpdateActions(before, after))
      queue.moveOnEvent({ resource: "AssignedPod", action, before, after });
  };
  const handleUnscheduled = (before: Pod | undefined, after: Pod): void => {
    if (!cache.isAssumed(after.metadata.uid)) {
      nominated.follow(before, after);
      if (before === undefined) queue.add(after);
      else queue.update(before, after);
      // It no longer takes up resources of the node it was nominated to.
      if (before !== undefined && !["", nominationOf(after)].includes(nominationOf(before)))
        queue.moveOnEvent({ resource: "AssignedPod", action: "Delete", before });
      return;
    }
    // It is being bound. No update matters but a deletion: then it takes up no resources.
    const wasBeingDeleted = before !== undefined && isBeingDeleted(before);
    if (isBeingDeleted(after) && !wasBeingDeleted) handleGone(after);
  };
  const handleGone = (pod: Pod): void => {
    const { uid } = pod.metadata;
    // A Pod that was in a terminal phase already has released its nomination before.
    const isNominated = !isTerminal(pod) && nominationOf(pod) !== "";
    queue.delete(uid);
    nominated.delete(uid);
    podGone?.(uid);
    const gone = cache.removePod(uid) ?? (isNominated ? pod : undefined);
    if (gone !== undefined) queue.moveOnEvent({ resource: "AssignedPod", action: "Delete", before: gone });
  };
  return {
    added: (pod) => handle(undefined, pod),
    updated: handle,
    deleted: (pod) => handle(pod, undefined),
  };
}

/** What event handlers update. */
export interface HandlerTargets {
  readonly cache: SchedulerCache;
  readonly queue: SchedulingQueue;
  readonly nominated: NominatedPods;
  /** Called for every Pod that is gone. */
  readonly podGone?: (uid: string) => void;
  /** Whether a profile of this scheduler is responsible for a Pod. */
  readonly isResponsibleFor: (pod: Pod) => boolean;
}
