import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { StoredObject } from "../../api/object.ts";
import type { Resource } from "../../api/resource.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { EventRecorder } from "../../machinery/events/event-draft.ts";
import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import type { RolloutDecision, RolloutRecord } from "../../decisions/explain/rollout-record.ts";
import type { DecisionLog } from "../../machinery/diagnostics/decision-log.ts";

/** One sync of one Deployment: the Deployment and the dependencies for applying a plan to it. */
export interface DeploymentSync {
  readonly deployment: Deployment;
  readonly client: Client;
  readonly events: EventRecorder;
  /** Records a write, so that the Deployment is not synced again before the informers have read it. */
  readonly wrote: (resource: Resource, written: StoredObject) => void;
  /** The resource versions of what this sync has written: a second write of the same object builds on the first. */
  readonly versions: Map<string, string>;
  readonly signal: AbortSignal;
}

/** What the Deployment controller depends on. */
export interface DeploymentDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly deployments: Informer<Deployment>;
  readonly replicaSets: Informer<ReplicaSet>;
  readonly pods: Informer<Pod>;
  /** The source of its events is `deployment-controller`. */
  readonly events: EventRecorder;
  readonly records: DecisionLog<RolloutDecision, RolloutRecord>;
  /** Read in every sync: gates may be switched while the controller runs. */
  readonly gates: () => FeatureGates;
  readonly log: Logger;
}
