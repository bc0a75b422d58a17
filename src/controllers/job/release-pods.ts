import type { Pod } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import { jobTrackingFinalizer } from "../../api/job-state.ts";
import { pods as podResource } from "../../api/resources.ts";
import { attemptAll } from "../../machinery/attempt-all.ts";
import { isNotFound, isUidMismatch } from "../../machinery/client/api-error.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { JobSync } from "./sync-context.ts";

/** The Pods that have lost their tracking finalizer, and the first failure, if any. */
export interface Released {
  readonly uids: ReadonlySet<string>;
  readonly error?: unknown;
}

/** Removes the tracking finalizer from Pods; tries every Pod, even if others fail. */
export async function releasePods(pods: readonly Pod[], context: JobSync): Promise<Released> {
  const uids = new Set<string>();
  const release = async (pod: Pod) => {
    await releasePod(pod, context);
    uids.add(pod.metadata.uid);
  };
  const errors = await attemptAll(pods, release, context.clock);
  return errors.length === 0 ? { uids } : { uids, error: errors[0] };
}

/** Removes the tracking finalizer from a Pod of a Job; the Pod can then be deleted. */
export async function releasePod(pod: Pod, context: JobSync): Promise<void> {
  const { key, client, syncState, wrote, signal } = context;
  const released = await withoutFinalizer(pod, client, signal);
  // If the Pod disappears with its finalizer, this version is not that of its deletion.
  syncState.released.add(key, pod.metadata.uid);
  if (released !== undefined) wrote(podResource, released);
}

/** Removes the tracking finalizer from a Pod; resolves to `undefined` when the Pod is gone. */
export async function withoutFinalizer(
  { metadata }: Pod,
  client: Client,
  signal: AbortSignal,
): Promise<Pod | undefined> {
  // The UID makes the patch fail on another Pod of that name.
  const body: JsonObject = {
    metadata: { uid: metadata.uid, "$deleteFromPrimitiveList/finalizers": [jobTrackingFinalizer] },
  };
  try {
    return await client.patch(podResource, metadata, { type: "strategic", body, signal });
  } catch (error) {
    if (isNotFound(error) || isUidMismatch(error)) return undefined;
    throw error;
  }
}
