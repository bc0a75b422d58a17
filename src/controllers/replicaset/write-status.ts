import type { ReplicaOwner, ReplicaStatus } from "../../decisions/replicas/replica-owner.ts";
import { isReported } from "../../decisions/replicas/replica-status.ts";
import type { Errand } from "./errand.ts";

/** Writes a status if it is news; returns the owner as it then is. */
export async function writeStatus<T extends ReplicaOwner>(
  status: ReplicaStatus,
  errand: Errand<T>,
): Promise<T> {
  const { owner, kind, wrote } = errand;
  const reported = isReported(owner, status) ? owner : await put(owner, status, errand);
  wrote(kind.resource, reported);
  return reported;
}

/** Tries a second time, with what is live, for whatever reason the first one failed: conflicts are the rule here. */
async function put<T extends ReplicaOwner>(owner: T, status: ReplicaStatus, errand: Errand<T>): Promise<T> {
  const { key, kind, client, memory, signal } = errand;
  const { namespace, name, uid } = owner.metadata;
  memory.echoes.writing(key, status);
  try {
    return await client.update(kind.resource, { ...owner, status }, { subresource: "status", signal });
  } catch (error) {
    const live = await client.get(kind.resource, { namespace, name }, signal);
    // The status is that of an owner that is gone; it must not be put on its namesake.
    if (live.metadata.uid !== uid) throw error;
    return client.update(kind.resource, { ...live, status }, { subresource: "status", signal });
  }
}
