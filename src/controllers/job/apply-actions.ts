import type { Pod } from "../../api/generated/core-v1.ts";
import { messageOf } from "../../api/message-of.ts";
import { type Draft, keyOf } from "../../api/object.ts";
import { pods as podResource } from "../../api/resources.ts";
import { slowStart } from "../../decisions/replicas/plan-replicas.ts";
import type { JobAction } from "../../decisions/jobs/plan-job.ts";
import type { JobOutcome } from "../../decisions/jobs/track-pods.ts";
import { attemptAll } from "../../machinery/attempt-all.ts";
import { hasCause, isConflict, isNotFound } from "../../machinery/client/api-error.ts";
import { releasePod } from "./release-pods.ts";
import type { JobSync } from "./sync-context.ts";

/** The result of the actions; the caller throws the error once the status is written. */
export interface AppliedJobActions extends Pick<JobOutcome, "created" | "deleted"> {
  readonly error?: unknown;
}

/** Applies the actions of a plan; there is at most one. */
export async function applyJobActions(
  actions: readonly JobAction[],
  context: JobSync,
): Promise<AppliedJobActions> {
  const [action] = actions;
  switch (action?.kind) {
    case undefined:
      return { created: 0, deleted: [] };
    case "create-pods":
      return { deleted: [], ...(await createPods(action.drafts, context)) };
    case "end-pods":
      return { created: 0, ...(await deletePods(action.pods, (pod) => endPod(pod, context), context)) };
    case "remove-pods":
      context.syncState.expectations.expectDeletions(context.key, action.pods.map(keyOf));
      return { created: 0, ...(await deletePods(action.pods, (pod) => removePod(pod, context), context)) };
  }
}

/** Creates Pods in batches of growing size until one batch has a failure or the Job is known to be deleted. */
async function createPods(
  drafts: readonly Draft<Pod>[],
  context: JobSync,
): Promise<Pick<AppliedJobActions, "created" | "error">> {
  const { key, syncState, clock } = context;
  const { expectations } = syncState;
  // Set before the first request, because its event may arrive before its response.
  expectations.expectCreations(key, drafts.length);
  let created = 0;
  let error: unknown;
  const create = async (draft: Draft<Pod>) => {
    if (!context.isJobAlive()) return;
    await createPod(draft, context);
    created++;
  };
  let tried = 0;
  for (const size of slowStart(drafts.length)) {
    [error] = await attemptAll(drafts.slice(tried, tried + size), create, clock);
    tried += size;
    if (error !== undefined || !context.isJobAlive()) break;
  }
  // No event comes for Pods that failed or were not tried.
  for (let missing = drafts.length - created; missing > 0; missing--) expectations.creationObserved(key);
  return error === undefined ? { created } : { created, error };
}

async function createPod(draft: Draft<Pod>, { client, jobEvents, wrote, signal }: JobSync): Promise<void> {
  try {
    const pod = await client.create(podResource, draft, { signal });
    wrote(podResource, pod);
    jobEvents.created(pod);
  } catch (error) {
    // Needs no event and no retry: the Pod stays expected, which keeps the Job from being synced again soon.
    if (hasCause(error, "NamespaceTerminating")) return;
    jobEvents.createFailed(messageOf(error));
    throw error;
  }
}

async function deletePods(
  pods: readonly Pod[],
  remove: (pod: Pod) => Promise<void>,
  { key, clock, jobEvents, syncState }: JobSync,
): Promise<Pick<AppliedJobActions, "deleted" | "error">> {
  const deleted: Pod[] = [];
  const attempt = async (pod: Pod) => {
    try {
      await remove(pod);
    } catch (error) {
      // No event may come for a deletion that failed.
      syncState.expectations.deletionObserved(key, keyOf(pod));
      jobEvents.deleteFailed(messageOf(error));
      throw error;
    }
    deleted.push(pod);
    jobEvents.deleted(pod);
  };
  const [error] = await attemptAll(pods, attempt, clock);
  return error === undefined ? { deleted } : { deleted, error };
}

/** Deletes a Pod that stays tracked. */
async function endPod({ metadata }: Pod, { client, wrote, signal }: JobSync): Promise<void> {
  try {
    const preconditions = { uid: metadata.uid };
    const ending = await client.delete(podResource, metadata, { preconditions, signal });
    if (ending !== undefined) wrote(podResource, ending);
  } catch (error) {
    // The Pod is gone, even if another one has its name.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}

/** Deletes a Pod that does not count, so that it loses its tracking finalizer first. */
async function removePod(pod: Pod, context: JobSync): Promise<void> {
  await releasePod(pod, context);
  await endPod(pod, context);
}
