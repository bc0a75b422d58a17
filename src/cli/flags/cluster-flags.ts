import type { LogLevel } from "../../machinery/log/logger.ts";
import type { Flags, Invocation } from "../command.ts";
import { numberProblems, ports, readLogLevel, flagText } from "./program-flags.ts";
import { readServingFlags, servingFlags, type ServingSettings } from "./serving-flags.ts";

/** The settings of every program that runs beside an existing cluster. */
export interface ExternalClusterSettings {
  /** Absent: the one kubectl uses, or the cluster this program runs in. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Serves health, metrics and decisions. */
  readonly port: number;
  /** Absent: diagnostics are served on loopback only. */
  readonly serving?: ServingSettings;
  /** The Lease of the leader; absent without leader election. Its default namespace is that of the connection. */
  readonly lease?: { readonly namespace?: string; readonly name: string };
  readonly logLevel: LogLevel;
}

/** The flags that say which cluster a program connects to. */
export const connectionFlags = {
  kubeconfig: {
    type: "string",
    value: "FILE",
    help: "Kubeconfig of the cluster (default: $KUBECONFIG, the cluster this runs in, or ~/.kube/config)",
  },
  context: { type: "string", value: "NAME", help: "Context of the kubeconfig (default: the current one)" },
} satisfies Flags;

/** The flags behind `ExternalClusterSettings`, `--log-level` excepted, which `programFlags` has. */
export function clusterFlags(defaults: {
  readonly port: number;
  readonly lease: string;
  /** What the replica that holds the Lease does. */
  readonly leaseHelp: string;
}): Flags {
  return {
    ...connectionFlags,
    port: {
      type: "string",
      default: String(defaults.port),
      value: "PORT",
      help: "Port of health, metrics and decisions, on loopback unless --bind is given; 0: any free port",
    },
    ...servingFlags,
    lease: {
      type: "string",
      default: defaults.lease,
      value: "[NAMESPACE/]NAME",
      help: defaults.leaseHelp,
    },
    "no-lease": { type: "boolean", help: "Run without leader election: there is only one replica" },
  };
}

export type ReadClusterFlags =
  | { readonly ok: true; readonly settings: ExternalClusterSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

const leaseForm = /^(?:([a-z0-9-]+)\/)?([a-z0-9.-]+)$/;

/** Reads the flags of `clusterFlags` and `--log-level`; the problems are one sentence each. */
export function readClusterFlags(flags: Invocation["flags"]): ReadClusterFlags {
  const serving = readServingFlags(flags);
  const logLevel = readLogLevel(flags);
  const problems = [
    ...numberProblems(flags, "port", ports),
    ...(serving.ok ? [] : serving.problems),
    ...(leaseForm.test(flagText(flags, "lease")) ? [] : ["--lease must be NAME or NAMESPACE/NAME"]),
    ...(logLevel.ok ? [] : logLevel.problems),
  ];
  if (problems.length > 0 || !serving.ok || !logLevel.ok) return { ok: false, problems };
  const settings = {
    ...placesOf(flags),
    ...(serving.serving && { serving: serving.serving }),
    logLevel: logLevel.level,
  };
  return { ok: true, settings };
}

function placesOf(flags: Invocation["flags"]): Omit<ExternalClusterSettings, "serving" | "logLevel"> {
  const [, namespace, name = ""] = leaseForm.exec(flagText(flags, "lease")) ?? [];
  const lease = { name, ...(namespace !== undefined && { namespace }) };
  return {
    port: Number(flagText(flags, "port")),
    ...(flags["kubeconfig"] !== undefined && { kubeconfig: flagText(flags, "kubeconfig") }),
    ...(flags["context"] !== undefined && { context: flagText(flags, "context") }),
    ...(flags["no-lease"] !== true && { lease }),
  };
}
