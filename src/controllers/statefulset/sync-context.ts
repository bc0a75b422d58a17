import type { FeatureGates } from "../../api/feature-gates.ts";
import type { ControllerRevision, StatefulSet } from "../../api/generated/apps-v1.ts";
import type { PersistentVolumeClaim, Pod } from "../../api/generated/core-v1.ts";
import type { LabelSelection } from "../../api/labels/label-selector.ts";
import type { StoredObject } from "../../api/object.ts";
import type { Resource } from "../../api/resource.ts";
import type { SetDeletion, SetDeletionRecord } from "../../decisions/explain/set-deletion-record.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { DecisionLog } from "../../machinery/diagnostics/decision-log.ts";
import type { EventRecorder } from "../../machinery/events/event-draft.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import type { Metrics } from "../../machinery/metrics/metrics.ts";
import type { StatefulEvents } from "./stateful-events.ts";

/** What the StatefulSet controller depends on. */
export interface StatefulDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly statefulSets: Informer<StatefulSet>;
  readonly pods: Informer<Pod>;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly revisions: Informer<ControllerRevision>;
  /** The source of its events is `statefulset-controller`. */
  readonly events: EventRecorder;
  /** Read in every sync: gates may be switched while the controller runs. */
  readonly gates: () => FeatureGates;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Logs each Pod that is to be deleted; absent: none. */
  readonly deletions?: DecisionLog<SetDeletion, SetDeletionRecord> | undefined;
}

/** One sync of one StatefulSet: the set and the dependencies for applying a plan to it. */
export interface StatefulSync {
  readonly set: StatefulSet;
  readonly selection: LabelSelection;
  readonly client: Client;
  readonly clock: Clock;
  readonly statefulEvents: StatefulEvents;
  readonly deletions?: StatefulDependencies["deletions"];
  /** Whether a Pod of this name was created before for the set as it is known; remembers that it is now. */
  readonly isRepeated: (podName: string) => boolean;
  /** Records a write, so that the set is not synced again before the informers have read it. */
  readonly wrote: (resource: Resource, written: StoredObject) => void;
  readonly signal: AbortSignal;
}
