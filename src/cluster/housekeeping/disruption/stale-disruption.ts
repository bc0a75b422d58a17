import { findCondition, withoutCondition } from "../../../api/conditions.ts";
import type { Pod, PodCondition } from "../../../api/generated/core-v1.ts";
import { isBeingDeleted, keyOf } from "../../../api/object.ts";
import { isTerminal } from "../../../api/pod-state.ts";
import { pods as podResource } from "../../../api/resources.ts";
import { formatTime, type Instant, parseTime } from "../../../api/time.ts";
import { isNotFound } from "../../../machinery/client/api-error.ts";
import type { Client } from "../../../machinery/client/client.ts";
import type { Clock } from "../../../machinery/clock/clock.ts";
import { type ControllerSpec, done, watching } from "../../../machinery/controller.ts";
import type { Informer } from "../../../machinery/informer/informer.ts";

/** How long a Pod with a DisruptionTarget condition may exist without being deleted before the condition is stale. */
// upstream: stalePodDisruptionTimeout
const staleAfterMs = 2 * 60_000;

export interface StaleDisruptionDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly pods: Informer<Pod>;
}

/**
 * Resets the condition `DisruptionTarget` of Pods that were not deleted after all, for instance because the deletion
 * failed; readers of the condition would expect the Pod to end soon.
 */
export function staleDisruptionController({
  client,
  clock,
  pods,
}: StaleDisruptionDependencies): ControllerSpec {
  return {
    name: "stale-pod-disruption",
    workers: 1,
    watches: [
      watching(pods, (queue) => {
        const enqueue = (pod: Pod) => {
          const staleAt = disruptionStaleAt(pod);
          if (staleAt !== undefined) queue.addAfter(keyOf(pod), staleAt - clock.now());
        };
        return { added: enqueue, updated: (_old, pod) => enqueue(pod) };
      }),
    ],
    ignores: isNotFound,

    async reconcile(key, signal) {
      const pod = pods.get(key);
      const staleAt = pod === undefined ? undefined : disruptionStaleAt(pod);
      if (pod === undefined || staleAt === undefined) return done;
      if (staleAt > clock.now()) return { requeueAt: staleAt };
      const object = withoutDisruptionTarget(pod, clock.now());
      await client.update(podResource, object, { subresource: "status", signal });
      return done;
    },
  };
}

/**
 * Returns when the condition of a Pod becomes stale; `undefined` for a Pod without one, and for a Pod that ends, has
 * ended, or is ended by its kubelet, which may take any time.
 */
export function disruptionStaleAt(pod: Pod): Instant | undefined {
  const target = findCondition(pod.status?.conditions, "DisruptionTarget");
  if (target?.status !== "True" || target.reason === "TerminationByKubelet") return undefined;
  if (isBeingDeleted(pod) || isTerminal(pod)) return undefined;
  return (parseTime(target.lastTransitionTime) ?? 0) + staleAfterMs;
}

function withoutDisruptionTarget(pod: Pod, now: Instant): Pod {
  const { conditions } = pod.status ?? {};
  const spared: PodCondition = {
    type: "DisruptionTarget",
    status: "False",
    lastTransitionTime: formatTime(now),
  };
  return {
    ...pod,
    status: { ...pod.status, conditions: [...withoutCondition(conditions, "DisruptionTarget"), spared] },
  };
}
