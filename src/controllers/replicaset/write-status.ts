import type { ReplicaOwner, ReplicaStatus } from "../../decisions/replicas/replica-owner.ts";
import { isReported } from "../../decisions/replicas/replica-status.ts";
import type { SyncContext } from "./sync-context.ts";

/** The owner as it now is, and when its status should be looked at again, if it could not be written now. */
export interface Reported<T> {
  readonly owner: T;
  readonly againInMs?: number;
}

/** Writes a status if it is news, and not while somebody else insists on another one. */
export async function writeStatus<T extends ReplicaOwner>(
  status: ReplicaStatus,
  errand: SyncContext<T>,
): Promise<Reported<T>> {
  const { key, owner, kind, syncState, wrote } = errand;
  if (isReported(owner, status)) {
    wrote(kind.resource, owner);
    return { owner };
  }
  const againInMs = syncState.statusBackoff.waitMs(key, status);
  if (againInMs > 0) return { owner, againInMs };
  const written = await put(owner, status, errand);
  syncState.statusBackoff.recordWrite(key, status);
  wrote(kind.resource, written);
  return { owner: written };
}

/** Tries a second time, with what is live, for whatever reason the first one failed: conflicts are the rule here. */
async function put<T extends ReplicaOwner>(
  owner: T,
  status: ReplicaStatus,
  errand: SyncContext<T>,
): Promise<T> {
  const { key, kind, client, syncState, signal } = errand;
  const { namespace, name, uid } = owner.metadata;
  syncState.ownFailureUpdates.recordWrite(key, status);
  try {
    return await client.update(kind.resource, { ...owner, status }, { subresource: "status", signal });
  } catch (error) {
    const live = await client.get(kind.resource, { namespace, name }, signal);
    // The status is that of an owner that is gone; it must not be put on its namesake.
    if (live.metadata.uid !== uid) throw error;
    return client.update(kind.resource, { ...live, status }, { subresource: "status", signal });
  }
}
