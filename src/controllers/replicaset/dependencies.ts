import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Node, Pod, Service } from "../../api/generated/core-v1.ts";
import type { RemovalProfileName } from "../../decisions/downscale/removal-profiles.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import type { DefaultsByScheduler } from "../../decisions/spread/spread-of.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { EventRecorder } from "../../machinery/events/event-draft.ts";
import type { Expectations } from "../../machinery/expectations.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import type { Metrics } from "../../machinery/metrics/metrics.ts";
import type { RemovalDecision, RemovalRecord } from "../../decisions/explain/removal-record.ts";
import type { DecisionLog } from "../../machinery/diagnostics/decision-log.ts";
import type { PickerPort } from "./picker-port.ts";

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
