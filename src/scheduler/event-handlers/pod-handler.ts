import type { Pod } from "../../api/generated/core-v1.ts";
import { isTerminal } from "../../api/pod-state.ts";
import type { ResourceEventHandler } from "../../machinery/informer/informer.ts";
import { podUpdateActions } from "../queue/update-actions.ts";
import type { HandlerTargets } from "./handler-targets.ts";

/** What the scheduler has to do with a Pod. */
type Standing = "placed" | "waiting" | "foreign" | "over";

/** Pods that have a node take up room, others wait for one; those that have ended are as good as gone. */
export function podHandler({ cache, queue, isOurs }: HandlerTargets): ResourceEventHandler<Pod> {
  const standingOf = (pod: Pod | undefined): Standing => {
    if (pod === undefined || isTerminal(pod)) return "over";
    if (pod.spec.nodeName !== undefined) return "placed";
    return isOurs(pod) ? "waiting" : "foreign";
  };
  const change = (before: Pod | undefined, after: Pod | undefined): void => {
    switch (standingOf(after)) {
      case "placed":
        if (after !== undefined) becomePlaced(standingOf(before) === "placed" ? before : undefined, after);
        break;
      case "waiting":
        if (after !== undefined) keepWaiting(before, after);
        break;
      case "foreign":
        break;
      case "over":
        if (before !== undefined) leave(before);
        break;
    }
  };
  const becomePlaced = (before: Pod | undefined, after: Pod): void => {
    queue.delete(after.metadata.uid);
    cache.setPod(after);
    if (before === undefined) return queue.moveOnEvent({ resource: "AssignedPod", action: "Add", after });
    for (const action of podUpdateActions(before, after))
      queue.moveOnEvent({ resource: "AssignedPod", action, before, after });
  };
  const keepWaiting = (before: Pod | undefined, after: Pod): void => {
    if (!cache.isAssumed(after.metadata.uid)) {
      if (before === undefined) queue.add(after);
      else queue.update(before, after);
      return;
    }
    // It is being bound. Whatever else happens to it does not matter, but one that is to go takes up no room.
    const isGoing = (pod: Pod | undefined) => pod?.metadata.deletionTimestamp !== undefined;
    if (isGoing(after) && !isGoing(before)) leave(after);
  };
  const leave = (pod: Pod): void => {
    const { uid } = pod.metadata;
    // One that had ended already has given up before what it was promised.
    const isNominated = !isTerminal(pod) && (pod.status?.nominatedNodeName ?? "") !== "";
    queue.delete(uid);
    const gone = cache.removePod(uid) ?? (isNominated ? pod : undefined);
    if (gone !== undefined) queue.moveOnEvent({ resource: "AssignedPod", action: "Delete", before: gone });
  };
  return {
    added: (pod) => change(undefined, pod),
    updated: change,
    deleted: (pod) => change(pod, undefined),
  };
}
