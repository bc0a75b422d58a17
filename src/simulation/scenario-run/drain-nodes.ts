import type { Pod } from "../../api/generated/core-v1.ts";
import { controllerOf } from "../../api/owner-references.ts";
import { isActive } from "../../api/pod-state.ts";
import { pods } from "../../api/resources.ts";
import { ApiError } from "../../machinery/client/api-error.ts";
import type { SimulatedCluster } from "../simulated-cluster.ts";

/** As `kubectl drain` waits between two attempts. */
const retryMs = 5000;

/** Evicts the Pods of nodes; again every five seconds while a disruption budget refuses, until the signal aborts. */
export function drainNodes(cluster: SimulatedCluster, names: ReadonlySet<string>, signal: AbortSignal): void {
  const attempt = async () => {
    const { items } = await cluster.client.list(pods, {});
    const evictable = items.filter((pod) => names.has(pod.spec.nodeName ?? "") && isEvictable(pod));
    for (const { metadata } of evictable) await evictIfAllowed(cluster, metadata);
    if (evictable.length === 0 || signal.aborted) return;
    const retry = cluster.clock.after(retryMs, () => void attempt());
    signal.addEventListener("abort", () => retry.cancel(), { once: true });
  };
  void attempt();
}

function isEvictable(pod: Pod): boolean {
  return isActive(pod) && controllerOf(pod)?.kind !== "DaemonSet";
}

async function evictIfAllowed(cluster: SimulatedCluster, pod: Pod["metadata"]): Promise<void> {
  try {
    await cluster.evict(pod);
  } catch (error) {
    // A budget refuses (429), or the Pod is gone (404): the next attempt sees what is left.
    if (!(error instanceof ApiError)) throw error;
  }
}
