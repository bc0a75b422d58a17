import os from "node:os";
import path from "node:path";
import { type FeatureGates, parseFeatureGates } from "../api/feature-gates.ts";
import type { LogLevel } from "../machinery/log.ts";
import type { PickerAccess } from "../cluster/picker-reach.ts";
import type { Flags, Invocation } from "./command.ts";
import { pickerFlags, readPickerFlags } from "./picker-flags.ts";

/** What `trimtab up` is told. */
export interface UpSettings {
  readonly nodes: number;
  readonly zones: number;
  readonly port: number;
  readonly kubeconfig: string;
  readonly gates: FeatureGates;
  readonly logLevel: LogLevel;
  /** Absent: the scheduler's defaults. */
  readonly schedulerConfigFile?: string;
  readonly pickers: PickerAccess;
  readonly manifests: readonly string[];
}

const defaultKubeconfig = path.join(os.homedir(), ".trimtab", "kubeconfig");

export const upFlags: Flags = {
  nodes: { type: "string", default: "12", value: "N", help: "How many simulated nodes" },
  zones: { type: "string", default: "3", value: "N", help: "How many zones they are in" },
  port: {
    type: "string",
    default: "6443",
    value: "PORT",
    help: "Where the API server listens; 0: any free port",
  },
  kubeconfig: {
    type: "string",
    default: defaultKubeconfig,
    value: "FILE",
    help: "Where to write the kubeconfig",
  },
  "scheduler-config": {
    type: "string",
    value: "FILE",
    help: "A KubeSchedulerConfiguration for the scheduler",
  },
  "feature-gates": {
    type: "string",
    default: "",
    value: "A=true,B=false",
    help: "Features to switch on or off",
  },
  ...pickerFlags,
  "log-level": { type: "string", default: "warn", value: "LEVEL", help: "debug, info, warn or error" },
};

const logLevels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** Reads the flags of `up`; everything that is wrong with them, a sentence each. */
export function readUpSettings({ flags, arguments: manifests }: Invocation): UpSettings | readonly string[] {
  const problems: string[] = [];
  const text = (name: string) => String(flags[name] ?? "");
  const number = (name: string, least: number, most: number) => {
    const value = /^\d+$/.test(text(name)) ? Number(text(name)) : Number.NaN;
    if (!(value >= least && value <= most))
      problems.push(`--${name} must be a number from ${least} to ${most}`);
    return value;
  };
  const gates = parseFeatureGates(text("feature-gates"));
  if (!gates.ok) problems.push(...gates.errors);
  const logLevel = logLevels.find((level) => level === text("log-level"));
  if (logLevel === undefined) problems.push(`--log-level must be one of ${logLevels.join(", ")}`);
  const pickers = readPickerFlags(flags);
  if (!pickers.ok) problems.push(...pickers.problems);
  const settings = {
    nodes: number("nodes", 0, 16_384),
    zones: number("zones", 1, 26),
    port: number("port", 0, 65_535),
    kubeconfig: path.resolve(text("kubeconfig")),
    manifests,
    ...(flags["scheduler-config"] !== undefined && { schedulerConfigFile: text("scheduler-config") }),
  };
  if (problems.length > 0 || !gates.ok || !pickers.ok || logLevel === undefined) return problems;
  return { ...settings, gates: gates.gates, pickers: pickers.access, logLevel };
}
