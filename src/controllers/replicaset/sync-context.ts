import type { LabelSelection } from "../../api/labels/label-selector.ts";
import type { StoredObject } from "../../api/object.ts";
import type { Resource } from "../../api/resource.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { RemovalDecision, RemovalRecord } from "../../decisions/explain/removal-record.ts";
import type { DecisionLog } from "../../machinery/diagnostics/decision-log.ts";
import type { ReplicaKind } from "./kind.ts";
import type { ReplicaMetrics } from "./metrics.ts";
import type { ReplicaEvents } from "./replica-events.ts";
import type { ReplicaSyncState } from "./sync-state.ts";
import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Node, Pod, Service } from "../../api/generated/core-v1.ts";
import type { RemovalProfileName } from "../../decisions/downscale/removal-profiles.ts";
import type { DefaultsByScheduler } from "../../decisions/spread/spread-of.ts";
import type { EventRecorder } from "../../machinery/events/event-draft.ts";
import type { Expectations } from "../../machinery/expectations.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import type { Metrics } from "../../machinery/metrics/metrics.ts";
import type { SettledPicker, UnaskedPicker } from "../../decisions/downscale/picker-progress.ts";
import type { PickerState, StandingAnswer } from "../../decisions/downscale/picker-state.ts";
import type { WatchSource } from "../../machinery/controller.ts";

/** One sync of one owner: the owner and the dependencies for applying a plan to it. */
export interface ReplicaSync<T extends ReplicaOwner> {
  readonly key: string;
  readonly owner: T;
  readonly kind: ReplicaKind<T>;
  readonly selection: LabelSelection;
  readonly client: Client;
  readonly clock: Clock;
  readonly pickers: PickerPort<T>;
  readonly syncState: ReplicaSyncState<T>;
  readonly replicaEvents: ReplicaEvents;
  readonly records: DecisionLog<RemovalDecision, RemovalRecord>;
  readonly metrics: ReplicaMetrics;
  /** Whether the owner is, as far as the informer knows, neither gone nor being deleted. */
  readonly isOwnerAlive: () => boolean;
  /** Records a write, so that the owner is not synced again before the informers have read it. */
  readonly wrote: (resource: Resource, written: StoredObject) => void;
  readonly signal: AbortSignal;
}

/** What the controller of one kind depends on. */
export interface ReplicaDependencies<T extends ReplicaOwner> {
  readonly client: Client;
  readonly clock: Clock;
  readonly owners: Informer<T>;
  readonly pods: Informer<Pod>;
  /** Their labels name the domains of Pods. If the user may not list them, scale-downs do not keep domains even. */
  readonly nodes: Informer<Node>;
  /** Default constraints count the Pods that they select. If the user may not list them, only the owner's selector counts. */
  readonly services: Informer<Service>;
  /** The default constraints of the schedulers; absent: the built-in ones. */
  readonly spreadDefaults?: DefaultsByScheduler | undefined;
  /** The order in which Pods are removed; absent: Trimtab's. Simulations of other clusters set theirs. */
  readonly removalProfile?: RemovalProfileName | undefined;
  /** The source of its events is the kind's `component`. */
  readonly events: EventRecorder;
  readonly records: DecisionLog<RemovalDecision, RemovalRecord>;
  /** Read in every sync: gates may be switched while the controller runs. */
  readonly gates: () => FeatureGates;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Absent: pickers are not asked. */
  readonly pickerPort?: PickerPort<T> | undefined;
  /** Absent: the controller creates its own. */
  readonly expectations?: Expectations | undefined;
}

/**
 * Asks pod pickers for the ReplicaSet controller without blocking it: a call runs in the background, and the port, as a
 * watch source, enqueues the ReplicaSet when the call has ended. `ask`, `settle` and `dismiss` apply actions of a plan.
 */
export interface PickerPort<T> extends WatchSource {
  /** Returns what is known about the picker of a workload, without side effects. */
  stateOf(owner: T, gates: FeatureGates): PickerState;
  /** Starts a call in place of an earlier one. */
  ask(owner: T, unasked: UnaskedPicker): void;
  /** Records that an outcome is used for a decision: once, or as long as the answer stands that came of it. */
  settle(owner: T, settled: SettledPicker, standing?: StandingAnswer): void;
  /** Aborts a call and drops its answer: the workload has nothing to choose any more. */
  dismiss(key: string): void;
}

/** No workload has a picker. */
export const noPickers: PickerPort<unknown> = {
  stateOf: () => ({ health: { kind: "unknown" }, isAsked: false }),
  ask: () => undefined,
  settle: () => undefined,
  dismiss: () => undefined,
  synced: () => Promise.resolve(true),
};
