import { findCondition } from "../../api/conditions.ts";
import { deepEqual } from "../../api/deep-equal.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import { formatTime, type Instant } from "../../api/time.ts";
import type { SchedulingFailure } from "./schedule-result.ts";

const type = "PodScheduled";

/**
 * The strategic merge patch that makes a Pod's status say why it has no node; `undefined` when it says so already. It
 * names the Pod's UID, so that another Pod of the same name is not told.
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
  // The time is of the last change of the status, not of its reason.
  const isNews = before?.status !== condition.status;
  const dated = isNews ? { ...condition, lastTransitionTime: formatTime(now) } : condition;
  return { metadata: { uid: pod.metadata.uid }, status: { conditions: [dated] } };
}
