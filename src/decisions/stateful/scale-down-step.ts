import { isBeingDeleted } from "../../api/object.ts";
import type { Batch, OrdinalActions, StatefulWait } from "./action.ts";
import { condemnedClaims } from "./replica-step.ts";
import { slowStartBatches } from "./slow-start.ts";
import { firstUnavailable, type OrdinalPod, type StatefulView } from "./view.ts";

/** What is done to the Pods out of range. */
export interface ScaleDownStep {
  readonly batches: readonly Batch[];
  /** Present when a set that keeps an order does no more in this pass. */
  readonly wait?: StatefulWait;
}

/** Removes Pods that are out of range, the highest ordinal first; all their claims are prepared before the first goes. */
export function scaleDownStep(view: StatefulView): ScaleDownStep {
  const { condemned, isOrdered } = view;
  if (condemned.length === 0) return { batches: [] };
  const claims = condemned.map((member) => condemnedClaims(view, member));
  if (!isOrdered) {
    const removals = condemned.map((member, place) => removal(view, member, condemned[place + 1]));
    const batches = [...slowStartBatches(claims), ...slowStartBatches(removals)];
    return { batches: batches.map((batch) => batch.filter(({ actions }) => actions.length > 0)) };
  }
  const inTurn = claims.filter(({ actions }) => actions.length > 0).map((actions) => [actions]);
  const [top, next] = condemned;
  if (top === undefined) return { batches: inTurn };
  const wait = waitToRemove(view, top);
  if (wait !== undefined) return { batches: inTurn, wait };
  return {
    batches: [...inTurn, [removal(view, top, next)]],
    wait: { kind: "deleted", ordinal: top.ordinal },
  };
}

function removal(
  { range }: StatefulView,
  { ordinal, pod }: OrdinalPod,
  next: OrdinalPod | undefined,
): OrdinalActions {
  if (isBeingDeleted(pod)) return { ordinal, actions: [] };
  const reason = { kind: "scaled-down", range, next: next?.ordinal } as const;
  return { ordinal, actions: [{ kind: "delete-pod", pod, reason }] };
}

/** An unhealthy Pod is removed only if no lower one is unhealthy: the lower one comes first. */
function waitToRemove(view: StatefulView, { ordinal, pod, health }: OrdinalPod): StatefulWait | undefined {
  if (isBeingDeleted(pod)) return { kind: "terminating", ordinal };
  if (health.kind === "available") return undefined;
  const first = firstUnavailable(view) ?? ordinal;
  return first === ordinal ? undefined : { kind: "unhealthy-condemned", ordinal, first };
}
