import type { Pod } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import { pods } from "../../api/resources.ts";
import { type EventDraft, referenceTo } from "../../machinery/events/event-draft.ts";

/** The event of a Pod that was scheduled. */
export function scheduledEvent(pod: Pod, node: string): EventDraft {
  return {
    regarding: referenceTo(pods, pod),
    type: "Normal",
    reason: "Scheduled",
    action: "Binding",
    message: `Successfully assigned ${keyOf(pod)} to ${node}`,
  };
}

/** The event of a Pod that could not be scheduled. */
export function failedSchedulingEvent(pod: Pod, message: string): EventDraft {
  return {
    regarding: referenceTo(pods, pod),
    type: "Warning",
    reason: "FailedScheduling",
    action: "Scheduling",
    message,
  };
}

/** The event of a Pod that has to leave its node for a more important one. */
export function preemptedEvent(
  victim: Pod,
  { pod, node }: { readonly pod: Pod; readonly node: string },
): EventDraft {
  return {
    regarding: referenceTo(pods, victim),
    related: referenceTo(pods, pod),
    type: "Normal",
    reason: "Preempted",
    action: "Preempting",
    message: `Preempted by pod ${pod.metadata.uid} on node ${node}`,
  };
}
