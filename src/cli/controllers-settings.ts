import { type FeatureGates, externalClusterFeatureGates, parseFeatureGates } from "../api/feature-gates.ts";
import type { PickerAccess } from "../cluster/picker-access.ts";
import type { LogLevel } from "../machinery/log/logger.ts";
import type { Flags, Invocation } from "./command.ts";
import { readPickerFlags } from "./picker-flags.ts";
import { numberProblems, ports, programFlags, readLogLevel, textOf } from "./program-flags.ts";

/** What `trimtab controllers` is told. */
export interface ControllersSettings {
  /** Absent: what kubectl would take, or the cluster this runs in. */
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly port: number;
  /** The lease to hold; absent when none is wanted. Without a namespace it is in the connection's own. */
  readonly lease?: { readonly namespace?: string; readonly name: string };
  readonly gates: FeatureGates;
  readonly pickers: PickerAccess;
  readonly logLevel: LogLevel;
}

export const controllersFlags: Flags = {
  kubeconfig: {
    type: "string",
    value: "FILE",
    help: "How to reach the API server (default: $KUBECONFIG, the cluster this runs in, or ~/.kube/config)",
  },
  context: { type: "string", value: "NAME", help: "Which context of it (default: the current one)" },
  port: {
    type: "string",
    default: "10280",
    value: "PORT",
    help: "Where health, metrics and decisions are served, on loopback; 0: any free port",
  },
  lease: {
    type: "string",
    default: "trimtab-controllers",
    value: "[NAMESPACE/]NAME",
    help: "The Lease that the one copy at work holds",
  },
  "no-lease": { type: "boolean", help: "Work without a Lease: there is only one copy" },
  ...programFlags("info"),
};

const leaseForm = /^(?:([a-z0-9-]+)\/)?([a-z0-9.-]+)$/;

/** Reads the flags of `controllers`; everything that is wrong with them, a sentence each. */
export function readControllersSettings({ flags }: Invocation): ControllersSettings | readonly string[] {
  const gates = parseFeatureGates(textOf(flags, "feature-gates"), externalClusterFeatureGates);
  const pickers = readPickerFlags(flags);
  const logLevel = readLogLevel(flags);
  const problems = [
    ...numberProblems(flags, "port", ports),
    ...leaseProblems(flags),
    ...(logLevel.ok ? [] : logLevel.problems),
    ...(gates.ok ? [] : gates.errors),
    ...(pickers.ok ? [] : pickers.problems),
    ...(gates.ok && pickers.ok ? unreachablePickers(gates.gates, pickers.access) : []),
  ];
  if (problems.length > 0 || !gates.ok || !pickers.ok || !logLevel.ok) return problems;
  return { ...placesOf(flags), gates: gates.gates, pickers: pickers.access, logLevel: logLevel.level };
}

function leaseProblems(flags: Invocation["flags"]): readonly string[] {
  return leaseForm.test(textOf(flags, "lease")) ? [] : ["--lease must be NAME or NAMESPACE/NAME"];
}

/** Where things are: the API server, the lease, and what operators look at. */
function placesOf(
  flags: Invocation["flags"],
): Pick<ControllersSettings, "kubeconfig" | "context" | "port" | "lease"> {
  const [, namespace, name = ""] = leaseForm.exec(textOf(flags, "lease")) ?? [];
  const lease = { name, ...(namespace !== undefined && { namespace }) };
  return {
    port: Number(textOf(flags, "port")),
    ...(flags["kubeconfig"] !== undefined && { kubeconfig: textOf(flags, "kubeconfig") }),
    ...(flags["context"] !== undefined && { context: textOf(flags, "context") }),
    ...(flags["no-lease"] !== true && { lease }),
  };
}

/** A picker lets whoever edits a workload make us send requests: whoever wants that says where to. */
function unreachablePickers(gates: FeatureGates, { allowed }: PickerAccess): readonly string[] {
  const isNowhere = allowed.hosts.size + allowed.networks.length === 0;
  return gates.DownscalePodPicker && isNowhere
    ? ["DownscalePodPicker=true needs --picker-allow: the hosts or networks where pod pickers may be"]
    : [];
}
