import type { ReplicaOwner, ReplicaStatus } from "../../decisions/replicas/replica-owner.ts";
import { isReported } from "../../decisions/replicas/replica-status.ts";
import type { ReplicaSync } from "./sync-context.ts";

/** Whether a status could be written now. */
export interface StatusWritten {
  /** How long to wait before the next attempt; absent when the status is stored. */
  readonly retryAfterMs?: number;
}

/** Writes a status unless it is stored already, or another writer keeps overwriting it. */
export async function writeReplicaStatus<T extends ReplicaOwner>(
  status: ReplicaStatus,
  context: ReplicaSync<T>,
): Promise<StatusWritten> {
  const { key, owner, kind, syncState, wrote } = context;
  if (isReported(owner, status)) {
    wrote(kind.resource, owner);
    return {};
  }
  const retryAfterMs = syncState.statusBackoff.waitMs(key, status);
  if (retryAfterMs > 0) return { retryAfterMs };
  const written = await update(owner, status, context);
  syncState.statusBackoff.recordWrite(key, status);
  wrote(kind.resource, written);
  return {};
}

/** Tries a second time on the live object after any error: most are conflicts, and others recur. */
async function update<T extends ReplicaOwner>(
  owner: T,
  status: ReplicaStatus,
  context: ReplicaSync<T>,
): Promise<T> {
  const { key, kind, client, syncState, signal } = context;
  const { namespace, name, uid } = owner.metadata;
  syncState.ownFailureUpdates.recordWrite(key, status);
  const options = { subresource: "status", reads: "metadata", signal } as const;
  try {
    return await client.update(kind.resource, { ...owner, status }, options);
  } catch (error) {
    const live = await client.get(kind.resource, { namespace, name }, signal);
    // The owner is gone; its status must not be written to another object of the same name.
    if (live.metadata.uid !== uid) throw error;
    return client.update(kind.resource, { ...live, status }, options);
  }
}
