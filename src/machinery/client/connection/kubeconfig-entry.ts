import { resolve } from "node:path";
import { isJsonObject, type Json } from "../../../api/json.ts";
import { trimRight } from "../../../api/trim-right.ts";
import type { Connection, Credential, TlsSettings } from "./connection.ts";
import { authProviderCredential } from "./kubeconfig-auth-provider.ts";
import { type KubeconfigEntry, kubeconfigText, pemAt, pemText } from "./kubeconfig-document.ts";
import { execPluginOf } from "./kubeconfig-exec.ts";
import { proxyFromEnvironment, proxyProblem } from "./proxy.ts";
import type { ReadTextFile } from "./text-file.ts";

/** How files are read, where proxies are named, and where errors are collected. */
export interface ReadContext {
  readonly readFile: ReadTextFile;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly errors: string[];
}

/** The connection that a cluster entry and a user entry describe. */
export function kubeconfigConnection(
  cluster: KubeconfigEntry,
  user: KubeconfigEntry,
  reading: ReadContext,
): Omit<Connection, "namespace"> {
  const server = serverOf(cluster, reading.errors);
  return {
    server,
    credential: credentialOf(cluster, user, reading),
    tls: tlsOf(cluster, user, reading),
    proxy: proxyOf(cluster, server, reading),
    impersonation: impersonationOf(user),
  };
}

/** `proxy-url` applies to every host; the environment leaves this machine and exceptions out. */
function proxyOf(cluster: KubeconfigEntry, server: string, { env, errors }: ReadContext): string | undefined {
  const named = kubeconfigText(cluster.body, "proxy-url");
  const proxy = named ?? proxyFromEnvironment(server, env);
  const problem = proxy === undefined ? undefined : proxyProblem(proxy);
  const where = named === undefined ? "the proxy of the environment" : `cluster "${cluster.name}": proxy-url`;
  if (problem !== undefined) errors.push(`${where} ${problem}`);
  return proxy;
}

function serverOf(cluster: KubeconfigEntry, errors: string[]): string {
  const server = kubeconfigText(cluster.body, "server");
  if (server === undefined) {
    errors.push(`cluster "${cluster.name}" has no server`);
    return "";
  }
  // As in kubectl, a bare `host:port` means HTTP.
  const address = server.includes("://") ? server : `http://${server}`;
  if (!/^https?:/i.test(address) || !URL.canParse(address))
    errors.push(
      `cluster "${cluster.name}": server ${JSON.stringify(server)} is not an http or https address`,
    );
  return trimRight(address, "/");
}

/** As in kubectl, a plugin or a provider counts only where the entry has no token. */
function credentialOf(cluster: KubeconfigEntry, user: KubeconfigEntry, reading: ReadContext): Credential {
  const { body, folder } = user;
  const path = kubeconfigText(body, "tokenFile");
  if (path !== undefined) return { type: "token-file", path: resolve(folder, path) };
  const token = kubeconfigText(body, "token");
  if (token !== undefined) return { type: "token", token };
  const username = kubeconfigText(body, "username");
  if (username !== undefined)
    return { type: "basic", username, password: kubeconfigText(body, "password") ?? "" };
  if (isJsonObject(body["exec"]))
    return { type: "exec", plugin: execPluginOf(cluster, user, reading.errors) };
  const provider = body["auth-provider"];
  return isJsonObject(provider) ? authProviderCredential(user, provider, reading) : { type: "none" };
}

function tlsOf(
  cluster: KubeconfigEntry,
  user: KubeconfigEntry,
  { readFile, errors }: ReadContext,
): TlsSettings {
  const pemOf = (kind: "cluster" | "user", entry: KubeconfigEntry, key: string) => {
    const pem = pemAt(entry, key, readFile);
    if (typeof pem === "object") errors.push(`${kind} "${entry.name}": ${pem.problem}`);
    return pem;
  };
  const ca = pemOf("cluster", cluster, "certificate-authority");
  const certificate = pemOf("user", user, "client-certificate");
  const key = pemOf("user", user, "client-key");
  if ((certificate === undefined) !== (key === undefined))
    errors.push(`user "${user.name}": client-certificate and client-key go together`);
  return {
    ca: pemText(ca),
    certificate: pemText(certificate),
    key: pemText(key),
    files: certificateFiles(user),
    serverName: kubeconfigText(cluster.body, "tls-server-name"),
    skipVerify: cluster.body["insecure-skip-tls-verify"] === true,
  };
}

function certificateFiles({ body, folder }: KubeconfigEntry): TlsSettings["files"] {
  const fileOf = (key: string) =>
    kubeconfigText(body, `${key}-data`) === undefined ? kubeconfigText(body, key) : undefined;
  const [certificate, key] = [fileOf("client-certificate"), fileOf("client-key")];
  if (certificate === undefined || key === undefined) return undefined;
  return { certificate: resolve(folder, certificate), key: resolve(folder, key) };
}

/** Returns the headers that impersonate the user in `as` and its companions; `undefined` when the entry has none. */
function impersonationOf({ body }: KubeconfigEntry): Connection["impersonation"] {
  const [name, uid, groups] = [
    kubeconfigText(body, "as"),
    kubeconfigText(body, "as-uid"),
    textsOf(body["as-groups"]),
  ];
  const extra = isJsonObject(body["as-user-extra"]) ? body["as-user-extra"] : {};
  const headers: Record<string, string | readonly string[]> = {
    ...(name !== undefined && { "impersonate-user": name }),
    ...(uid !== undefined && { "impersonate-uid": uid }),
    ...(groups.length > 0 && { "impersonate-group": groups }),
  };
  for (const [key, values] of Object.entries(extra))
    headers[`impersonate-extra-${encodeURIComponent(key).toLowerCase()}`] = textsOf(values);
  return Object.keys(headers).length === 0 ? undefined : headers;
}

function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
