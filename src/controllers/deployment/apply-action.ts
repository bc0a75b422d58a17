import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { messageOf } from "../../api/message-of.ts";
import type { Draft, StoredObject } from "../../api/object.ts";
import type { Resource } from "../../api/resource.ts";
import { deployments, replicaSets } from "../../api/resources.ts";
import type { RolloutAction } from "../../decisions/rollout/action.ts";
import { isNotFound } from "../../machinery/client/api-error.ts";
import { referenceTo } from "../../machinery/events/event-draft.ts";
import type { DeploymentSync } from "./sync-context.ts";

/** A ReplicaSet could not be created; its `cause` is the error of the API server. */
export class CreateReplicaSetError extends Error {
  override readonly name = "CreateReplicaSetError";
  readonly replicaSet: string;

  constructor(replicaSet: string, cause: unknown) {
    super(messageOf(cause), { cause });
    this.replicaSet = replicaSet;
  }
}

/** Applies one action; later actions on the same object build on the version that the write returned. */
export async function applyRolloutAction(action: RolloutAction, context: DeploymentSync): Promise<void> {
  switch (action.kind) {
    case "record-event": {
      const { events, deployment } = context;
      return events.record({ regarding: referenceTo(deployments, deployment), ...action.event });
    }
    case "create-replica-set":
      return createReplicaSet(action.replicaSet, context);
    case "update-replica-set":
      return update({ resource: replicaSets, object: action.replicaSet }, context);
    case "delete-replica-set":
      return deleteReplicaSet(action.replicaSet, context);
    case "update-deployment":
      return update({ resource: deployments, object: action.deployment }, context);
    case "update-status":
      return update({ resource: deployments, object: action.deployment, subresource: "status" }, context);
  }
}

async function createReplicaSet(draft: Draft<ReplicaSet>, context: DeploymentSync): Promise<void> {
  const { client, signal } = context;
  try {
    written(replicaSets, await client.create(replicaSets, draft, { reads: "metadata", signal }), context);
  } catch (error) {
    throw new CreateReplicaSetError(draft.metadata.name ?? "", error);
  }
}

interface Update<T extends StoredObject> {
  readonly resource: Resource<T>;
  readonly object: T;
  readonly subresource?: "status";
}

async function deleteReplicaSet({ metadata }: ReplicaSet, { client, signal }: DeploymentSync): Promise<void> {
  try {
    await client.delete(replicaSets, metadata, {
      preconditions: { uid: metadata.uid },
      reads: "nothing",
      signal,
    });
  } catch (error) {
    if (!isNotFound(error)) throw error; // else it has been deleted already
  }
}

async function update<T extends StoredObject>(
  { resource, object, subresource }: Update<T>,
  context: DeploymentSync,
): Promise<void> {
  const { client, versions, signal } = context;
  const resourceVersion = versions.get(versionKey(resource, object)) ?? object.metadata.resourceVersion;
  const current = { ...object, metadata: { ...object.metadata, resourceVersion } };
  const options = { subresource, reads: "metadata", signal } as const;
  written(resource, await client.update(resource, current, options), context);
}

function written<T extends StoredObject>(resource: Resource<T>, object: T, context: DeploymentSync): void {
  context.versions.set(versionKey(resource, object), object.metadata.resourceVersion);
  context.wrote(resource, object);
}

function versionKey({ kind }: Resource, { metadata }: StoredObject): string {
  return `${kind}/${metadata.name}`;
}
