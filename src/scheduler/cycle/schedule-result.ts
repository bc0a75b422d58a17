import { failedSchedulingMessage } from "../../decisions/explain/placement-reason.ts";
import { type Placement, unschedulablePlugins } from "../../decisions/placement/place-pod.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import { pods } from "../../api/resources.ts";
import { type EventDraft, referenceTo } from "../../machinery/events/event-draft.ts";

/** Why a Pod could not be placed, and the plugins that rejected it: none after an error or without any node. */
export interface SchedulingFailure {
  /** The reason of the PodScheduled condition. */
  readonly reason: "Unschedulable" | "SchedulerError";
  readonly message: string;
  readonly unschedulablePlugins: ReadonlySet<string>;
  /** The node that the Pod is nominated to from now on; `null`: no node any more; absent: as before. */
  readonly nominatedNode?: string | null;
}

/** The result of a placement for the Pod. */
export type ScheduleResult =
  | { readonly kind: "placed"; readonly node: string }
  | { readonly kind: "failed"; readonly failure: SchedulingFailure };

/** Derives the result from a placement. */
export function scheduleResultOf(placement: Placement): ScheduleResult {
  const { outcome } = placement;
  if (outcome.kind === "placed") return { kind: "placed", node: outcome.node };
  const failure: SchedulingFailure = {
    reason: outcome.kind === "failed" ? "SchedulerError" : "Unschedulable",
    message: failedSchedulingMessage(placement) ?? "",
    unschedulablePlugins: unschedulablePlugins(placement),
  };
  return { kind: "failed", failure };
}

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
