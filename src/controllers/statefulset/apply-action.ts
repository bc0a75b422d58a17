import type { PersistentVolumeClaim, Pod } from "../../api/generated/core-v1.ts";
import { messageOf } from "../../api/message-of.ts";
import type { Draft } from "../../api/object.ts";
import { persistentVolumeClaims, pods, statefulSets } from "../../api/resources.ts";
import { recordedSet } from "../../decisions/explain/set-deletion-record.ts";
import { statefulDeleteReason } from "../../decisions/explain/stateful-reason.ts";
import type { DeleteReason, StatefulAction } from "../../decisions/stateful/action.ts";
import { isAlreadyExists, isConflict, isNotFound } from "../../machinery/client/api-error.ts";
import { recheckOwner } from "../../machinery/ownership/claim-objects.ts";
import type { StatefulSync } from "./sync-context.ts";

/** Applies one action and records its event. */
export async function applyStatefulAction(action: StatefulAction, context: StatefulSync): Promise<void> {
  const { statefulEvents } = context;
  switch (action.kind) {
    case "create-claim":
      return createClaim(action.claim, action.podName, context);
    case "own-claim":
      if (action.isConflicting) statefulEvents.conflicting(action.claim.metadata.name);
      return ownClaim(action.claim, context);
    case "report-conflict":
      return statefulEvents.conflicting(action.claim);
    case "create-pod":
      return createPod(action.pod, context);
    case "refuse-pod":
      statefulEvents.failed("Create", action.podName, action.problem);
      throw new Error(action.problem);
    case "update-pod":
      return updatePod(action.pod, context);
    case "delete-pod":
      return deletePod(action.pod, action.reason, context);
  }
}

async function createClaim(
  draft: Draft<PersistentVolumeClaim>,
  podName: string,
  { client, statefulEvents, wrote, signal }: StatefulSync,
): Promise<void> {
  const { name = "" } = draft.metadata;
  try {
    const options = { reads: "metadata", signal } as const;
    wrote(persistentVolumeClaims, await client.create(persistentVolumeClaims, draft, options));
    statefulEvents.claimCreated(name, podName);
  } catch (error) {
    if (!isAlreadyExists(error)) statefulEvents.claimFailed(name, podName, messageOf(error));
    throw new Error(`failed to create PVC ${name}: ${messageOf(error)}`, { cause: error });
  }
}

async function ownClaim(
  claim: PersistentVolumeClaim,
  { client, wrote, signal }: StatefulSync,
): Promise<void> {
  const options = { reads: "metadata", signal } as const;
  wrote(persistentVolumeClaims, await client.update(persistentVolumeClaims, claim, options));
}

async function createPod(
  draft: Draft<Pod>,
  { set, client, statefulEvents, isRepeated, wrote, signal }: StatefulSync,
): Promise<void> {
  const { name = "" } = draft.metadata;
  if (isRepeated(name)) await recheckOwner({ owner: set, ownerResource: statefulSets, client, signal });
  try {
    wrote(pods, await client.create(pods, draft, { reads: "metadata", signal }));
    statefulEvents.created(name);
  } catch (error) {
    // The Pod may be one that the informer has not read yet, or one with another owner: that is no failure to report.
    if (!isAlreadyExists(error)) statefulEvents.failed("Create", name, messageOf(error));
    throw error;
  }
}

async function updatePod(pod: Pod, { client, statefulEvents, wrote, signal }: StatefulSync): Promise<void> {
  const { name } = pod.metadata;
  try {
    wrote(pods, await client.update(pods, pod, { reads: "metadata", signal }));
    statefulEvents.updated(name);
  } catch (error) {
    if (!isConflict(error)) statefulEvents.failed("Update", name, messageOf(error));
    throw error;
  }
}

async function deletePod(pod: Pod, because: DeleteReason, context: StatefulSync): Promise<void> {
  const { set, client, clock, statefulEvents, wrote, signal } = context;
  const { metadata } = pod;
  const { name, uid } = metadata;
  const workload = recordedSet(statefulSets.kind, set);
  const reason = statefulDeleteReason(because);
  context.deletions?.add({ workload, pod, at: clock.now(), rule: because.kind, reason });
  try {
    // Another Pod may have the name by now, and that is not the one that was chosen.
    const deleted = await client.delete(pods, metadata, { preconditions: { uid }, signal });
    if (deleted !== undefined) wrote(pods, deleted);
    statefulEvents.deleted(name, because);
  } catch (error) {
    if (isNotFound(error) || isConflict(error)) return;
    statefulEvents.failed("Delete", name, messageOf(error));
    throw error;
  }
}
