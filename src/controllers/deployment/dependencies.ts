import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { EventRecorder } from "../../machinery/events/event-draft.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import type { RolloutDecision, RolloutRecord } from "../../decisions/explain/rollout-record.ts";
import type { DecisionLog } from "../../machinery/diagnostics/decision-log.ts";

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
