import { type FeatureGates, externalClusterFeatureGates, parseFeatureGates } from "../api/feature-gates.ts";
import type { PickerAccess } from "../cluster/picker-access.ts";
import { clusterFlags, type ClusterSettings, readClusterFlags } from "./cluster-flags.ts";
import type { Flags, Invocation } from "./command.ts";
import { readPickerFlags } from "./picker-flags.ts";
import { programFlags, textOf } from "./program-flags.ts";

/** The settings of `trimtab controllers`. */
export interface ControllersSettings extends ClusterSettings {
  readonly gates: FeatureGates;
  readonly pickers: PickerAccess;
}

export const controllersFlags: Flags = {
  ...clusterFlags({
    port: 10_280,
    lease: "trimtab-controllers",
    leaseHelp: "Lease that the leading replica holds",
  }),
  ...programFlags("info"),
};

/** Reads the flags of `controllers`; returns all errors, one sentence each. */
export function readControllersSettings({ flags }: Invocation): ControllersSettings | readonly string[] {
  const cluster = readClusterFlags(flags);
  const gates = parseFeatureGates(textOf(flags, "feature-gates"), externalClusterFeatureGates);
  const pickers = readPickerFlags(flags);
  const problems = [
    ...(cluster.ok ? [] : cluster.problems),
    ...(gates.ok ? [] : gates.errors),
    ...(pickers.ok ? [] : pickers.problems),
    ...(gates.ok && pickers.ok ? unreachablePickers(gates.gates, pickers.access) : []),
  ];
  if (problems.length > 0 || !gates.ok || !pickers.ok || !cluster.ok) return problems;
  return { ...cluster.settings, gates: gates.gates, pickers: pickers.access };
}

/** With a picker, everyone who may edit a workload can make this program send requests: operators must say where to. */
function unreachablePickers(gates: FeatureGates, { allowed }: PickerAccess): readonly string[] {
  const isEmpty = allowed.hosts.size + allowed.networks.length === 0;
  return gates.DownscalePodPicker && isEmpty
    ? ["DownscalePodPicker=true needs --picker-allow: the hosts or networks where pod pickers may be"]
    : [];
}
