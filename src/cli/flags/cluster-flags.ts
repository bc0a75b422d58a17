import type { LogLevel } from "../../machinery/log/logger.ts";
import type { Flags, Invocation } from "../command.ts";
import { numberProblems, ports, readLogLevel, flagText } from "./program-flags.ts";
import { isIP } from "node:net";
import type { CertificateFiles } from "../../machinery/https-server/serving-certificate.ts";

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
    ...diagnosticsFlags(defaults.port, "health, metrics and decisions"),
    lease: {
      type: "string",
      default: defaults.lease,
      value: "[NAMESPACE/]NAME",
      help: defaults.leaseHelp,
    },
    "no-lease": { type: "boolean", help: "Run without leader election: there is only one replica" },
  };
}

/** The flags that say where a program serves its diagnostics. */
export function diagnosticsFlags(port: number, what: string): Flags {
  return {
    port: {
      type: "string",
      default: String(port),
      value: "PORT",
      help: `Port of ${what}, on loopback unless --bind is given; 0: any free port`,
    },
    ...servingFlags,
  };
}

export type ReadClusterFlags =
  | { readonly ok: true; readonly settings: ExternalClusterSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

const leaseForm = /^(?:([a-z0-9-]+)\/)?([a-z0-9.-]+)$/;

/** Reads the flags of `clusterFlags` and `--log-level`, without a Lease where a command has none; the problems are one sentence each. */
export function readClusterFlags(flags: Invocation["flags"]): ReadClusterFlags {
  const serving = readServingFlags(flags);
  const logLevel = readLogLevel(flags);
  const problems = [
    ...numberProblems(flags, "port", ports),
    ...(serving.ok ? [] : serving.problems),
    ...(flags["lease"] === undefined || leaseForm.test(flagText(flags, "lease"))
      ? []
      : ["--lease must be NAME or NAMESPACE/NAME"]),
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
    ...(name !== "" && flags["no-lease"] !== true && { lease }),
  };
}

/** Where a program serves its diagnostics to other machines, and with which certificate. */
interface ServingSettings {
  readonly address: string;
  /** Absent: a certificate of its own. */
  readonly files?: CertificateFiles;
}

/** The flags of a program that can be run as a Pod. */
const servingFlags: Flags = {
  bind: {
    type: "string",
    value: "ADDRESS",
    help: "Serve health, metrics and decisions at this IP address over TLS, to those whom the API server allows",
  },
  "tls-cert-file": {
    type: "string",
    value: "FILE",
    help: "Certificate for --bind, as PEM (default: a self-signed one)",
  },
  "tls-private-key-file": {
    type: "string",
    value: "FILE",
    help: "Private key of the certificate, as PEM",
  },
};

type ReadServing =
  | { readonly ok: true; readonly serving?: ServingSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the flags; without `--bind` there is nothing to serve to other machines. */
function readServingFlags(flags: Invocation["flags"]): ReadServing {
  const [address, certificate, key] = ["bind", "tls-cert-file", "tls-private-key-file"].map((name) =>
    flagText(flags, name),
  );
  const problems = problemsOf(flags);
  if (problems.length > 0) return { ok: false, problems };
  if (!address) return { ok: true };
  return { ok: true, serving: { address, ...(certificate && key && { files: { certificate, key } }) } };
}

function problemsOf(flags: Invocation["flags"]): readonly string[] {
  const isGiven = (name: string) => flags[name] !== undefined;
  const [hasCertificate, hasKey] = [isGiven("tls-cert-file"), isGiven("tls-private-key-file")];
  return [
    ...(isGiven("bind") && isIP(flagText(flags, "bind")) === 0
      ? ["--bind must be an IP address, such as 0.0.0.0 or ::"]
      : []),
    ...(hasCertificate === hasKey ? [] : ["--tls-cert-file and --tls-private-key-file need each other"]),
    ...((hasCertificate || hasKey) && !isGiven("bind") ? ["--tls-cert-file needs --bind"] : []),
  ];
}
