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

export interface DrainOptions {
  readonly signal: AbortSignal;
  /** Called where something else than a disruption budget forbids an eviction; what it throws ends the drain. */
  readonly forbidden?: (error: ApiError) => void;
}

/**
 * Evicts the Pods of a node until none is left or the signal aborts; it ends only while time passes. An eviction that the
 * API server refuses is tried again, whatever the reason.
 */
export async function drainNode(
  cluster: SimulatedCluster,
  node: string,
  { signal, forbidden }: DrainOptions,
): Promise<RefusedEvictions> {
  const { client, clock } = cluster;
  const refused = new Map<string, string>();
  while (!signal.aborted) {
    const { items } = await client.list(pods, {});
    const waiting = items.filter((pod) => isEvictedFrom(pod, node));
    if (waiting.length === 0) break;
    for (const { metadata } of waiting) {
      const refusal = await refusedEviction(cluster, metadata, forbidden);
      if (refusal !== undefined) refused.set(metadata.uid, refusal);
    }
    await new Promise<void>((resolve) => clock.after(retryMs, resolve));
  }
  return refused;
}

/** Evicts a Pod; returns the API server's words where it refuses. */
async function refusedEviction(
  cluster: SimulatedCluster,
  pod: Pod["metadata"],
  forbidden: DrainOptions["forbidden"],
): Promise<string | undefined> {
  try {
    await cluster.evict(pod);
    return undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    if (!(error instanceof ApiError)) throw error;
    if (error.code !== 429) forbidden?.(error);
    return error.status.details?.causes?.[0]?.message ?? error.message;
  }
}

/** Whether a drain evicts a Pod: those of DaemonSets stay, and static Pods, which a node owns, would come back. */
export function isEvictedFrom(pod: Pod, node: string): boolean {
  const owner = controllerOf(pod)?.kind;
  const isOnNode = pod.spec.nodeName === node && !isTerminal(pod) && !isBeingDeleted(pod);
  return isOnNode && owner !== "DaemonSet" && owner !== "Node";
}
