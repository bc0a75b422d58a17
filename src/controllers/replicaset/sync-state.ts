import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import { Expectations } from "../../machinery/expectations.ts";
import { ReadYourWrites } from "../../machinery/read-your-writes.ts";
import type { ReplicaDependencies } from "./dependencies.ts";
import { OwnFailureUpdates } from "./own-failure-updates.ts";
import { RecentCreations } from "./recent-creations.ts";
import { StatusWriteBackoff } from "./status-write-backoff.ts";

/** What is remembered of an owner from one look at it to the next. */
export interface SyncState<T extends ReplicaOwner> {
  readonly expectations: Expectations;
  readonly readYourWrites: ReadYourWrites;
  readonly ownFailureUpdates: OwnFailureUpdates<T>;
  readonly creations: RecentCreations;
  readonly statusBackoff: StatusWriteBackoff;
  /** The owner is gone; with a UID, what was written is forgotten only if it was for that one. */
  forget(key: string, uid?: string): void;
}

type Sources = "clock" | "log" | "owners" | "pods" | "expectations" | "pickerPort";

/** Starts with nothing remembered. */
export function newSyncState<T extends ReplicaOwner>(
  deps: Pick<ReplicaDependencies<T>, Sources>,
): SyncState<T> {
  const { expectations = new Expectations(deps.clock, deps.log) } = deps;
  const written = new ReadYourWrites([deps.owners, deps.pods]);
  const echoes = new OwnFailureUpdates<T>();
  const creations = new RecentCreations(deps.clock);
  const quarrels = new StatusWriteBackoff(deps.clock);
  return {
    expectations,
    readYourWrites: written,
    ownFailureUpdates: echoes,
    creations,
    statusBackoff: quarrels,
    forget(key, uid) {
      creations.forget(key);
      written.forget(key, uid);
      expectations.forget(key);
      echoes.forget(key);
      quarrels.forget(key);
      deps.pickerPort?.dismiss(key);
    },
  };
}
