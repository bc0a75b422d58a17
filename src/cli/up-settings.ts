import os from "node:os";
import path from "node:path";
import type { ClusterGates } from "../cluster/cluster-options.ts";
import type { LogLevel } from "../machinery/log/logger.ts";
import type { PickerAccess } from "../cluster/picker-access.ts";
import type { AllowList } from "../picker/address-policy.ts";
import type { Flags, Invocation } from "./command.ts";
import { componentGatesFlags, readGates } from "./component-gates.ts";
import { readPickerFlags } from "./picker-flags.ts";
import { numberProblems, ports, programFlags, readLogLevel, textOf } from "./program-flags.ts";
import { readWebhookFlags, webhookFlags } from "./webhook-flags.ts";

/** The settings of `trimtab up`. */
export interface UpSettings {
  readonly nodes: number;
  readonly zones: number;
  readonly port: number;
  readonly kubeconfig: string;
  /** Components of the cluster that are not started. */
  readonly without: readonly string[];
  /** Whether the user's own kubeconfig gets a context too. */
  readonly mergesKubeconfig: boolean;
  readonly gates: ClusterGates;
  readonly logLevel: LogLevel;
  /** Absent: the scheduler's defaults. */
  readonly schedulerConfigFile?: string;
  readonly pickers: PickerAccess;
  /** Where admission webhooks may be, besides this machine. */
  readonly webhooks: { readonly allowed: AllowList };
  /** Absent: everything is kept in memory. */
  readonly dataDirectory?: string;
  readonly manifests: readonly string[];
}

const defaultKubeconfig = path.join(os.homedir(), ".trimtab", "kubeconfig");

export const upFlags: Flags = {
  nodes: { type: "string", default: "12", value: "N", help: "Number of simulated nodes" },
  zones: { type: "string", default: "3", value: "N", help: "Number of zones the nodes are in" },
  port: {
    type: "string",
    default: "6443",
    value: "PORT",
    help: "Port of the API server; 0: any free port",
  },
  kubeconfig: {
    type: "string",
    default: defaultKubeconfig,
    value: "FILE",
    help: "Where the kubeconfig is written",
  },
  "data-dir": {
    type: "string",
    value: "FOLDER",
    help: "Folder that keeps the cluster: what was acknowledged survives a crash; default: memory only",
  },
  "no-kubelet": {
    type: "boolean",
    help: "Simulate no kubelet: Pods wait until another program runs them",
  },
  "merge-kubeconfig": {
    type: "boolean",
    help: "Also add the context trimtab to $KUBECONFIG or ~/.kube/config, and remove it at the end",
  },
  "scheduler-config": {
    type: "string",
    value: "FILE",
    help: "KubeSchedulerConfiguration of the scheduler",
  },
  ...webhookFlags,
  ...programFlags("warn"),
  ...componentGatesFlags,
};

const ranges = {
  nodes: { least: 0, most: 16_384 },
  zones: { least: 1, most: 26 },
  port: ports,
};

/** Reads the flags of `up`; returns all errors, one sentence each. */
export function readUpSettings({ flags, arguments: manifests }: Invocation): UpSettings | readonly string[] {
  const gates = readGates(flags);
  const logLevel = readLogLevel(flags);
  const pickers = readPickerFlags(flags);
  const webhooks = readWebhookFlags(flags);
  const problems = [
    ...[gates, logLevel, pickers, webhooks].flatMap((read) => (read.ok ? [] : read.problems)),
    ...emptyPathProblems(flags),
    ...Object.entries(ranges).flatMap(([name, range]) => numberProblems(flags, name, range)),
  ];
  if (problems.length > 0 || !gates.ok || !logLevel.ok || !pickers.ok || !webhooks.ok) return problems;
  return {
    nodes: Number(flags["nodes"]),
    zones: Number(flags["zones"]),
    port: Number(flags["port"]),
    kubeconfig: path.resolve(textOf(flags, "kubeconfig")),
    without: flags["no-kubelet"] === true ? ["kubelet"] : [],
    mergesKubeconfig: flags["merge-kubeconfig"] === true,
    manifests,
    ...optionalPaths(flags),
    gates: gates.gates,
    pickers: pickers.access,
    webhooks: { allowed: webhooks.allowed },
    logLevel: logLevel.level,
  };
}

function emptyPathProblems(flags: Invocation["flags"]): readonly string[] {
  return flags["data-dir"] === "" ? ["--data-dir must name a folder"] : [];
}

function optionalPaths(
  flags: Invocation["flags"],
): Pick<UpSettings, "schedulerConfigFile" | "dataDirectory"> {
  const given = (name: string) => flags[name] !== undefined;
  return {
    ...(given("scheduler-config") && { schedulerConfigFile: textOf(flags, "scheduler-config") }),
    ...(given("data-dir") && { dataDirectory: path.resolve(textOf(flags, "data-dir")) }),
  };
}
