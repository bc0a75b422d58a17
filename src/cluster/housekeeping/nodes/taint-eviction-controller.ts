import type { Node, Pod } from "../../../api/generated/core-v1.ts";
import { isBeingDeleted, keyOf } from "../../../api/object.ts";
import { pods as podResource } from "../../../api/resources.ts";
import type { Instant } from "../../../api/time.ts";
import { isNotFound, isUidMismatch } from "../../../machinery/client/api-error.ts";
import type { Client } from "../../../machinery/client/client.ts";
import { type Clock, elapsedMs } from "../../../machinery/clock/clock.ts";
import { type ControllerSpec, done, watching } from "../../../machinery/controller.ts";
import { type EventRecorder, referenceTo } from "../../../machinery/events/event-draft.ts";
import type { Informer } from "../../../machinery/informer/informer.ts";
import { indexByNode, podsOnNode } from "../../kubelet/pods-by-node.ts";
import { evictingTaints, evictionDelayMs } from "./eviction-delay.ts";
import { disruptionTarget, patchPodStatus } from "./patch-pod-status.ts";

export interface TaintEvictionDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly nodes: Informer<Node>;
  readonly pods: Informer<Pod>;
  readonly events: EventRecorder;
}

/** Deletes the Pods on nodes with NoExecute taints, at once or when the tolerated time is over. */
export function taintEvictionController(deps: TaintEvictionDependencies): ControllerSpec {
  const { client, clock, nodes, pods, events } = deps;
  /** When each Pod began to wait for its eviction, by UID. */
  const since = new Map<string, Instant>();
  indexByNode(pods);

  const tell = (pod: Pod, message: string) =>
    events.record({
      regarding: referenceTo(podResource, pod),
      type: "Normal",
      reason: "TaintManagerEviction",
      message: `${message} Pod ${keyOf(pod)}`,
    });
  const cancel = (pod: Pod) => {
    if (since.delete(pod.metadata.uid)) tell(pod, "Cancelling deletion of");
  };
  const evict = async (pod: Pod, signal: AbortSignal) => {
    const { namespace, name, uid } = pod.metadata;
    tell(pod, "Marking for deletion");
    const why = {
      reason: "DeletionByTaintManager",
      message: "Taint manager: deleting due to NoExecute taint",
    };
    const target = disruptionTarget(pod, why, clock.now());
    await patchPodStatus(client, pod, { conditions: [target], signal });
    await client.delete(podResource, { namespace, name }, { preconditions: { uid }, signal });
  };

  return {
    name: "taint-eviction",
    workers: 8,
    watches: [
      watching(nodes, (queue) => {
        const enqueue = ({ metadata }: Node) => {
          for (const pod of podsOnNode(pods, metadata.name)) queue.add(keyOf(pod));
        };
        return {
          added: (node) => {
            if (evictingTaints(node).length > 0) enqueue(node);
          },
          updated: (old, node) => {
            if (old.spec.taints === node.spec.taints) return;
            if (evictingTaints(old).length > 0 || evictingTaints(node).length > 0) enqueue(node);
          },
        };
      }),
      watching(pods, (queue) => {
        const enqueue = (pod: Pod) => {
          if (evictingTaints(nodes.get(pod.spec.nodeName ?? "")).length > 0) queue.add(keyOf(pod));
        };
        return {
          added: enqueue,
          updated: (_old, pod) => enqueue(pod),
          deleted: ({ metadata }) => void since.delete(metadata.uid),
        };
      }),
    ],
    ignores: (error) => isNotFound(error) || isUidMismatch(error),

    async reconcile(key, signal) {
      const pod = pods.get(key);
      if (pod === undefined || isBeingDeleted(pod)) return done;
      const taints = evictingTaints(nodes.get(pod.spec.nodeName ?? ""));
      const delayMs = taints.length === 0 ? Number.POSITIVE_INFINITY : evictionDelayMs(pod, taints);
      if (!Number.isFinite(delayMs)) {
        cancel(pod);
        return done;
      }
      const now = elapsedMs(clock);
      const from = since.get(pod.metadata.uid) ?? now;
      since.set(pod.metadata.uid, from);
      if (now < from + delayMs) return { requeueAfterMs: from + delayMs - now };
      await evict(pod, signal);
      return done;
    },
  };
}
