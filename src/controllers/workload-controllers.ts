import type { FeatureGates } from "../api/feature-gates.ts";
import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import { deployments, pods, replicaSets, replicationControllers } from "../api/resources.ts";
import type { Client } from "../machinery/client/client.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import type { ControllerSpec } from "../machinery/controller.ts";
import { eventRecorderFor } from "../machinery/events/event-recorder.ts";
import type { Expectations } from "../machinery/expectations.ts";
import type { InformerFactory } from "../machinery/informer/informer-factory.ts";
import type { Logger } from "../machinery/log/logger.ts";
import type { Metrics } from "../machinery/metrics/metrics.ts";
import type { Random } from "../machinery/random/random.ts";
import type { RemovalDecision, RemovalRecord } from "../decisions/explain/removal-record.ts";
import type { DecisionLog } from "../machinery/diagnostics/decision-log.ts";
import { deploymentController } from "./deployment/controller.ts";
import type { RolloutDecision, RolloutRecord } from "../decisions/explain/rollout-record.ts";
import type { PickerPort } from "./replicaset/picker-port.ts";
import { replicaSetController, replicationManager } from "./replicaset/controller.ts";
import { replicaSetKind, replicationControllerKind } from "./replicaset/kind.ts";

/** What the controllers of workloads are made from. */
export interface WorkloadDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly informers: InformerFactory;
  /** Read whenever it matters: gates may be switched while the controllers run. */
  readonly gates: () => FeatureGates;
  /** Where decisions are kept for those who ask why. */
  readonly removals: DecisionLog<RemovalDecision, RemovalRecord>;
  readonly rollouts: DecisionLog<RolloutDecision, RolloutRecord>;
  /** Makes what asks pod pickers, once for each controller; absent: nobody is asked. */
  readonly pickers?: ((deps: WorkloadDependencies) => PickerPort<ReplicaSet>) | undefined;
  /** When it aborts, notes for people that are not written yet are given up. */
  readonly ending?: AbortSignal | undefined;
  /** Of a controller that is given others than its own, to see what becomes of it. */
  readonly expectations?: Expectations | undefined;
}

/** A controller that can be made: once, and again when it has died. */
export interface ControllerPlan<D> {
  /** The name of the controller it makes. */
  readonly name: string;
  /** Asks only for the informers that this controller looks at. */
  readonly create: (deps: D) => ControllerSpec;
}

/** The controllers that make Pods of what people ask for, the same in every world. */
export const workloadControllers: readonly ControllerPlan<WorkloadDependencies>[] = [
  {
    name: "deployment",
    create: (deps) =>
      deploymentController({
        ...deps,
        deployments: deps.informers.of(deployments),
        replicaSets: deps.informers.of(replicaSets),
        pods: deps.informers.of(pods),
        events: eventRecorderFor(deps, "deployment-controller"),
        records: deps.rollouts,
      }),
  },
  {
    name: "replicaset",
    create: (deps) =>
      replicaSetController({
        ...deps,
        pods: deps.informers.of(pods),
        owners: deps.informers.of(replicaSets),
        events: eventRecorderFor(deps, replicaSetKind.component),
        records: deps.removals,
        pickerPort: deps.pickers?.(deps),
      }),
  },
  {
    name: "replicationmanager",
    create: (deps) =>
      replicationManager({
        ...deps,
        pods: deps.informers.of(pods),
        owners: deps.informers.of(replicationControllers),
        events: eventRecorderFor(deps, replicationControllerKind.component),
        records: deps.removals,
      }),
  },
];
