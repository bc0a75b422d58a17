import type { FeatureGates } from "../api/feature-gates.ts";
import { deployments, pods, replicaSets, replicationControllers } from "../api/resources.ts";
import type { Client } from "../machinery/client/client.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import type { ControllerSpec } from "../machinery/controller.ts";
import { ClientEventRecorder } from "../machinery/events/event-recorder.ts";
import type { Informers } from "../machinery/informers.ts";
import type { Logger } from "../machinery/log.ts";
import type { Metrics } from "../machinery/metrics/metrics.ts";
import type { Random } from "../machinery/random/random.ts";
import type { DecisionRecords } from "./decision-records.ts";
import { deploymentController } from "./deployment/controller.ts";
import type { RolloutRecords } from "./deployment/rollout-records.ts";
import { replicaSetController, replicationManager } from "./replicaset/controller.ts";

/** What the controllers of workloads are made from. */
export interface WorkloadDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly informers: Informers;
  /** Read whenever it matters: gates may be switched while the controllers run. */
  readonly gates: () => FeatureGates;
  /** Where decisions are kept for those who ask why. */
  readonly removals: DecisionRecords;
  readonly rollouts: RolloutRecords;
}

/** The controllers that make Pods of what people ask for, the same in every world. */
export function workloadControllers(deps: WorkloadDependencies): readonly ControllerSpec[] {
  const { informers, removals, rollouts } = deps;
  const recorder = (component: string) =>
    new ClientEventRecorder({ ...deps, random: deps.random.fork(component), component });
  const replicas = { ...deps, pods: informers.of(pods), records: removals };
  return [
    deploymentController({
      ...deps,
      deployments: informers.of(deployments),
      replicaSets: informers.of(replicaSets),
      pods: informers.of(pods),
      events: recorder("deployment-controller"),
      records: rollouts,
    }),
    replicaSetController({
      ...replicas,
      owners: informers.of(replicaSets),
      events: recorder("replicaset-controller"),
    }),
    replicationManager({
      ...replicas,
      owners: informers.of(replicationControllers),
      events: recorder("replication-controller"),
    }),
  ];
}
