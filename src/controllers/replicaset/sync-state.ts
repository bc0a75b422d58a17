import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import { Expectations } from "../../machinery/expectations.ts";
import { ReadYourWrites } from "../../machinery/read-your-writes.ts";
import type { ReplicaDependencies } from "./dependencies.ts";
import { OwnFailureUpdates } from "./own-failure-updates.ts";
import { RecentCreations } from "./recent-creations.ts";
import { StatusWriteBackoff } from "./status-write-backoff.ts";

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
