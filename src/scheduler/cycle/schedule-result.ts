import { failedSchedulingMessage } from "../../decisions/explain/placement-reason.ts";
import type { Placement } from "../../decisions/placement/place-pod.ts";

/** Why a Pod could not be placed, and who is to blame: nobody, when something broke or there are no nodes at all. */
export interface SchedulingFailure {
  /** As the condition says it. */
  readonly reason: "Unschedulable" | "SchedulerError";
  readonly message: string;
  readonly unschedulablePlugins: ReadonlySet<string>;
}

/** What a placement means for the Pod. */
export type ScheduleResult =
  | { readonly kind: "placed"; readonly node: string }
  | { readonly kind: "failed"; readonly failure: SchedulingFailure };

/** Reads a placement. */
export function scheduleResultOf(placement: Placement): ScheduleResult {
  const { outcome } = placement;
  if (outcome.kind === "placed") return { kind: "placed", node: outcome.node };
  const failure: SchedulingFailure = {
    reason: outcome.kind === "failed" ? "SchedulerError" : "Unschedulable",
    message: failedSchedulingMessage(placement) ?? "",
    unschedulablePlugins: blamedFor(placement),
  };
  return { kind: "failed", failure };
}

function blamedFor({ outcome, refused, leftOut }: Placement): ReadonlySet<string> {
  switch (outcome.kind) {
    case "refused":
      return new Set(outcome.rejection.plugins);
    case "unfit":
      return new Set([...refused.flatMap(({ rejection }) => rejection.plugins), ...(leftOut?.plugins ?? [])]);
    case "no-nodes":
    case "failed":
    case "placed":
      return new Set();
  }
}
