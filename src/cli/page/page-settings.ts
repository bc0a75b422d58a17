import {
  externalClusterFeatureGates,
  type FeatureGates,
  parseFeatureGates,
} from "../../api/feature-gates.ts";
import { dns1123LabelProblems } from "../../api/names.ts";
import type { PickerAccess } from "../../cluster/network-pickers.ts";
import type { RemovalProfileName } from "../../decisions/downscale/removal-profiles.ts";
import type { LogLevel } from "../../machinery/log/logger.ts";
import type { SchedulerConfig } from "../../scheduler/configuration/scheduler-config.ts";
import type { Flags, Invocation } from "../command.ts";
import { inspectionFlags } from "../connection/inspected-cluster.ts";
import {
  featureGatesFlag,
  logLevelFlag,
  numberProblems,
  ports,
  readLogLevel,
  flagText,
} from "../flags/program-flags.ts";
import { pickerFlags, readPickerFlags } from "../flags/picker-flags.ts";
import { choiceProblems } from "../flags/flag-values.ts";
import { readSchedulerConfig } from "../control-plane/read-scheduler-config.ts";

/** The settings of `trimtab page`, but for the cluster. */
export interface PageSettings {
  readonly port: number;
  /** Whose controllers remove Pods; absent: those of the API server's product. */
  readonly removalProfile?: RemovalProfileName;
  /** The only namespace that is listed; absent: all. */
  readonly namespace?: string;
  readonly featureGates: FeatureGates;
  readonly schedulerConfig: SchedulerConfig;
  readonly logLevel: LogLevel;
  /** Where pod pickers may be, for "Ask the picker". */
  readonly pickers: PickerAccess;
}

const profiles: readonly RemovalProfileName[] = ["trimtab", "kubernetes-1.36"];

export const pageFlags: Flags = {
  name: inspectionFlags.name,
  kubeconfig: inspectionFlags.kubeconfig,
  context: inspectionFlags.context,
  namespace: {
    type: "string",
    short: "n",
    value: "NAME",
    help: "Lists this namespace alone, for users who may not list all",
  },
  port: {
    type: "string",
    default: "0",
    value: "PORT",
    help: "Port of the page, on 127.0.0.1; 0: any free port",
  },
  as: {
    type: "string",
    value: "PROFILE",
    choices: profiles,
    help: "Whose controllers remove Pods: trimtab or kubernetes-1.36 (default: those of the API server's product)",
  },
  "scheduler-config": {
    type: "string",
    value: "FILE",
    help: "KubeSchedulerConfiguration of the cluster's scheduler (default: that of a scheduler without a file)",
  },
  ...featureGatesFlag,
  ...pickerFlags,
  ...logLevelFlag("warn"),
};

export type ReadPageSettings =
  | { readonly ok: true; readonly settings: PageSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

function namespaceProblems(flags: Invocation["flags"]): readonly string[] {
  if (flags["namespace"] === undefined) return [];
  return dns1123LabelProblems(flagText(flags, "namespace")).map((problem) => `--namespace: ${problem}`);
}

/** Reads the flags of `page` and the files they name; returns all errors, one sentence each. */
export function readPageSettings(flags: Invocation["flags"]): ReadPageSettings {
  const removalProfile = profiles.find((name) => name === flags["as"]);
  const gates = parseFeatureGates(flagText(flags, "feature-gates"), externalClusterFeatureGates);
  const featureGates = gates.ok ? gates.gates : externalClusterFeatureGates;
  const file = flags["scheduler-config"] === undefined ? undefined : flagText(flags, "scheduler-config");
  const scheduler = readSchedulerConfig(file, featureGates);
  const logLevel = readLogLevel(flags);
  const pickers = readPickerFlags(flags);
  const problems = [
    ...numberProblems(flags, "port", ports),
    ...choiceProblems(flags, "as", profiles),
    ...namespaceProblems(flags),
    ...(gates.ok ? [] : gates.errors),
    ...[scheduler, logLevel, pickers].flatMap((read) => (read.ok ? [] : read.problems)),
  ];
  if (problems.length > 0 || !scheduler.ok || !logLevel.ok || !pickers.ok) return { ok: false, problems };
  return {
    ok: true,
    settings: {
      ...(flags["namespace"] !== undefined && { namespace: flagText(flags, "namespace") }),
      port: Number(flags["port"]),
      ...(removalProfile !== undefined && { removalProfile }),
      featureGates,
      schedulerConfig: scheduler.config,
      logLevel: logLevel.level,
      pickers: pickers.access,
    },
  };
}
