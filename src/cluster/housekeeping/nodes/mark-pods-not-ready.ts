import { findCondition } from "../../../api/conditions.ts";
import type { Pod } from "../../../api/generated/core-v1.ts";
import { isReady, isTerminal } from "../../../api/pod-state.ts";
import { pods as podResource } from "../../../api/resources.ts";
import { formatTime } from "../../../api/time.ts";
import { isNotFound, isUidMismatch } from "../../../machinery/client/api-error.ts";
import type { Client } from "../../../machinery/client/client.ts";
import type { Clock } from "../../../machinery/clock/clock.ts";
import { type EventRecorder, referenceTo } from "../../../machinery/events/event-draft.ts";
import type { Informer } from "../../../machinery/informer/informer.ts";
import { podsOnNode } from "../../kubelet/pods-by-node.ts";
import { patchPodStatus } from "./patch-pod-status.ts";

interface Dependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly pods: Informer<Pod>;
  readonly events: EventRecorder;
}

/**
 * Marks the Pods of a node that is not ready as not ready, so that no traffic reaches them; their kubelet cannot do it.
 */
export async function markPodsNotReady(
  node: string,
  { client, clock, pods, events }: Dependencies,
  signal: AbortSignal,
): Promise<void> {
  for (const pod of podsOnNode(pods, node)) {
    if (!isReady(pod) || isTerminal(pod)) continue;
    const ready = findCondition(pod.status?.conditions, "Ready");
    const at = formatTime(clock.now());
    const condition = { ...ready, type: "Ready", status: "False", lastTransitionTime: at };
    try {
      await patchPodStatus(client, pod, { conditions: [condition], signal });
      events.record({
        regarding: referenceTo(podResource, pod),
        type: "Warning",
        reason: "NodeNotReady",
        message: "Node is not ready",
      });
    } catch (error) {
      if (!isNotFound(error) && !isUidMismatch(error)) throw error;
    }
  }
}
