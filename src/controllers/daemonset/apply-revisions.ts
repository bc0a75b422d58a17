import type { ControllerRevision } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { Draft, StoredObject } from "../../api/object.ts";
import type { Resource } from "../../api/resource.ts";
import { controllerRevisions, daemonSets, pods as podResource } from "../../api/resources.ts";
import type { RevisionAction } from "../../decisions/daemon/daemon-revisions.ts";
import { podRevisionLabel, takenName } from "../../decisions/revisions/draft-revision.ts";
import { attemptAll } from "../../machinery/attempt-all.ts";
import { isNotFound } from "../../machinery/client/api-error.ts";
import { createRevision, deleteRevision, renumberRevision } from "../revisions/write-revision.ts";
import type { DaemonSync } from "./sync-context.ts";

/** Applies the actions of a history in order, up to the first that fails. */
export async function applyRevisionActions(
  actions: readonly RevisionAction[],
  context: DaemonSync,
): Promise<void> {
  for (const action of actions) await applyRevisionAction(action, context);
}

async function applyRevisionAction(action: RevisionAction, context: DaemonSync): Promise<void> {
  const { wrote } = context;
  switch (action.kind) {
    case "label-revision":
      return label({ resource: controllerRevisions, object: action.revision }, action.hash, context);
    case "create-revision":
      return create(action.draft, context);
    case "renumber-revision":
      return wrote(controllerRevisions, await renumberRevision(action.revision, action.to, context));
    case "relabel-pods":
      return relabel(action.pods, action.hash, context);
    case "delete-revision":
      return deleteRevision(action.revision, context);
  }
}

/** A name that another template's revision has is counted in the status: the next sync arrives at another name. */
async function create(draft: Draft<ControllerRevision>, context: DaemonSync): Promise<void> {
  const { daemonSet, client, wrote, signal } = context;
  const created = await createRevision(draft, { owner: daemonSet, ownerResource: daemonSets }, context);
  wrote(controllerRevisions, created.revision);
  if (created.kind === "created") return;
  const live = await client.get(daemonSets, daemonSet.metadata, signal);
  const taken = takenName(draft, created.revision, live.status?.collisionCount ?? 0);
  if (taken.kind === "same" || live.metadata.uid !== daemonSet.metadata.uid) return;
  const status = { ...noStatus, ...live.status, collisionCount: taken.collisionCount };
  const counted = await client.update(daemonSets, { ...live, status }, { subresource: "status", signal });
  wrote(daemonSets, counted);
  throw new Error(`revision ${draft.metadata.name ?? ""} exists with another template`);
}

const noStatus = {
  currentNumberScheduled: 0,
  numberMisscheduled: 0,
  desiredNumberScheduled: 0,
  numberReady: 0,
};

async function relabel(pods: readonly Pod[], hash: string, context: DaemonSync): Promise<void> {
  const attempt = async (pod: Pod) => {
    try {
      await label({ resource: podResource, object: pod }, hash, context);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  };
  const [error] = await attemptAll(pods, attempt, context.clock);
  if (error !== undefined) throw error;
}

interface Labelled<T extends StoredObject> {
  readonly resource: Resource<T>;
  readonly object: T;
}

async function label<T extends StoredObject>(
  { resource, object: { metadata } }: Labelled<T>,
  hash: string,
  { client, wrote, signal }: DaemonSync,
): Promise<void> {
  // The UID makes the patch fail on another object of that name.
  const body = { metadata: { uid: metadata.uid, labels: { [podRevisionLabel]: hash } } };
  wrote(resource, await client.patch(resource, metadata, { type: "merge", body, signal }));
}
