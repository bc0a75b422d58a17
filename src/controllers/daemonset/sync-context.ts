import type { ControllerRevision, DaemonSet } from "../../api/generated/apps-v1.ts";
import type { Node, Pod } from "../../api/generated/core-v1.ts";
import type { StoredObject } from "../../api/object.ts";
import type { Resource } from "../../api/resource.ts";
import type { FailedPodBackoffs } from "../../decisions/daemon/failed-pod-backoff.ts";
import type { SetDeletion, SetDeletionRecord } from "../../decisions/explain/set-deletion-record.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { DecisionLog } from "../../machinery/diagnostics/decision-log.ts";
import type { EventRecorder } from "../../machinery/events/event-draft.ts";
import { Expectations } from "../../machinery/expectations.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import type { Metrics } from "../../machinery/metrics/metrics.ts";
import { ReadYourWrites } from "../../machinery/read-your-writes.ts";
import type { DaemonEvents } from "./daemon-events.ts";

/** What the DaemonSet controller depends on. */
export interface DaemonDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly daemonSets: Informer<DaemonSet>;
  readonly revisions: Informer<ControllerRevision>;
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
  /** Its source is `daemonset-controller`. */
  readonly events: EventRecorder;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Logs each Pod that is to be deleted; absent: none. */
  readonly deletions?: DecisionLog<SetDeletion, SetDeletionRecord> | undefined;
  /** Absent: the controller creates its own. */
  readonly expectations?: Expectations | undefined;
}

/** One sync of one DaemonSet: the DaemonSet and the dependencies for applying a plan to it. */
export interface DaemonSync {
  readonly key: string;
  readonly daemonSet: DaemonSet;
  readonly client: Client;
  readonly clock: Clock;
  readonly syncState: DaemonSyncState;
  readonly daemonEvents: DaemonEvents;
  readonly deletions?: DaemonDependencies["deletions"];
  /** Whether the DaemonSet is, as far as the informer knows, neither gone nor being deleted. */
  readonly isAlive: () => boolean;
  /** Records a write, so that the DaemonSet is not synced again before the informers have read it. */
  readonly wrote: (resource: Resource, written: StoredObject) => void;
  readonly signal: AbortSignal;
}

/** What the controller keeps about its DaemonSets from one sync to the next; all of it can be lost. */
export interface DaemonSyncState {
  readonly expectations: Expectations;
  readonly readYourWrites: ReadYourWrites;
  readonly backoffs: Map<string, FailedPodBackoffs>;
  /** Forgets a DaemonSet that is gone; with a UID, writes are forgotten only if they were for that one. */
  forget(key: string, uid?: string): void;
}

/** Starts with an empty state. */
export function newDaemonSyncState({
  clock,
  log,
  daemonSets,
  revisions,
  pods,
  expectations = new Expectations(clock, log),
}: Omit<DaemonDependencies, "client" | "nodes" | "events" | "metrics" | "deletions">): DaemonSyncState {
  const readYourWrites = new ReadYourWrites([daemonSets, revisions, pods]);
  const backoffs = new Map<string, FailedPodBackoffs>();
  return {
    expectations,
    readYourWrites,
    backoffs,
    forget(key, uid) {
      expectations.forget(key);
      readYourWrites.forget(key, uid);
      backoffs.delete(key);
    },
  };
}
