import type { Pod } from "../../api/generated/core-v1.ts";
import { removalReason } from "../../decisions/explain/removal-reason.ts";
import type { DecidedPod } from "../../decisions/downscale/reason.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import { type EventDraft, type EventRecorder, referenceTo } from "../../machinery/events/event-draft.ts";
import type { Resource } from "../../api/resource.ts";

/** What people are told about an owner's Pods, as events of the owner. */
export interface ReplicaEvents {
  created(pod: Pod): void;
  createFailed(message: string): void;
  deleted(victim: DecidedPod): void;
  deleteFailed(message: string): void;
}

/** Kubernetes' own words, followed by why a Pod had to go. */
export function replicaEventsOf(
  owner: ReplicaOwner,
  resource: Resource,
  events: EventRecorder,
): ReplicaEvents {
  const regarding = referenceTo(resource, owner);
  const note = (type: EventDraft["type"], reason: string, message: string) =>
    events.record({ regarding, type, reason, message });
  return {
    created: ({ metadata }) => note("Normal", "SuccessfulCreate", `Created pod: ${metadata.name}`),
    createFailed: (message) => note("Warning", "FailedCreate", `Error creating: ${message}`),
    deleted(victim) {
      const { name } = victim.pod.metadata;
      note("Normal", "SuccessfulDelete", `Deleted pod: ${name} (${removalReason(victim)})`);
    },
    deleteFailed: (message) => note("Warning", "FailedDelete", `Error deleting: ${message}`),
  };
}
