import { defaultFeatureGates, type FeatureGates } from "../api/feature-gates.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import { type Logger, silentLogger } from "../machinery/log/logger.ts";
import { type Metrics, silentMetrics } from "../machinery/metrics/metrics.ts";
import type { Random } from "../machinery/random/random.ts";
import { defaultSchedulerConfig, type SchedulerConfig } from "../scheduler/configuration/scheduler-config.ts";
import type { CertificateAuthority } from "../machinery/certificates/certificate.ts";
import { type DecisionLogs, createDecisionLogs } from "./decisions-endpoint.ts";
import type { ComponentOverrides } from "./component-starter.ts";
import type { PickerConnectorFactory } from "./picker-access.ts";
import { MemoryStore } from "./store/memory-store.ts";
import type { Store } from "./store/store.ts";

export interface ClusterOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly nodes?: number;
  readonly zones?: number;
  /** Per component, so that skew between versions can be played; read whenever they matter. */
  readonly gates?: { readonly apiServer?: () => FeatureGates; readonly controllers?: () => FeatureGates };
  readonly log?: Logger;
  readonly metrics?: Metrics;
  /** Who signs for the API server, when it will listen. */
  readonly authority?: CertificateAuthority;
  /** Of the product, as `/version` shows it. */
  readonly version?: string;
  /** The text of `/metrics`. */
  readonly metricsText?: () => Promise<string>;
  /** What an earlier cluster left, to go on with; absent: an empty one. */
  readonly store?: Store;
  /** Controllers that are not run here, by name: somebody else does their work. */
  readonly without?: readonly string[];
  /** Absent: what a scheduler does that was told nothing. */
  readonly schedulerConfig?: SchedulerConfig;
  /** How pod pickers are reached; absent: none is there. */
  readonly pickerConnector?: PickerConnectorFactory;
  /** Where decisions are kept; absent: where only this cluster's own endpoint looks. */
  readonly decisions?: DecisionLogs;
  /**
   * What a part reaches the world through, asked for whenever one is started: then it has informers of its own, and can
   * be late, cut off or wrong by itself. Absent: all parts share everything.
   */
  readonly componentOverrides?: (part: string, shared: ComponentOverrides) => ComponentOverrides;
}

/** Options with nothing left open. */
export interface ClusterSettings extends Omit<ClusterOptions, "gates"> {
  readonly nodes: number;
  readonly zones: number;
  readonly gates: { readonly apiServer: () => FeatureGates; readonly controllers: () => FeatureGates };
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly store: Store;
  readonly without: readonly string[];
  readonly schedulerConfig: SchedulerConfig;
  readonly decisions: DecisionLogs;
}

const defaultGates = () => defaultFeatureGates;

/** What a cluster is when nobody says otherwise: twelve nodes in three zones, everything on, nothing kept. */
export function withDefaults(options: ClusterOptions): ClusterSettings {
  const gates = { apiServer: defaultGates, controllers: defaultGates, ...options.gates };
  return {
    nodes: 12,
    zones: 3,
    log: silentLogger,
    metrics: silentMetrics,
    without: [],
    ...options,
    gates,
    store: options.store ?? new MemoryStore({ clock: options.clock }),
    schedulerConfig: options.schedulerConfig ?? defaultSchedulerConfig(gates.controllers()),
    decisions: options.decisions ?? createDecisionLogs(),
  };
}
