import { isConditionTrue } from "../../api/conditions.ts";
import { deepEqual } from "../../api/deep-equal.ts";
import { keyOf } from "../../api/object.ts";
import type { ReplicaOwner, ReplicaStatus } from "../../decisions/replicas/replica-owner.ts";

/**
 * Recognizes the updates of an owner by which the controller itself reported a failure.
 *
 * A failure whose message differs each time, such as one with the name of the Pod, is written to the status each time. If
 * that update enqueued the owner, the controller would retry at once and forever; instead, the owner waits for its backoff.
 */
export class OwnFailureUpdates<T extends ReplicaOwner> {
  /** The last status written whose update was not observed, by key. The event may arrive before the response. */
  readonly #written = new Map<string, ReplicaStatus>();

  recordWrite(key: string, status: ReplicaStatus): void {
    if (isConditionTrue(status.conditions, "ReplicaFailure")) this.#written.set(key, status);
    else this.#written.delete(key);
  }

  /** Whether an update changes only the status, and to the one that was written; true once per write. */
  isOwnUpdate(old: T, owner: T): boolean {
    const written = this.#written.get(keyOf(owner));
    if (written === undefined || old.metadata.resourceVersion === owner.metadata.resourceVersion)
      return false;
    if (!deepEqual(owner.status, written) || !deepEqual(withoutStatus(old), withoutStatus(owner)))
      return false;
    return this.#written.delete(keyOf(owner));
  }

  forget(key: string): void {
    this.#written.delete(key);
  }
}

/** An owner without its status and without the metadata that changes with every write. */
function withoutStatus({ metadata, spec }: ReplicaOwner): unknown {
  return { ...metadata, resourceVersion: undefined, managedFields: undefined, spec };
}
