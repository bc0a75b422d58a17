import {
  type FeatureGates,
  externalClusterFeatureGates,
  parseFeatureGates,
} from "../../api/feature-gates.ts";
import { clusterFlags, type ExternalClusterSettings, readClusterFlags } from "../flags/cluster-flags.ts";
import type { Flags, Invocation } from "../command.ts";
import { featureGatesFlag, logLevelFlag, numberProblems, flagText } from "../flags/program-flags.ts";

/** The settings of `trimtab scheduler`. */
export interface SchedulerSettings extends ExternalClusterSettings {
  /** The KubeSchedulerConfiguration; absent: the default one. */
  readonly config?: string;
  readonly maxBindings: number;
  readonly gates: FeatureGates;
}

export const schedulerFlags: Flags = {
  config: {
    type: "string",
    value: "FILE",
    help: "The KubeSchedulerConfiguration; read again at SIGHUP (default: one profile, default-scheduler)",
  },
  ...clusterFlags({
    port: 10_282,
    lease: "trimtab-scheduler",
    leaseHelp: "Lease that the leading replica holds",
  }),
  "max-bindings": {
    type: "string",
    default: "50",
    value: "NUMBER",
    help: "Bindings that may be in flight at a time; the next Pod waits while there are so many",
  },
  ...featureGatesFlag,
  ...logLevelFlag("info"),
};

/** Reads the flags of `scheduler`; returns all errors, one sentence each. */
export function readSchedulerSettings({ flags }: Invocation): SchedulerSettings | readonly string[] {
  const cluster = readClusterFlags(flags);
  const gates = parseFeatureGates(flagText(flags, "feature-gates"), externalClusterFeatureGates);
  const problems = [
    ...(cluster.ok ? [] : cluster.problems),
    ...numberProblems(flags, "max-bindings", { least: 1, most: 10_000 }),
    ...(gates.ok ? [] : gates.errors),
  ];
  if (problems.length > 0 || !cluster.ok || !gates.ok) return problems;
  return {
    ...cluster.settings,
    ...(flags["config"] !== undefined && { config: flagText(flags, "config") }),
    maxBindings: Number(flagText(flags, "max-bindings")),
    gates: gates.gates,
  };
}
