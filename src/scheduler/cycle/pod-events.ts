import type { Pod } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import { pods } from "../../api/resources.ts";
import { type EventDraft, referenceTo } from "../../machinery/events/event-draft.ts";

/** A Pod has its node. */
export function scheduledEvent(pod: Pod, node: string): EventDraft {
  return {
    regarding: referenceTo(pods, pod),
    type: "Normal",
    reason: "Scheduled",
    action: "Binding",
    message: `Successfully assigned ${keyOf(pod)} to ${node}`,
  };
}

/** A Pod has none, and why. */
export function failedSchedulingEvent(pod: Pod, message: string): EventDraft {
  return {
    regarding: referenceTo(pods, pod),
    type: "Warning",
    reason: "FailedScheduling",
    action: "Scheduling",
    message,
  };
}
