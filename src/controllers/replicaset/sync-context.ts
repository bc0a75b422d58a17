import type { LabelSelection } from "../../api/labels/label-selector.ts";
import type { StoredObject } from "../../api/object.ts";
import type { Resource } from "../../api/resource.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { RemovalDecision, RemovalRecord } from "../../decisions/explain/removal-record.ts";
import type { DecisionLog } from "../../machinery/diagnostics/decision-log.ts";
import type { ReplicaKind } from "./kind.ts";
import type { SyncState } from "./sync-state.ts";
import type { ReplicaMetrics } from "./metrics.ts";
import type { ReplicaEvents } from "./replica-events.ts";

/** One look at one owner: whom it is for, and what it takes to do something about it. */
export interface SyncContext<T extends ReplicaOwner> {
  readonly key: string;
  readonly owner: T;
  readonly kind: ReplicaKind<T>;
  readonly selection: LabelSelection;
  readonly client: Client;
  readonly syncState: SyncState<T>;
  readonly replicaEvents: ReplicaEvents;
  readonly records: DecisionLog<RemovalDecision, RemovalRecord>;
  readonly metrics: ReplicaMetrics;
  /** Remembers a write, so that the owner is not looked at again before the informers have read it. */
  readonly wrote: (resource: Resource, written: StoredObject) => void;
  readonly signal: AbortSignal;
}
