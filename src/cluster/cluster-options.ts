import { defaultFeatureGates, type FeatureGates } from "../api/feature-gates.ts";
import type { RemovalProfileName } from "../decisions/downscale/removal-profiles.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import type { Component } from "../machinery/component/component.ts";
import type { DebugAction } from "../machinery/diagnostics/diagnostics.ts";
import { type Logger, silentLogger } from "../machinery/log/logger.ts";
import { type Metrics, silentMetrics } from "../machinery/metrics/metrics.ts";
import type { Random } from "../machinery/random/random.ts";
import { defaultSchedulerConfig, type SchedulerConfig } from "../scheduler/configuration/scheduler-config.ts";
import type { CertificateAuthority } from "../machinery/certificates/certificate.ts";
import type { ConversionFunctions } from "./apiserver/custom-resources/conversion/object-converter.ts";
import type { ApiOptions } from "./apiserver/create-api.ts";
import type { HeapReading } from "./apiserver/storage/storage-limits.ts";
import { type DecisionLogs, createDecisionLogs } from "./decisions-endpoint.ts";
import type { ComponentOverrides } from "./component-starter.ts";
import type { NodeGroup } from "./node-groups/node-group.ts";
import type { PickerConnectorFactory } from "./picker-access.ts";
import type { ExtensionTransportFactory } from "./extension-access.ts";
import type { OutsideRequestsFactory } from "./outside-requests.ts";
import type { WebhookTransportFactory } from "./webhook-access.ts";
import { MemoryStore } from "./store/memory-store.ts";
import type { Store } from "./store/store.ts";

/** The feature gates of each part of a cluster. */
export interface ClusterGates {
  readonly apiServer: () => FeatureGates;
  readonly controllers: () => FeatureGates;
  /** The gates of single components; the others have those of the controllers. */
  readonly components: Readonly<Partial<Record<GatedComponent, () => FeatureGates>>>;
}

/** The components that read feature gates. */
export type GatedComponent = "deployment" | "replicaset" | "replicationmanager" | "statefulset" | "scheduler";

/** What another program decides about the API server; absent parts are as we have them. */
export interface ApiServerChoices
  extends
    Partial<Pick<ApiOptions, "tokenSigner">>,
    Pick<ApiOptions, "tokenIssuer" | "serviceNetwork" | "disabledAdmission"> {
  /** The authority of client certificates, as PEM. */
  readonly clientAuthority?: string;
  /** Whether a new cluster has storage classes, as clusters have; an API server alone creates none. */
  readonly hasStorageClasses?: boolean;
}

export interface ClusterOptions {
  readonly clock: Clock;
  /** Where all random numbers come from, UIDs among them. */
  readonly random: Random;
  /** Twelve equal nodes by default. */
  readonly nodes?: number | readonly NodeGroup[];
  /** Three by default. */
  readonly zones?: number;
  /** Per program and component, so that version skew can be tested; read at every decision. */
  readonly gates?: Partial<ClusterGates>;
  /** Absent: nothing is logged. */
  readonly log?: Logger;
  /** Where components count; absent: nowhere. */
  readonly metrics?: Metrics;
  /** Signs the certificate of the API server, when it will listen. */
  readonly authority?: CertificateAuthority;
  readonly apiServer?: ApiServerChoices;
  /** The administrator's bearer token; absent: a random one. */
  readonly token?: string;
  /** The version of the product, as `/version` shows it. */
  readonly version?: string;
  /** The text of `/metrics`. */
  readonly metricsText?: () => Promise<string>;
  /** What administrators may ask of the program around the cluster by a POST below `/debug/`; absent: nothing. */
  readonly debugAction?: DebugAction;
  /** Why the time of this cluster must not be adjusted; absent: administrators may adjust an `AdjustableClock`. */
  readonly fixedTime?: string | undefined;
  /** How full the memory of the process is; absent: not watched. */
  readonly heap?: () => HeapReading;
  /** The store of an earlier cluster to continue with; absent: an empty one. */
  readonly store?: Store;
  /** The names of components that another program runs. */
  readonly without?: readonly string[];
  /** Whether a component runs; absent: all do. Those that do not are missing, where `without` leaves them to another program. */
  readonly runs?: (component: string) => boolean;
  /** Components that run besides ours, such as your own controller. */
  readonly extraComponents?: readonly Component[];
  /** Absent: the defaults of kube-scheduler. */
  readonly schedulerConfig?: SchedulerConfig;
  /** The order in which Pods are removed; absent: Trimtab's. */
  readonly removalProfile?: RemovalProfileName | undefined;
  /** How pod pickers are reached; absent: there are none. */
  readonly pickerConnector?: PickerConnectorFactory;
  /** How admission webhooks are reached; absent, as in virtual time: they are not, and their failure policies apply. */
  readonly webhooks?: WebhookTransportFactory;
  /**
   * Functions that convert custom resources, by the names of their definitions: they are called instead of conversion
   * webhooks, which virtual time does not have.
   */
  readonly conversions?: ConversionFunctions;
  /** How the extension API servers of APIServices are reached; absent, as in virtual time: they are not. */
  readonly extensionServers?: ExtensionTransportFactory;
  /** What requests of programs outside pass through, such as one that disturbs them; absent: nothing. */
  readonly outsideRequests?: OutsideRequestsFactory;
  /** Where decisions are logged; absent: in logs of this cluster alone. */
  readonly decisions?: DecisionLogs;
  /** Returns what a component has for itself, whenever one is started; absent: components share everything. */
  readonly componentOverrides?: (component: string, shared: ComponentOverrides) => ComponentOverrides;
}

/** Thrown for options that no cluster can be started with; `problems` lists every mistake. */
export class ClusterOptionsError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the cluster cannot be started: ${problems.join("; ")}`);
    this.name = "ClusterOptionsError";
    this.problems = problems;
  }
}

/** The options with every default filled in. */
export interface CompletedClusterOptions extends Omit<ClusterOptions, "gates"> {
  readonly nodes: number | readonly NodeGroup[];
  readonly zones: number;
  readonly gates: ClusterGates;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly store: Store;
  readonly without: readonly string[];
  readonly extraComponents: readonly Component[];
  readonly schedulerConfig: SchedulerConfig;
  readonly decisions: DecisionLogs;
  readonly apiServer: ApiServerChoices;
  readonly runs: (component: string) => boolean;
}

const defaultGates = () => defaultFeatureGates;

/** Fills in the defaults: twelve nodes in three zones, all gates on, everything in memory. */
export function completedOptions(options: ClusterOptions): CompletedClusterOptions {
  const gates = { apiServer: defaultGates, controllers: defaultGates, components: {}, ...options.gates };
  const schedulerGates = gates.components.scheduler ?? gates.controllers;
  return {
    nodes: 12,
    zones: 3,
    log: silentLogger,
    metrics: silentMetrics,
    without: [],
    extraComponents: [],
    apiServer: {},
    runs: () => true,
    ...options,
    gates,
    store: options.store ?? new MemoryStore({ clock: options.clock }),
    schedulerConfig: options.schedulerConfig ?? defaultSchedulerConfig(schedulerGates()),
    decisions: options.decisions ?? createDecisionLogs(),
  };
}
