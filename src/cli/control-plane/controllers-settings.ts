import {
  type FeatureGates,
  externalClusterFeatureGates,
  parseFeatureGates,
  type ParsedFeatureGates,
} from "../../api/feature-gates.ts";
import { chooseControllers, optionalControllerNames } from "../../controllers/choose-controllers.ts";
import type { PickerAccess } from "../../cluster/network-pickers.ts";
import { clusterFlags, type ExternalClusterSettings, readClusterFlags } from "../flags/cluster-flags.ts";
import type { Flags, Invocation } from "../command.ts";
import { readPickerFlags } from "../flags/picker-flags.ts";
import type { DefaultsByScheduler } from "../../decisions/spread/spread-of.ts";
import { spreadDefaultsOf } from "../../scheduler/configuration/current-config.ts";
import { programFlags, flagText } from "../flags/program-flags.ts";
import { type ReadSchedulerConfigFile, readSchedulerConfig } from "./read-scheduler-config.ts";

/** The settings of a program that decides about workloads of another cluster: `trimtab controllers` and `trimtab steer`. */
export interface WorkloadSettings extends ExternalClusterSettings {
  readonly gates: FeatureGates;
  readonly pickers: PickerAccess;
  /** The default spread constraints of the cluster's scheduler. */
  readonly spreadDefaults: DefaultsByScheduler;
}

/** The settings of `trimtab controllers`. */
export interface ControllersSettings extends WorkloadSettings {
  /** The controllers that run, as kube-controller-manager calls them, and the names of their components. */
  readonly controllers: readonly string[];
  readonly components: ReadonlySet<string>;
}

/** Where the default spread constraints of the cluster are read from. */
export const schedulerConfigFlag: Flags = {
  "scheduler-config": {
    type: "string",
    value: "FILE",
    help: "KubeSchedulerConfiguration of the cluster's scheduler, for its default spread constraints",
  },
};

export const controllersFlags: Flags = {
  ...clusterFlags({
    port: 10_280,
    lease: "trimtab-controllers",
    leaseHelp: "Lease that the leading replica holds",
  }),
  controllers: {
    type: "string",
    default: "*",
    value: "LIST",
    help: `Controllers to run, as for kube-controller-manager: * is all but ${optionalControllerNames.join(", ")}; NAME adds one, -NAME leaves one out`,
  },
  ...schedulerConfigFlag,
  ...programFlags("info"),
};

/** Reads the flags of `controllers`; returns all errors, one sentence each. */
export function readControllersSettings(invocation: Invocation): ControllersSettings | readonly string[] {
  const settings = readWorkloadSettings(invocation);
  const chosen = chooseControllers(flagText(invocation.flags, "controllers"));
  const missing = chosen.ok ? [] : chosen.problems;
  if (!("port" in settings)) return [...settings, ...missing];
  return chosen.ok ? { ...settings, controllers: chosen.names, components: chosen.components } : missing;
}

/** Reads the flags that `controllers` and `steer` share; returns all errors, one sentence each. */
export function readWorkloadSettings({ flags }: Invocation): WorkloadSettings | readonly string[] {
  const cluster = readClusterFlags(flags);
  const gates = parseFeatureGates(flagText(flags, "feature-gates"), externalClusterFeatureGates);
  const pickers = readPickerFlags(flags);
  const scheduler = readDefaults(flags, gates);
  const problems = [
    ...[cluster, pickers, scheduler].flatMap((read) => (read.ok ? [] : read.problems)),
    ...(gates.ok ? [] : gates.errors),
    ...(gates.ok && pickers.ok ? unreachablePickers(gates.gates, pickers.access) : []),
  ];
  if (!gates.ok || !pickers.ok || !cluster.ok || !scheduler.ok || problems.length > 0) return problems;
  const spreadDefaults = spreadDefaultsOf(scheduler.config);
  return { ...cluster.settings, gates: gates.gates, pickers: pickers.access, spreadDefaults };
}

function readDefaults(flags: Invocation["flags"], gates: ParsedFeatureGates): ReadSchedulerConfigFile {
  const file = flags["scheduler-config"] === undefined ? undefined : flagText(flags, "scheduler-config");
  return readSchedulerConfig(file, gates.ok ? gates.gates : externalClusterFeatureGates);
}

/** With a picker, everyone who may edit a workload can make this program send requests: operators must say where to. */
function unreachablePickers(gates: FeatureGates, { allowed }: PickerAccess): readonly string[] {
  const isEmpty = allowed.hosts.size + allowed.networks.length === 0;
  return gates.DownscalePodPicker && isEmpty
    ? ["DownscalePodPicker=true needs --picker-allow: the hosts or networks where pod pickers may be"]
    : [];
}
