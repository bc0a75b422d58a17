import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import { messageOf } from "../../api/message-of.ts";
import type { StoredObject } from "../../api/object.ts";
import type { Resource } from "../../api/resource.ts";
import { deployments, replicaSets } from "../../api/resources.ts";
import type { RolloutAction } from "../../decisions/rollout/action.ts";
import { isNotFound } from "../../machinery/client/api-error.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { EventRecorder } from "../../machinery/events/event-draft.ts";
import { referenceTo } from "../../machinery/events/event-draft.ts";

/** What carrying out a plan needs. */
export interface ApplyContext {
  readonly deployment: Deployment;
  readonly client: Client;
  readonly events: EventRecorder;
  /** Hears of everything that was written. */
  readonly wrote: (resource: Resource, object: StoredObject) => void;
  /** The versions of what this pass has written; what it writes again builds on them. */
  readonly versions: Map<string, string>;
  readonly signal: AbortSignal;
}

/** The creation of a ReplicaSet that was refused; the caller knows what such a refusal can mean. */
export class CreationRefused extends Error {
  override readonly name = "CreationRefused";
  readonly replicaSet: string;

  constructor(replicaSet: string, cause: unknown) {
    super(messageOf(cause), { cause });
    this.replicaSet = replicaSet;
  }
}

/** Carries out actions in order, up to the first that fails; what a write returned is what later actions build on. */
export async function applyActions(actions: readonly RolloutAction[], errand: ApplyContext): Promise<void> {
  for (const action of actions) await applyAction(action, errand);
}

async function applyAction(action: RolloutAction, errand: ApplyContext): Promise<void> {
  const { client, versions, signal } = errand;
  const written = <T extends StoredObject>(resource: Resource<T>, object: T) => {
    versions.set(`${resource.kind}/${object.metadata.name}`, object.metadata.resourceVersion);
    errand.wrote(resource, object);
  };
  const current = <T extends StoredObject>(resource: Resource<T>, object: T): T => {
    const resourceVersion = versions.get(`${resource.kind}/${object.metadata.name}`);
    return resourceVersion === undefined
      ? object
      : { ...object, metadata: { ...object.metadata, resourceVersion } };
  };
  switch (action.kind) {
    case "record-event":
      errand.events.record({ regarding: referenceTo(deployments, errand.deployment), ...action.event });
      return;
    case "create-replica-set":
      written(replicaSets, await create(action.replicaSet, errand));
      return;
    case "update-replica-set":
      written(
        replicaSets,
        await client.update(replicaSets, current(replicaSets, action.replicaSet), { signal }),
      );
      return;
    case "delete-replica-set":
      await remove(action.replicaSet, errand);
      return;
    case "update-deployment":
      written(
        deployments,
        await client.update(deployments, current(deployments, action.deployment), { signal }),
      );
      return;
    case "update-status": {
      const options = { subresource: "status", signal } as const;
      written(
        deployments,
        await client.update(deployments, current(deployments, action.deployment), options),
      );
      return;
    }
  }
}

type CreateAction = Extract<RolloutAction, { readonly kind: "create-replica-set" }>;

async function create(
  draft: CreateAction["replicaSet"],
  { client, signal }: ApplyContext,
): Promise<ReplicaSet> {
  try {
    return await client.create(replicaSets, draft, { signal });
  } catch (error) {
    throw new CreationRefused(draft.metadata.name ?? "", error);
  }
}

/** Somebody else may have been faster. */
async function remove({ metadata }: ReplicaSet, { client, signal }: ApplyContext): Promise<void> {
  try {
    await client.delete(replicaSets, metadata, { preconditions: { uid: metadata.uid }, signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
