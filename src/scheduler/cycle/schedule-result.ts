import { failedSchedulingMessage } from "../../decisions/explain/placement-reason.ts";
import { type Placement, unschedulablePlugins } from "../../decisions/placement/place-pod.ts";

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
