import type { Pod } from "../../api/generated/core-v1.ts";
import { messageOf } from "../../api/message-of.ts";
import { type Draft, keyOf } from "../../api/object.ts";
import { daemonSets, pods as podResource } from "../../api/resources.ts";
import type { PodCreation, PodDeletion } from "../../decisions/daemon/daemon-action.ts";
import { daemonPodDrafts } from "../../decisions/daemon/draft-daemon-pod.ts";
import { daemonDeletionReason } from "../../decisions/explain/daemon-reason.ts";
import { recordedSet } from "../../decisions/explain/set-deletion-record.ts";
import type { DaemonPlan } from "../../decisions/daemon/plan-daemon-set.ts";
import { slowStart } from "../../decisions/replicas/plan-replicas.ts";
import { attemptAll } from "../../machinery/attempt-all.ts";
import { hasCause, isConflict, isNotFound } from "../../machinery/client/api-error.ts";
import { deleteRevision } from "../revisions/write-revision.ts";
import type { DaemonSync } from "./sync-context.ts";

/** Creates and deletes the Pods of a plan, then deletes surplus revisions; resolves to the first failure, if any. */
export async function applyDaemonActions(plan: DaemonPlan, context: DaemonSync): Promise<unknown> {
  const { creations, deletions } = plan;
  if (creations.length + deletions.length > 0) {
    const { expectations } = context.syncState;
    // Set before the first request, because its event may arrive before its response.
    expectations.expectChanges(context.key, {
      creations: creations.length,
      deletions: deletions.map(({ pod }) => keyOf(pod)),
    });
    const notCreated = await createPods(creations, plan.hash, context);
    const notDeleted = await deletePods(deletions, context);
    if (notCreated !== undefined || notDeleted !== undefined) return notCreated ?? notDeleted;
  }
  const remove = (revision: DaemonPlan["surplusRevisions"][number]) => deleteRevision(revision, context);
  const errors = await attemptAll(plan.surplusRevisions, remove, context.clock);
  return errors[0];
}

/** Creates Pods in batches of growing size until one batch has a failure, or the DaemonSet is known to be deleted. */
async function createPods(
  creations: readonly PodCreation[],
  hash: string,
  context: DaemonSync,
): Promise<unknown> {
  const { key, daemonSet, syncState, clock } = context;
  const draftOn = daemonPodDrafts(daemonSet, hash);
  let created = 0;
  let tried = 0;
  let error: unknown;
  const create = async ({ node }: PodCreation) => {
    if (!context.isAlive()) return;
    await createPod(draftOn(node), context);
    created++;
  };
  for (const size of slowStart(creations.length)) {
    [error] = await attemptAll(creations.slice(tried, tried + size), create, clock);
    tried += size;
    if (error !== undefined || !context.isAlive()) break;
  }
  // No event comes for Pods that failed or were not tried.
  for (let missing = creations.length - created; missing > 0; missing--)
    syncState.expectations.creationObserved(key);
  return error;
}

async function createPod(
  draft: Draft<Pod>,
  { client, daemonEvents, wrote, signal }: DaemonSync,
): Promise<void> {
  try {
    const pod = await client.create(podResource, draft, { reads: "metadata", signal });
    wrote(podResource, pod);
    daemonEvents.created(pod);
  } catch (error) {
    // Needs no event and no retry: the Pod stays expected, which keeps the DaemonSet from being synced again soon.
    if (hasCause(error, "NamespaceTerminating")) return;
    daemonEvents.createFailed(messageOf(error));
    throw error;
  }
}

async function deletePods(deletions: readonly PodDeletion[], context: DaemonSync): Promise<unknown> {
  for (const deletion of deletions) context.daemonEvents.ended(deletion);
  const errors = await attemptAll(deletions, (deletion) => deletePod(deletion, context), context.clock);
  return errors[0];
}

async function deletePod(deletion: PodDeletion, context: DaemonSync): Promise<void> {
  const { key, daemonSet, client, clock, syncState, daemonEvents, signal } = context;
  const { pod, because } = deletion;
  const workload = recordedSet(daemonSets.kind, daemonSet);
  const reason = daemonDeletionReason(deletion);
  context.deletions?.add({ workload, pod, at: clock.now(), rule: because.kind, reason });
  try {
    const preconditions = { uid: pod.metadata.uid };
    await client.delete(podResource, pod.metadata, { preconditions, reads: "nothing", signal });
    daemonEvents.deleted(deletion);
  } catch (error) {
    // The Pod is gone, even if another one has its name; its deletion stays expected until the informer has observed it.
    if (isNotFound(error) || isConflict(error)) return;
    // No event may come for a deletion that failed.
    syncState.expectations.deletionObserved(key, keyOf(pod));
    daemonEvents.deleteFailed(messageOf(error));
    throw error;
  }
}
