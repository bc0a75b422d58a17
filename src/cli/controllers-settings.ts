import { type FeatureGates, externalClusterFeatureGates, parseFeatureGates } from "../api/feature-gates.ts";
import type { PickerAccess } from "../cluster/picker-access.ts";
import type { LogLevel } from "../machinery/log/logger.ts";
import type { Flags, Invocation } from "./command.ts";
import { readPickerFlags } from "./picker-flags.ts";
import { readServingFlags, servingFlags, type ServingSettings } from "./serving-flags.ts";
import { numberProblems, ports, programFlags, readLogLevel, textOf } from "./program-flags.ts";

/** The settings of `trimtab controllers`. */
export interface ControllersSettings {
  /** Absent: the one kubectl uses, or the cluster this program runs in. */
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly port: number;
  /** Absent: diagnostics are served on loopback only. */
  readonly serving?: ServingSettings;
  /** The Lease of the leader; absent without leader election. Its default namespace is that of the connection. */
  readonly lease?: { readonly namespace?: string; readonly name: string };
  readonly gates: FeatureGates;
  readonly pickers: PickerAccess;
  readonly logLevel: LogLevel;
}

export const controllersFlags: Flags = {
  kubeconfig: {
    type: "string",
    value: "FILE",
    help: "Kubeconfig of the cluster (default: $KUBECONFIG, the cluster this runs in, or ~/.kube/config)",
  },
  context: { type: "string", value: "NAME", help: "Context of the kubeconfig (default: the current one)" },
  port: {
    type: "string",
    default: "10280",
    value: "PORT",
    help: "Port of health, metrics and decisions, on loopback unless --bind is given; 0: any free port",
  },
  ...servingFlags,
  lease: {
    type: "string",
    default: "trimtab-controllers",
    value: "[NAMESPACE/]NAME",
    help: "Lease that the leading replica holds",
  },
  "no-lease": { type: "boolean", help: "Run without leader election: there is only one replica" },
  ...programFlags("info"),
};

const leaseForm = /^(?:([a-z0-9-]+)\/)?([a-z0-9.-]+)$/;

/** Reads the flags of `controllers`; returns all errors, one sentence each. */
export function readControllersSettings({ flags }: Invocation): ControllersSettings | readonly string[] {
  const gates = parseFeatureGates(textOf(flags, "feature-gates"), externalClusterFeatureGates);
  const pickers = readPickerFlags(flags);
  const logLevel = readLogLevel(flags);
  const problems = [
    ...placeProblems(flags),
    ...(logLevel.ok ? [] : logLevel.problems),
    ...(gates.ok ? [] : gates.errors),
    ...(pickers.ok ? [] : pickers.problems),
    ...(gates.ok && pickers.ok ? unreachablePickers(gates.gates, pickers.access) : []),
  ];
  if (problems.length > 0 || !gates.ok || !pickers.ok || !logLevel.ok) return problems;
  return { ...placesOf(flags), gates: gates.gates, pickers: pickers.access, logLevel: logLevel.level };
}

function placeProblems(flags: Invocation["flags"]): readonly string[] {
  const serving = readServingFlags(flags);
  return [
    ...numberProblems(flags, "port", ports),
    ...(serving.ok ? [] : serving.problems),
    ...leaseProblems(flags),
  ];
}

function leaseProblems(flags: Invocation["flags"]): readonly string[] {
  return leaseForm.test(textOf(flags, "lease")) ? [] : ["--lease must be NAME or NAMESPACE/NAME"];
}

/** The flags that say where the API server, the Lease and the diagnostics are. */
function placesOf(
  flags: Invocation["flags"],
): Pick<ControllersSettings, "kubeconfig" | "context" | "port" | "serving" | "lease"> {
  const serving = readServingFlags(flags);
  const [, namespace, name = ""] = leaseForm.exec(textOf(flags, "lease")) ?? [];
  const lease = { name, ...(namespace !== undefined && { namespace }) };
  return {
    port: Number(textOf(flags, "port")),
    ...(serving.ok && serving.serving !== undefined && { serving: serving.serving }),
    ...(flags["kubeconfig"] !== undefined && { kubeconfig: textOf(flags, "kubeconfig") }),
    ...(flags["context"] !== undefined && { context: textOf(flags, "context") }),
    ...(flags["no-lease"] !== true && { lease }),
  };
}

/** With a picker, everyone who may edit a workload can make this program send requests: operators must say where to. */
function unreachablePickers(gates: FeatureGates, { allowed }: PickerAccess): readonly string[] {
  const isEmpty = allowed.hosts.size + allowed.networks.length === 0;
  return gates.DownscalePodPicker && isEmpty
    ? ["DownscalePodPicker=true needs --picker-allow: the hosts or networks where pod pickers may be"]
    : [];
}
