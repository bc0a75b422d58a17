import type { Pod, PodCondition } from "../../../api/generated/core-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import { pods } from "../../../api/resources.ts";
import { formatTime, type Instant } from "../../../api/time.ts";
import type { Client } from "../../../machinery/client/client.ts";

/** A change of a Pod's status. */
export interface PodStatusChange {
  /** Absent: it does not change. */
  readonly phase?: string;
  /** Merged by type. */
  readonly conditions: readonly PodCondition[];
  readonly signal: AbortSignal;
}

/** Writes parts of a Pod's status, unless the name now belongs to another Pod. */
export function patchPodStatus(
  client: Client,
  { metadata: { namespace, name, uid } }: Pod,
  { signal, ...status }: PodStatusChange,
): Promise<Pod> {
  const body = { metadata: { uid }, status } as unknown as JsonObject;
  return client.patch(pods, { namespace, name }, { type: "strategic", body, subresource: "status", signal });
}

/** Returns the condition of a Pod that a component is about to end. */
export function disruptionTarget(
  { metadata: { generation } }: Pod,
  { reason, message }: { readonly reason: string; readonly message: string },
  now: Instant,
): PodCondition {
  return {
    type: "DisruptionTarget",
    status: "True",
    reason,
    message,
    lastTransitionTime: formatTime(now),
    ...(generation !== undefined && { observedGeneration: generation }),
  };
}
