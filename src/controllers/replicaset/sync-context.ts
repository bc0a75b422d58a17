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
import type { PickerPort } from "./picker-port.ts";
import type { ReplicaEvents } from "./replica-events.ts";
import type { ReplicaSyncState } from "./sync-state.ts";

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
