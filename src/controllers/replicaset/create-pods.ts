import type { Pod } from "../../api/generated/core-v1.ts";
import { messageOf } from "../../api/message-of.ts";
import type { Draft } from "../../api/object.ts";
import { pods as podResource } from "../../api/resources.ts";
import type { PodDraft } from "../../decisions/replicas/draft-pod.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import { slowStart } from "../../decisions/replicas/plan-replicas.ts";
import { hasCause } from "../../machinery/client/api-error.ts";
import { recheckOwner } from "../../machinery/ownership/claim-objects.ts";
import { attemptAll } from "../../machinery/attempt-all.ts";
import type { ReplicaSync } from "./sync-context.ts";

/** How many Pods to create, and which. */
interface PodCreation {
  /** How many there are. */
  readonly existing: number;
  readonly count: number;
  readonly draft: PodDraft;
}

/**
 * Creates Pods in batches of growing size until one batch has a failure, or the owner is known to be deleted; returns the
 * first failure, if any.
 */
export async function createPods<T extends ReplicaOwner>(
  { existing, count, draft }: PodCreation,
  context: ReplicaSync<T>,
): Promise<unknown> {
  const { key, owner, syncState, clock } = context;
  const { expectations, creations } = syncState;
  if (!draft.ok) return new Error(draft.problem);
  if (creations.haveVanished(owner, existing)) {
    const problem = await ownerProblem(context);
    if (problem !== undefined) return problem;
  }

  // Set before the first request, because its event may arrive before its response.
  expectations.expectCreations(key, count);
  let created = 0;
  const create = async () => {
    if (!context.isOwnerAlive()) return;
    await createPod(draft.pod, context);
    created++;
  };
  for (const size of slowStart(count)) {
    const errors = await attemptAll(Array.from({ length: size }), create, clock);
    creations.record(owner, existing + created);
    if (errors.length === 0 && context.isOwnerAlive()) continue;
    // No event comes for Pods that failed or were not tried.
    for (let missing = count - created; missing > 0; missing--) expectations.creationObserved(key);
    return errors[0];
  }
  return undefined;
}

/** Returns the error of an owner that is gone, which the informer may not know yet: its new Pods would be deleted at once. */
async function ownerProblem<T extends ReplicaOwner>({ kind, ...context }: ReplicaSync<T>): Promise<unknown> {
  try {
    await recheckOwner({ ...context, ownerResource: kind.resource });
    return undefined;
  } catch (error) {
    return error; // reported like a failed creation
  }
}

async function createPod<T extends ReplicaOwner>(
  draft: Draft<Pod>,
  { client, replicaEvents, wrote, signal }: ReplicaSync<T>,
): Promise<void> {
  try {
    const pod = await client.create(podResource, draft, { reads: "metadata", signal });
    wrote(podResource, pod);
    replicaEvents.created(pod);
  } catch (error) {
    // Needs no event and no retry: the Pod stays expected, which keeps the owner from being synced again soon.
    if (hasCause(error, "NamespaceTerminating")) return;
    replicaEvents.createFailed(messageOf(error));
    throw error;
  }
}
