import type { Pod } from "../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { controllerOf } from "../../api/owner-references.ts";
import { isTerminal } from "../../api/pod-state.ts";
import { pods } from "../../api/resources.ts";
import { ApiError, isNotFound } from "../../machinery/client/api-error.ts";
import type { SimulatedCluster } from "../simulated-cluster.ts";

/** How long kubectl waits before it tries again to evict a Pod that a disruption budget protects. */
const retryMs = 5000;

/** Evicts the Pods of a node until none is left or the signal aborts; it ends only while time passes. */
export async function drainNode(cluster: SimulatedCluster, node: string, signal: AbortSignal): Promise<void> {
  const { client, clock } = cluster;
  while (!signal.aborted) {
    const { items } = await client.list(pods, {});
    const waiting = items.filter((pod) => isEvictedFrom(pod, node));
    if (waiting.length === 0) return;
    for (const { metadata } of waiting) await evictIfAllowed(cluster, metadata);
    await new Promise<void>((resolve) => clock.after(retryMs, resolve));
  }
}

async function evictIfAllowed(cluster: SimulatedCluster, pod: Pod["metadata"]): Promise<void> {
  try {
    await cluster.evict(pod);
  } catch (error) {
    const isForbiddenNow = error instanceof ApiError && error.code === 429;
    if (!isForbiddenNow && !isNotFound(error)) throw error;
  }
}

/** Whether a drain evicts a Pod: those of DaemonSets stay, and static Pods, which a node owns, would come back. */
export function isEvictedFrom(pod: Pod, node: string): boolean {
  const owner = controllerOf(pod)?.kind;
  const isOnNode = pod.spec.nodeName === node && !isTerminal(pod) && !isBeingDeleted(pod);
  return isOnNode && owner !== "DaemonSet" && owner !== "Node";
}
