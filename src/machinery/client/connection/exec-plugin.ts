import { execFile } from "node:child_process";
import { isJsonObject, type JsonObject } from "../../../api/json.ts";
import { parseJson } from "../../../api/parse-json.ts";

/** A program that prints credentials, as the `exec` of a kubeconfig names it. */
export interface ExecPlugin {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The provider's hint how to install the program. */
  readonly installHint: string | undefined;
  /** What the program is told of the cluster; absent: nothing. */
  readonly cluster: JsonObject | undefined;
}

export const execApiVersions = [
  "client.authentication.k8s.io/v1",
  "client.authentication.k8s.io/v1beta1",
] as const;

/** What a plugin printed: a token, a client certificate with its key, or both. */
export interface ExecCredential {
  readonly token: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  /** Absent: until the server refuses it. */
  readonly expirationTimestamp: string | undefined;
}

const longestOutput = 1024 * 1024;

/** Runs a plugin without a terminal. Throws one sentence, which quotes its standard error but no credentials. */
export async function runExecPlugin(plugin: ExecPlugin, signal: AbortSignal): Promise<ExecCredential> {
  const { command, args, apiVersion } = plugin;
  const spec = { interactive: false, ...(plugin.cluster && { cluster: plugin.cluster }) };
  const info = JSON.stringify({ apiVersion, kind: "ExecCredential", spec });
  const printed = await new Promise<string>((resolve, reject) => {
    const child = execFile(
      command,
      [...args],
      {
        env: { ...process.env, ...plugin.env, KUBERNETES_EXEC_INFO: info },
        maxBuffer: longestOutput,
        signal,
      },
      (error, out, complaints) =>
        error === null ? resolve(out) : reject(failureOf(plugin, error, complaints)),
    );
    child.stdin?.end();
  });
  return credentialIn(plugin, printed);
}

function failureOf({ command, installHint }: ExecPlugin, error: Error, complaints: string): Error {
  const { code } = error as { readonly code?: string | number | null };
  if (code === "ENOENT") {
    const hint = installHint === undefined ? "" : `; ${installHint.trim()}`;
    return new Error(`the credential plugin ${command} is not there${hint}`, { cause: error });
  }
  const how = typeof code === "number" ? `ended with exit code ${code}` : `failed (${code ?? error.name})`;
  const [line = ""] = complaints.trim().split("\n");
  return new Error(`the credential plugin ${command} ${how}${line === "" ? "" : `: ${line.slice(0, 200)}`}`);
}

function credentialIn({ command, apiVersion }: ExecPlugin, printed: string): ExecCredential {
  const refuse = (why: string) => new Error(`the credential plugin ${command} printed ${why}`);
  const answer = jsonIn(printed);
  if (answer === undefined || answer["kind"] !== "ExecCredential") throw refuse("no ExecCredential");
  if (answer["apiVersion"] !== apiVersion)
    throw refuse(`an ExecCredential of ${JSON.stringify(answer["apiVersion"])}, not of ${apiVersion}`);
  const status = answer["status"];
  if (!isJsonObject(status)) throw refuse("an ExecCredential without status");
  const text = (name: string) => {
    const value = status[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const [token, certificate, key] = [text("token"), text("clientCertificateData"), text("clientKeyData")];
  if ((certificate === undefined) !== (key === undefined))
    throw refuse("a client certificate without its key, or a key without its certificate");
  if (token === undefined && certificate === undefined)
    throw refuse("neither a token nor a client certificate");
  return { token, certificate, key, expirationTimestamp: text("expirationTimestamp") };
}

function jsonIn(text: string): JsonObject | undefined {
  const parsed = parseJson(text);
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined;
}
