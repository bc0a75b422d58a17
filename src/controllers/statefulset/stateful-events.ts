import type { StatefulSet } from "../../api/generated/apps-v1.ts";
import { statefulSets } from "../../api/resources.ts";
import type { DeleteReason } from "../../decisions/stateful/action.ts";
import { statefulDeleteReason } from "../../decisions/explain/stateful-reason.ts";
import { type EventRecorder, referenceTo } from "../../machinery/events/event-draft.ts";

/** Records events of a StatefulSet about its Pods and claims. */
export interface StatefulEvents {
  created(pod: string): void;
  updated(pod: string): void;
  deleted(pod: string, reason: DeleteReason): void;
  failed(verb: "Create" | "Update" | "Delete", pod: string, message: string): void;
  claimCreated(claim: string, pod: string): void;
  claimFailed(claim: string, pod: string, message: string): void;
  conflicting(claim: string): void;
}

/** Uses the texts of kube-controller-manager; a deletion is followed by its reason. */
export function statefulEventsOf(set: StatefulSet, events: EventRecorder): StatefulEvents {
  const regarding = referenceTo(statefulSets, set);
  const where = `in StatefulSet ${set.metadata.name}`;
  const normal = (reason: string, message: string) =>
    events.record({ regarding, type: "Normal", reason, message });
  const warning = (reason: string, message: string) =>
    events.record({ regarding, type: "Warning", reason, message });
  return {
    created: (pod) => normal("SuccessfulCreate", `Create Pod ${pod} ${where} successful`),
    updated: (pod) => normal("SuccessfulUpdate", `Update Pod ${pod} ${where} successful`),
    deleted: (pod, reason) =>
      normal("SuccessfulDelete", `Delete Pod ${pod} ${where} successful (${statefulDeleteReason(reason)})`),
    failed: (verb, pod, message) =>
      warning(`Failed${verb}`, `${verb} Pod ${pod} ${where} failed error: ${message}`),
    claimCreated: (claim, pod) =>
      normal("SuccessfulCreate", `Create Claim ${claim} Pod ${pod} ${where} success`),
    claimFailed: (claim, pod, message) =>
      warning("FailedCreate", `Create Claim ${claim} for Pod ${pod} ${where} failed error: ${message}`),
    conflicting: (claim) =>
      warning(
        "ConflictingController",
        `PersistentVolumeClaim ${claim} has a conflicting OwnerReference that acts as a manging controller, ` +
          "the retention policy is ignored for this claim",
      ),
  };
}
