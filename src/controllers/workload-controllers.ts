import type { FeatureGates } from "../api/feature-gates.ts";
import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import { deployments, nodes, pods, replicaSets, replicationControllers, services } from "../api/resources.ts";
import {
  type Component,
  type ComponentEnvironment,
  controllerComponent,
} from "../machinery/component/component.ts";
import { eventRecorderFor } from "../machinery/events/event-recorder.ts";
import type { RemovalProfileName } from "../decisions/downscale/removal-profiles.ts";
import type { RemovalDecision, RemovalRecord } from "../decisions/explain/removal-record.ts";
import type { RolloutDecision, RolloutRecord } from "../decisions/explain/rollout-record.ts";
import type { DefaultsByScheduler } from "../decisions/spread/spread-of.ts";
import type { DecisionLog } from "../machinery/diagnostics/decision-log.ts";
import { deploymentController } from "./deployment/controller.ts";
import { replicaSetController, replicationManager } from "./replicaset/controller.ts";
import { replicaSetKind, replicationControllerKind } from "./replicaset/kind.ts";
import type { PickerPort } from "./replicaset/sync-context.ts";

/** What the workload controllers need besides the environment they are started in. */
export interface WorkloadControllersOptions {
  /** Read at every decision: gates may be switched while the controllers run. */
  readonly gates: () => FeatureGates;
  /** Gates of single controllers by name; the others use `gates`. */
  readonly componentGates?: Readonly<Partial<Record<string, () => FeatureGates>>> | undefined;
  /** Where `/debug/decisions` finds removals and rollouts. */
  readonly removals: DecisionLog<RemovalDecision, RemovalRecord>;
  readonly rollouts: DecisionLog<RolloutDecision, RolloutRecord>;
  /** Creates the pod picker client of the ReplicaSet controller; absent: pickers are not called. */
  readonly pickers?: ((environment: ComponentEnvironment) => PickerPort<ReplicaSet>) | undefined;
  /** The default spread constraints of the cluster's schedulers; absent: the built-in ones. */
  readonly spreadDefaults?: DefaultsByScheduler | undefined;
  /** The order in which Pods are removed; absent: Trimtab's. */
  readonly removalProfile?: RemovalProfileName | undefined;
}

/** The controllers of Deployments, ReplicaSets and ReplicationControllers, the same in every cluster. */
export function workloadControllers(options: WorkloadControllersOptions): readonly Component[] {
  const { removals, rollouts, spreadDefaults, removalProfile } = options;
  const gatesOf = (name: string) => options.componentGates?.[name] ?? options.gates;
  /** What the controllers of ReplicaSets and ReplicationControllers have in common. */
  const forReplicas = ({ client, clock, log, metrics, informers }: ComponentEnvironment) => ({
    client,
    clock,
    log,
    metrics,
    pods: informers.of(pods),
    nodes: informers.optional(nodes),
    services: informers.optional(services),
    spreadDefaults,
    removalProfile,
    records: removals,
  });
  return [
    controllerComponent({
      name: "deployment",
      kinds: [deployments],
      create: (environment) => {
        const { client, clock, log, informers } = environment;
        return deploymentController({
          client,
          clock,
          log,
          gates: gatesOf("deployment"),
          deployments: informers.of(deployments),
          replicaSets: informers.of(replicaSets),
          pods: informers.of(pods),
          events: eventRecorderFor(environment, "deployment-controller"),
          records: rollouts,
        });
      },
    }),
    controllerComponent({
      name: "replicaset",
      kinds: [replicaSets],
      create: (environment) =>
        replicaSetController({
          ...forReplicas(environment),
          gates: gatesOf("replicaset"),
          owners: environment.informers.of(replicaSets),
          events: eventRecorderFor(environment, replicaSetKind.component),
          pickerPort: options.pickers?.(environment),
        }),
    }),
    controllerComponent({
      name: "replicationmanager",
      kinds: [replicationControllers],
      create: (environment) =>
        replicationManager({
          ...forReplicas(environment),
          gates: gatesOf("replicationmanager"),
          owners: environment.informers.of(replicationControllers),
          events: eventRecorderFor(environment, replicationControllerKind.component),
        }),
    }),
  ];
}
