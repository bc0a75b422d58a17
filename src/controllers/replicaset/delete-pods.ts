import { messageOf } from "../../api/message-of.ts";
import { keyOf } from "../../api/object.ts";
import { pods as podResource } from "../../api/resources.ts";
import type { DecidedPod } from "../../decisions/downscale/reason.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import { isConflict, isNotFound } from "../../machinery/client/api-error.ts";
import { attemptAll } from "../../machinery/attempt-all.ts";
import type { ReplicaSync } from "./sync-context.ts";

/**
 * Deletes Pods whose deletion is already expected. Tries every Pod, even if others fail; returns the first failure, if
 * any.
 */
export async function deletePods<T extends ReplicaOwner>(
  victims: readonly DecidedPod[],
  context: ReplicaSync<T>,
): Promise<unknown> {
  const attempt = (victim: DecidedPod) => deletePod(victim, context);
  const errors = await attemptAll(victims, attempt, context.clock);
  return errors[0];
}

async function deletePod<T extends ReplicaOwner>(
  victim: DecidedPod,
  { key, client, syncState, replicaEvents, signal }: ReplicaSync<T>,
): Promise<void> {
  try {
    // Another Pod may have the name of an adopted one by now, and that is not the victim.
    const preconditions = { uid: victim.pod.metadata.uid };
    await client.delete(podResource, victim.pod.metadata, { preconditions, reads: "nothing", signal });
    replicaEvents.deleted(victim);
  } catch (error) {
    // The Pod is gone, even if another one has its name. Its deletion stays expected until the informer has observed
    // it: otherwise the Pod would be counted, and another one deleted in its place.
    if (isNotFound(error) || isConflict(error)) return;
    // No event may come for a deletion that failed.
    syncState.expectations.deletionObserved(key, keyOf(victim.pod));
    replicaEvents.deleteFailed(messageOf(error));
    throw new Error(`unable to delete pods: ${messageOf(error)}`, { cause: error });
  }
}
