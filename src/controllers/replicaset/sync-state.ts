import type { ReplicaOwner, ReplicaStatus } from "../../decisions/replicas/replica-owner.ts";
import { Expectations } from "../../machinery/expectations.ts";
import { ReadYourWrites } from "../../machinery/read-your-writes.ts";
import type { ReplicaDependencies } from "./sync-context.ts";
import { StatusWriteBackoff } from "./status-write-backoff.ts";
import { isConditionTrue } from "../../api/conditions.ts";
import { deepEqual } from "../../api/deep-equal.ts";
import { keyOf } from "../../api/object.ts";
import type { Instant } from "../../api/time.ts";
import type { Clock } from "../../machinery/clock/clock.ts";

/** What the controller keeps about its owners from one sync to the next. */
export interface ReplicaSyncState<T extends ReplicaOwner> {
  readonly expectations: Expectations;
  readonly readYourWrites: ReadYourWrites;
  readonly ownFailureUpdates: OwnFailureUpdates<T>;
  readonly creations: RecentCreations;
  readonly statusBackoff: StatusWriteBackoff;
  /** Forgets an owner that is gone; with a UID, writes are forgotten only if they were for the owner of that UID. */
  forget(key: string, uid?: string): void;
}

type Sources = "clock" | "log" | "owners" | "pods" | "expectations" | "pickerPort";

/** Starts with an empty state. */
export function newReplicaSyncState<T extends ReplicaOwner>(
  deps: Pick<ReplicaDependencies<T>, Sources>,
): ReplicaSyncState<T> {
  const { expectations = new Expectations(deps.clock, deps.log) } = deps;
  const readYourWrites = new ReadYourWrites([deps.owners, deps.pods]);
  const ownFailureUpdates = new OwnFailureUpdates<T>();
  const creations = new RecentCreations(deps.clock);
  const statusBackoff = new StatusWriteBackoff(deps.clock);
  return {
    expectations,
    readYourWrites,
    ownFailureUpdates,
    creations,
    statusBackoff,
    forget(key, uid) {
      creations.forget(key);
      readYourWrites.forget(key, uid);
      expectations.forget(key);
      ownFailureUpdates.forget(key);
      statusBackoff.forget(key);
      deps.pickerPort?.dismiss(key);
    },
  };
}

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

/** If Pods are missing again within this time after a creation, something probably deletes them as fast as they are created. */
const soonMs = 10_000;

/** Remembers how many Pods owners had after the latest creation. */
export class RecentCreations {
  readonly #clock: Clock;
  /** By the key of the owner. */
  readonly #latest = new Map<
    string,
    { readonly uid: string; readonly at: Instant; readonly count: number }
  >();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records how many Pods an owner has, now that some were created. */
  record(owner: ReplicaOwner, count: number): void {
    this.#latest.set(keyOf(owner), { uid: owner.metadata.uid, at: this.#clock.now(), count });
  }

  /** Whether an owner has fewer Pods than a short time ago, when some were created. */
  haveVanished(owner: ReplicaOwner, count: number): boolean {
    const last = this.#latest.get(keyOf(owner));
    if (last === undefined || last.uid !== owner.metadata.uid) return false;
    return count < last.count && this.#clock.now() - last.at < soonMs;
  }

  forget(key: string): void {
    this.#latest.delete(key);
  }
}
