import { findCondition } from "../../api/conditions.ts";
import { deepEqual } from "../../api/deep-equal.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import { formatTime, type Instant } from "../../api/time.ts";
import type { SchedulingFailure } from "./schedule-result.ts";

const type = "PodScheduled";

/**
 * The strategic merge patch that sets a Pod's PodScheduled condition to False; `undefined` when the condition is the
 * same already. It contains the Pod's UID, so that it cannot change another Pod of the same name.
 */
export function conditionPatch(
  pod: Pod,
  { reason, message }: Pick<SchedulingFailure, "reason" | "message">,
  now: Instant,
): JsonObject | undefined {
  const before = findCondition(pod.status?.conditions, type);
  const { generation } = pod.metadata;
  const condition = {
    type,
    status: "False",
    reason,
    message,
    ...(generation !== undefined && { observedGeneration: generation }),
  };
  if (deepEqual({ ...before, ...condition }, before)) return undefined;
  // lastTransitionTime changes with the status, not with the reason.
  const isTransition = before?.status !== condition.status;
  const dated = isTransition ? { ...condition, lastTransitionTime: formatTime(now) } : condition;
  return { metadata: { uid: pod.metadata.uid }, status: { conditions: [dated] } };
}
