import { isConditionTrue } from "../../api/conditions.ts";
import { deepEqual } from "../../api/deep-equal.ts";
import { keyOf } from "../../api/object.ts";
import type { ReplicaOwner, ReplicaStatus } from "../../decisions/replicas/replica-owner.ts";

/**
 * Knows the updates that only bring back to us that we failed.
 *
 * A failure whose message is another one each time, as when it names the Pod that was not created, is written each
 * time. If that woke the owner, it would be tried again at once and for ever; so it waits for its turn instead.
 */
export class OwnFailureUpdates<T extends ReplicaOwner> {
  /** What was written last and has not come back, by key. It may be back before the write has been answered. */
  readonly #written = new Map<string, ReplicaStatus>();

  recordWrite(key: string, status: ReplicaStatus): void {
    if (isConditionTrue(status.conditions, "ReplicaFailure")) this.#written.set(key, status);
    else this.#written.delete(key);
  }

  /** Whether an update changes nothing but the status, and that to what was written; true once per write. */
  isOwnUpdate(old: T, owner: T): boolean {
    const written = this.#written.get(keyOf(owner));
    if (written === undefined || old.metadata.resourceVersion === owner.metadata.resourceVersion)
      return false;
    if (!deepEqual(owner.status, written) || !deepEqual(wishesOf(old), wishesOf(owner))) return false;
    return this.#written.delete(keyOf(owner));
  }

  forget(key: string): void {
    this.#written.delete(key);
  }
}

/** An owner without its status and what changes with every write. */
function wishesOf({ metadata, spec }: ReplicaOwner): unknown {
  return { ...metadata, resourceVersion: undefined, managedFields: undefined, spec };
}
