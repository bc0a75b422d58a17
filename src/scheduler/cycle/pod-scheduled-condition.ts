import { findCondition } from "../../api/conditions.ts";
import { deepEqual } from "../../api/deep-equal.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import { formatTime, type Instant } from "../../api/time.ts";
import type { SchedulingFailure } from "./schedule-result.ts";

const type = "PodScheduled";

/**
 * Returns the strategic merge patch that sets a Pod's PodScheduled condition to False and its nomination; `undefined`
 * when both are the same already. It contains the Pod's UID, so that it cannot change another Pod of the same name.
 */
export function conditionPatch(
  pod: Pod,
  failure: Pick<SchedulingFailure, "reason" | "message" | "nominatedNode">,
  now: Instant,
): JsonObject | undefined {
  const status = { ...conditionsOf(pod, failure, now), ...nominationOf(pod, failure) };
  if (Object.keys(status).length === 0) return undefined;
  return { metadata: { uid: pod.metadata.uid }, status };
}

function conditionsOf(
  pod: Pod,
  { reason, message }: Pick<SchedulingFailure, "reason" | "message">,
  now: Instant,
): JsonObject {
  const before = findCondition(pod.status?.conditions, type);
  const { generation } = pod.metadata;
  const condition = {
    type,
    status: "False",
    reason,
    message,
    ...(generation !== undefined && { observedGeneration: generation }),
  };
  if (deepEqual({ ...before, ...condition }, before)) return {};
  // lastTransitionTime changes with the status, not with the reason.
  const isTransition = before?.status !== condition.status;
  const dated = isTransition ? { ...condition, lastTransitionTime: formatTime(now) } : condition;
  return { conditions: [dated] };
}

function nominationOf(
  { status }: Pod,
  { nominatedNode }: Pick<SchedulingFailure, "nominatedNode">,
): JsonObject {
  if (nominatedNode === undefined || nominatedNode === status?.nominatedNodeName) return {};
  return { nominatedNodeName: nominatedNode };
}
