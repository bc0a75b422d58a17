import type { Pod } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import { pods } from "../../api/resources.ts";
import { type EventNote, referenceTo } from "../../machinery/events/event-note.ts";

/** A Pod has its node. */
export function scheduledNote(pod: Pod, node: string): EventNote {
  return {
    regarding: referenceTo(pods, pod),
    type: "Normal",
    reason: "Scheduled",
    action: "Binding",
    message: `Successfully assigned ${keyOf(pod)} to ${node}`,
  };
}

/** A Pod has none, and why. */
export function failedNote(pod: Pod, message: string): EventNote {
  return {
    regarding: referenceTo(pods, pod),
    type: "Warning",
    reason: "FailedScheduling",
    action: "Scheduling",
    message,
  };
}
