import type { FeatureGates } from "../api/feature-gates.ts";
import type { Deployment, ReplicaSet } from "../api/generated/apps-v1.ts";
import type { Namespace, Node, Pod, Service } from "../api/generated/core-v1.ts";
import { deployments, namespaces, nodes, pods, replicaSets, services } from "../api/resources.ts";
import type { RemovalDecision, RemovalRecord } from "../decisions/explain/removal-record.ts";
import type { SizeDecision, SizeRecord } from "../decisions/explain/size-record.ts";
import {
  builtInDefaults,
  type DefaultsByScheduler as SchedulerDefaults,
} from "../decisions/spread/spread-of.ts";
import type { ObservationSink } from "../decisions/stock/observation.ts";
import type { SteeringMode } from "../decisions/stock/wish.ts";
import type { Client } from "../machinery/client/client.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import type { ComponentEnvironment } from "../machinery/component/component.ts";
import type { DecisionLog } from "../machinery/diagnostics/decision-log.ts";
import type { EventRecorder } from "../machinery/events/event-draft.ts";
import { eventRecorderFor } from "../machinery/events/event-recorder.ts";
import type { Informer } from "../machinery/informer/informer.ts";
import type { Logger } from "../machinery/log/logger.ts";
import { indexByController, indexByNamespace } from "../machinery/ownership/owner-index.ts";
import type { Random } from "../machinery/random/random.ts";
import type { PickerCaller } from "./picker-caller.ts";
import { DecisionMemory } from "./decision-memory.ts";
import type { OwnShrink } from "./own-shrinks.ts";
import { type SteeringMetrics, steeringMetrics } from "./metrics.ts";
import type { SpreadDefaults } from "./steering-config.ts";
import { WatchProgress } from "./watch-progress.ts";

/** The records of what was decided, as `/debug/decisions` shows them. */
export interface SteeringRecords {
  readonly removals: Pick<DecisionLog<RemovalDecision, RemovalRecord>, "add">;
  readonly sizes: Pick<DecisionLog<SizeDecision, SizeRecord>, "add">;
}

/** What one copy of `trimtab steer` decides by. */
export interface SteeringOptions {
  readonly gates: () => FeatureGates;
  readonly records: SteeringRecords;
  /** Absent: pickers are not asked. */
  readonly pickers?: ((environment: ComponentEnvironment) => PickerCaller) | undefined;
  readonly spread?: readonly SpreadDefaults[];
  /** The annotations of Pods whose deletion cost a program wrote. */
  readonly machineCosts?: readonly string[];
  /** What is done about wishes unless they say so themselves; absent: they are fulfilled. */
  readonly mode?: SteeringMode;
  /** Where observations are kept; absent: only events and metrics say them. */
  readonly observations?: ObservationSink | undefined;
  /** The default constraints of the cluster's scheduler; absent: those that are built in. */
  readonly spreadDefaults?: SchedulerDefaults | undefined;
}

/** What admission and the controllers of one copy share. */
export interface SteeringDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly gates: () => FeatureGates;
  readonly events: EventRecorder;
  readonly metrics: SteeringMetrics;
  readonly records: SteeringRecords;
  readonly pods: Informer<Pod>;
  readonly replicaSets: Informer<ReplicaSet>;
  readonly deployments: Informer<Deployment>;
  readonly namespaces: Informer<Namespace>;
  /** The decisions of this copy. */
  readonly memory: DecisionMemory;
  readonly podWatch: WatchProgress;
  /** Sizes that the leading copy gives to ReplicaSets itself once their victims are decided, by UID. */
  readonly ownShrinks: Map<string, OwnShrink>;
  readonly pickers?: PickerCaller | undefined;
  readonly spread: readonly SpreadDefaults[];
  readonly machineCosts: readonly string[];
  readonly mode: SteeringMode;
  readonly observations: ObservationSink | undefined;
  readonly nodes: Informer<Node>;
  readonly services: Informer<Service>;
  readonly spreadDefaults: SchedulerDefaults;
}

/** Requests the informers and makes what the parts of a copy share. */
export function steeringDependencies(
  environment: ComponentEnvironment,
  {
    gates,
    records,
    pickers,
    spread = [],
    machineCosts = [],
    mode = "enforce",
    observations,
    spreadDefaults = builtInDefaults,
  }: SteeringOptions,
): SteeringDependencies {
  const { client, clock, random, log, informers } = environment;
  const podInformer = informers.of(pods);
  const replicaSetInformer = informers.of(replicaSets);
  const deploymentInformer = informers.of(deployments);
  indexByController(podInformer);
  indexByController(replicaSetInformer);
  indexByNamespace(deploymentInformer);
  indexByNamespace(podInformer);
  return {
    client,
    clock,
    random: random.fork("steering"),
    log,
    // Costs are the lever: a stock cluster without them cannot be steered.
    gates: () => ({ ...gates(), PodDeletionCost: true }),
    events: eventRecorderFor(environment, "trimtab-steer"),
    metrics: steeringMetrics(environment.metrics),
    records,
    pods: podInformer,
    replicaSets: replicaSetInformer,
    deployments: deploymentInformer,
    namespaces: informers.of(namespaces),
    memory: new DecisionMemory(clock),
    podWatch: new WatchProgress(podInformer),
    ownShrinks: new Map(),
    pickers: pickers?.(environment),
    spread,
    machineCosts,
    mode,
    observations,
    nodes: informers.optional(nodes),
    services: informers.optional(services),
    spreadDefaults,
  };
}
