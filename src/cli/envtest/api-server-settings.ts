import path from "node:path";
import { defaultFeatureGates, type FeatureGates, parseFeatureGates } from "../../api/feature-gates.ts";
import { messageOf } from "../../api/message-of.ts";
import { type GivenTokenKeys, givenTokenSigner } from "../../cluster/apiserver/auth/given-token-keys.ts";
import { serviceNetworkOf } from "../../cluster/apiserver/registry/service-network.ts";
import type { ApiServerChoices } from "../../cluster/cluster-options.ts";
import { type ReadTextFile, readTextFile } from "../../machinery/client/connection/text-file.ts";
import type { CertificateFiles } from "../../machinery/https-server/serving-certificate.ts";
import { readAdmissionPlugins } from "./admission-plugin-flags.ts";
import { apiServerFlags, knownApiServerFlags } from "./api-server-flag-table.ts";
import { type GivenFlags, commaSeparated, lastOf, readCommandLine } from "./command-line-flags.ts";
import { parseProblem } from "./flag-values.ts";
import { readAlwaysOnGates } from "./kubernetes-gates.ts";

/** What the flags of kube-apiserver ask for. */
export interface ApiServerSettings {
  readonly host: string;
  readonly port: number;
  readonly certificate: CertificateFiles;
  /** Whether the certificate is made where its files do not exist. */
  readonly makesCertificate: boolean;
  readonly choices: ApiServerChoices;
  readonly gates: FeatureGates;
}

export type ReadSettings =
  | { readonly ok: true; readonly settings: ApiServerSettings; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problem: string };

/** Thrown inside this module for the first flag that cannot be honoured. */
class FlagProblem extends Error {}

/** Reads the command line of kube-apiserver; the first thing that cannot be honoured is the problem. */
export function readApiServerSettings(
  words: readonly string[],
  read: ReadTextFile = readTextFile,
): ReadSettings {
  const parsed = readCommandLine(words, knownApiServerFlags);
  if (!parsed.ok) return parsed;
  const { flags } = parsed;
  try {
    refuseValues(flags);
    refuseWords(parsed.words);
    refuseOthers(flags);
    return { ok: true, settings: settingsOf(flags, read), warnings: unknownFlags(flags) };
  } catch (error) {
    if (error instanceof FlagProblem) return { ok: false, problem: error.message };
    throw error;
  }
}

/** Refuses values that kube-apiserver cannot parse, in its own words. */
function refuseValues(flags: GivenFlags): void {
  for (const [name, values] of flags)
    for (const value of values) {
      const problem = parseProblem(name, value);
      if (problem !== undefined) throw invalidArgument(name, value, problem);
    }
}

function refuseWords(words: readonly string[]): void {
  if (words.every((word) => word === "")) return;
  const all = words.map((word) => JSON.stringify(word)).join(" ");
  throw new FlagProblem(`"kube-apiserver" does not take any arguments, got [${all}]`);
}

function refuseOthers(flags: GivenFlags): void {
  for (const [name, values] of flags) {
    const rule = apiServerFlags.get(name);
    if (rule?.use !== "refused") continue;
    const value = values.join(",");
    if (!rule.unless.includes(value)) throw invalidArgument(name, value, `not supported: ${rule.because}`);
  }
}

const invalidArgument = (name: string, value: string, why: string) =>
  new FlagProblem(`invalid argument ${JSON.stringify(value)} for "--${name}" flag: ${why}`);

function unknownFlags(flags: GivenFlags): readonly string[] {
  const unknown = [...flags.keys()].filter((name) => !apiServerFlags.has(name)).map((name) => `--${name}`);
  if (unknown.length === 0) return [];
  const [what, has] = unknown.length === 1 ? ["the flag", "has"] : ["the flags", "have"];
  return [`${what} ${unknown.join(", ")} ${has} no effect here`];
}

function settingsOf(flags: GivenFlags, read: ReadTextFile): ApiServerSettings {
  if (lastOf(flags, "etcd-servers") === "") throw new FlagProblem("--etcd-servers must be specified");
  const gates = gatesIn(flags);
  const admission = readAdmissionPlugins(flags);
  if (!admission.ok) throw new FlagProblem(admission.problem);
  const clientAuthority = authorityIn(flags, read);
  return {
    host: lastOf(flags, "bind-address") || "127.0.0.1",
    port: portIn(flags),
    ...certificateIn(flags),
    choices: {
      ...tokensIn(flags, read),
      ...networkIn(flags),
      ...(clientAuthority !== undefined && { clientAuthority }),
      disabledAdmission: admission.disabled,
      hasStorageClasses: false,
    },
    gates,
  };
}

function gatesIn(flags: GivenFlags): FeatureGates {
  const wanted = commaSeparated(flags, "feature-gates").join(",");
  const { others, problems } = readAlwaysOnGates(wanted);
  const gates = parseFeatureGates(others, defaultFeatureGates);
  const errors = [...problems, ...(gates.ok ? [] : gates.errors)];
  if (!gates.ok || errors.length > 0) throw invalidArgument("feature-gates", wanted, errors.join("; "));
  return gates.gates;
}

function portIn(flags: GivenFlags): number {
  const text = lastOf(flags, "secure-port") || "6443";
  const port = Number(text);
  if (port < 1 || port > 65_535)
    throw new FlagProblem(
      `--secure-port ${port} must be between 1 and 65535, inclusive. It cannot be turned off with 0`,
    );
  return port;
}

function certificateIn(flags: GivenFlags): Pick<ApiServerSettings, "certificate" | "makesCertificate"> {
  const [certificate, key] = [lastOf(flags, "tls-cert-file"), lastOf(flags, "tls-private-key-file")];
  if ((certificate === "") !== (key === ""))
    throw new FlagProblem("--tls-cert-file and --tls-private-key-file need each other");
  if (certificate !== "") return { certificate: { certificate, key }, makesCertificate: false };
  const folder = lastOf(flags, "cert-dir") || "/var/run/kubernetes";
  const file = (name: string) => path.join(folder, name);
  return {
    certificate: { certificate: file("apiserver.crt"), key: file("apiserver.key") },
    makesCertificate: true,
  };
}

function authorityIn(flags: GivenFlags, read: ReadTextFile): string | undefined {
  const file = lastOf(flags, "client-ca-file");
  if (file === "") return undefined;
  const text = textOf(file, "client-ca-file", read);
  if (!text.includes("-----BEGIN CERTIFICATE-----"))
    throw new FlagProblem(
      `--client-ca-file ${file}: data does not contain any valid RSA or ECDSA certificates`,
    );
  return text;
}

function textOf(file: string, flag: string, read: ReadTextFile): string {
  const found = read(file);
  if (!found.ok) throw new FlagProblem(`--${flag} ${file}: ${found.reason}`);
  return found.text;
}

type Tokens = Pick<ApiServerChoices, "tokenSigner" | "tokenIssuer">;

function tokensIn(flags: GivenFlags, read: ReadTextFile): Tokens {
  const issuer = issuerIn(flags);
  const signing = lastOf(flags, "service-account-signing-key-file");
  const verification = flags.get("service-account-key-file") ?? [];
  if (signing === "" && verification.length > 0)
    throw new FlagProblem("--service-account-key-file needs --service-account-signing-key-file");
  if (signing === "") return { ...(issuer !== undefined && { tokenIssuer: issuer }) };
  if (issuer === undefined)
    throw new FlagProblem("--service-account-signing-key-file needs --service-account-issuer");
  const tokenSigner = signerOf({
    signing: textOf(signing, "service-account-signing-key-file", read),
    verification: (verification.length === 0 ? [signing] : verification).map((file) =>
      textOf(file, "service-account-key-file", read),
    ),
  });
  return { tokenSigner, tokenIssuer: issuer };
}

function issuerIn(flags: GivenFlags): string | undefined {
  const [issuer, ...others] = flags.get("service-account-issuer") ?? [];
  const refused = (flag: string, values: readonly string[]) =>
    invalidArgument(
      flag,
      values.join(","),
      "not supported: tokens have one issuer here, who is the audience",
    );
  if (others.length > 0) throw refused("service-account-issuer", others);
  const audiences = commaSeparated(flags, "api-audiences");
  if (audiences.length > 0 && audiences.join(",") !== issuer) throw refused("api-audiences", audiences);
  return issuer;
}

function signerOf(keys: GivenTokenKeys) {
  try {
    return givenTokenSigner(keys);
  } catch (error) {
    // The text of a file is no key.
    throw new FlagProblem(messageOf(error));
  }
}

function networkIn(flags: GivenFlags): Pick<ApiServerChoices, "serviceNetwork"> {
  const range = lastOf(flags, "service-cluster-ip-range");
  if (range === "") return {};
  const serviceNetwork = serviceNetworkOf(range);
  if (serviceNetwork === undefined)
    throw invalidArgument(
      "service-cluster-ip-range",
      range,
      "must be one IPv4 range with at least four addresses",
    );
  return { serviceNetwork };
}
