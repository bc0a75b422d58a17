import type { Pod } from "../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { controllerOf } from "../../api/owner-references.ts";
import { isTerminal } from "../../api/pod-state.ts";
import { pods } from "../../api/resources.ts";
import { ApiError, isNotFound } from "../../machinery/client/api-error.ts";
import type { SimulatedCluster } from "../simulated-cluster.ts";

/** How long kubectl waits before it tries again to evict a Pod that a disruption budget protects. */
const retryMs = 5000;

/** Why Pods could not be evicted, by their UIDs. */
export type RefusedEvictions = ReadonlyMap<string, string>;

export interface DrainOutcome {
  readonly refused: RefusedEvictions;
  /** The first refusal that trying again does not overcome. */
  readonly failure?: ApiError | undefined;
}

/**
 * Evicts the Pods of a node until none is left or the signal aborts; it ends only while time passes. As with kubectl, an
 * eviction that a disruption budget forbids now is tried again, and a Pod that the API server refuses to evict otherwise
 * is left where it is.
 */
export async function drainNode(
  cluster: SimulatedCluster,
  node: string,
  signal: AbortSignal,
): Promise<DrainOutcome> {
  const { client, clock } = cluster;
  const refused = new Map<string, string>();
  const failures = new Map<string, ApiError>();
  while (!signal.aborted) {
    const { items } = await client.list(pods, {});
    const waiting = items.filter((pod) => isEvictedFrom(pod, node) && !failures.has(pod.metadata.uid));
    if (waiting.length === 0) break;
    for (const { metadata } of waiting) {
      const refusal = await refusedEviction(cluster, metadata);
      if (refusal === undefined) continue;
      refused.set(metadata.uid, refusal.status.details?.causes?.[0]?.message ?? refusal.message);
      if (refusal.code !== 429) failures.set(metadata.uid, refusal);
    }
    await new Promise<void>((resolve) => clock.after(retryMs, resolve));
  }
  const [failure] = failures.values();
  return { refused, failure };
}

/** Evicts a Pod; returns the error where the API server refuses. */
async function refusedEviction(
  cluster: SimulatedCluster,
  pod: Pod["metadata"],
): Promise<ApiError | undefined> {
  try {
    await cluster.evict(pod);
    return undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** Whether a drain evicts a Pod: those of DaemonSets stay, and static Pods, which a node owns, would come back. */
export function isEvictedFrom(pod: Pod, node: string): boolean {
  const owner = controllerOf(pod)?.kind;
  const isOnNode = pod.spec.nodeName === node && !isTerminal(pod) && !isBeingDeleted(pod);
  return isOnNode && owner !== "DaemonSet" && owner !== "Node";
}
