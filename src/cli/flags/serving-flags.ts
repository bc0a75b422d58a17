import { isIP } from "node:net";
import type { CertificateFiles } from "../../machinery/https-server/serving-certificate.ts";
import type { Flags, Invocation } from "../command.ts";
import { flagText } from "./program-flags.ts";

/** Where a program serves its diagnostics to other machines, and with which certificate. */
export interface ServingSettings {
  readonly address: string;
  /** Absent: a certificate of its own. */
  readonly files?: CertificateFiles;
}

/** The flags of a program that can be run as a Pod. */
export const servingFlags: Flags = {
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

export type ReadServing =
  | { readonly ok: true; readonly serving?: ServingSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the flags; without `--bind` there is nothing to serve to other machines. */
export function readServingFlags(flags: Invocation["flags"]): ReadServing {
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
