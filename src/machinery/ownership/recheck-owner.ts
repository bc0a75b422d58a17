import { isBeingDeleted, type StoredObject } from "../../api/object.ts";
import type { Resource } from "../../api/resource.ts";
import type { Client } from "../client/client.ts";

export interface OwnerCheck<O extends StoredObject> {
  readonly owner: O;
  readonly ownerResource: Resource<O>;
  readonly client: Client;
  readonly signal: AbortSignal;
}

/**
 * Reads an owner from the API server and throws unless it still exists and is not being deleted. The informer may lag
 * behind, and what is adopted or created for an owner that is gone would be garbage collected.
 */
// upstream: controller.RecheckDeletionTimestamp
export async function recheckOwner<O extends StoredObject>(check: OwnerCheck<O>): Promise<void> {
  const { owner, ownerResource, client, signal } = check;
  const live = await client.get(ownerResource, owner.metadata, signal);
  const what = `${ownerResource.kind} ${owner.metadata.namespace ?? ""}/${owner.metadata.name}`;
  if (live.metadata.uid !== owner.metadata.uid) throw new Error(`${what} is gone, another one has its name`);
  if (isBeingDeleted(live)) throw new Error(`${what} is being deleted`);
}
