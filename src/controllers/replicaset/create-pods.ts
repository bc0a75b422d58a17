import type { Pod } from "../../api/generated/core-v1.ts";
import { messageOf } from "../../api/message-of.ts";
import type { Draft } from "../../api/object.ts";
import { pods as podResource } from "../../api/resources.ts";
import { draftPod } from "../../decisions/replicas/draft-pod.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import { slowStart } from "../../decisions/replicas/slow-start.ts";
import { hasCause } from "../../machinery/client/api-error.ts";
import { recheckOwner } from "../../machinery/ownership/recheck-owner.ts";
import { attemptAll } from "./attempt-all.ts";
import type { SyncContext } from "./sync-context.ts";

/** Creates Pods in batches of growing size until one batch has a failure; returns the first failure, if any. */
export async function createPods<T extends ReplicaOwner>(
  count: number,
  errand: SyncContext<T>,
): Promise<unknown> {
  const { key, owner, kind, selection, syncState } = errand;
  const draft = draftPod(owner, { resource: kind.resource, selection });
  if (!draft.ok) return new Error(draft.problem);
  if (syncState.creations.isAgain(owner)) {
    const problem = await problemOf(errand);
    if (problem !== undefined) return problem;
  }

  // Before the first call: the event may be here before the answer is.
  syncState.expectations.expectCreations(key, count);
  let created = 0;
  for (const size of slowStart(count)) {
    const errors = await attemptAll(Array.from({ length: size }), () => createPod(draft.pod, errand));
    created += size - errors.length;
    if (errors.length === 0) continue;
    // Nobody need wait for Pods that failed or were not even tried.
    for (let missing = count - created; missing > 0; missing--) syncState.expectations.creationObserved(key);
    return errors[0];
  }
  return undefined;
}

/** Why Pods made for this owner would go as fast as they come: it is gone itself, and we have not seen that yet. */
async function problemOf<T extends ReplicaOwner>({ kind, ...errand }: SyncContext<T>): Promise<unknown> {
  try {
    await recheckOwner({ ...errand, ownerResource: kind.resource });
    return undefined;
  } catch (error) {
    return error;
  }
}

async function createPod<T extends ReplicaOwner>(
  draft: Draft<Pod>,
  { client, replicaEvents, wrote, signal }: SyncContext<T>,
): Promise<void> {
  try {
    const pod = await client.create(podResource, draft, { signal });
    wrote(podResource, pod);
    replicaEvents.created(pod);
  } catch (error) {
    // Neither worth telling nor worth trying again soon: this Pod stays expected, which keeps the owner quiet.
    if (hasCause(error, "NamespaceTerminating")) return;
    replicaEvents.createFailed(messageOf(error));
    throw error;
  }
}
