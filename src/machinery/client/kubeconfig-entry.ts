import { resolve } from "node:path";
import type { Connection, Credential, TlsSettings } from "./connection.ts";
import { type KubeconfigEntry, textAt } from "./kubeconfig-document.ts";
import type { ReadTextFile } from "./text-file.ts";

/** How files are read, and where errors are collected. */
export interface ReadContext {
  readonly readFile: ReadTextFile;
  readonly errors: string[];
}

/** The connection that a cluster entry and a user entry describe. */
export function connectionOf(
  cluster: KubeconfigEntry,
  user: KubeconfigEntry,
  reading: ReadContext,
): Omit<Connection, "namespace"> {
  refuseUnsupported("cluster", cluster, reading.errors);
  refuseUnsupported("user", user, reading.errors);
  return {
    server: serverOf(cluster, reading.errors),
    credential: credentialOf(user),
    tls: tlsOf(cluster, user, reading),
  };
}

/** Settings that change the server or the user: ignoring one silently would be worse than failing. */
const unsupported = {
  cluster: ["proxy-url"],
  user: ["exec", "auth-provider", "username", "password", "as", "as-uid", "as-groups", "as-user-extra"],
} as const;

function refuseUnsupported(kind: "cluster" | "user", entry: KubeconfigEntry, errors: string[]): void {
  for (const key of unsupported[kind]) {
    const value = entry.body[key];
    if (value !== undefined && value !== null && value !== "")
      errors.push(`${kind} "${entry.name}": not supported yet: ${key}`);
  }
}

function serverOf(cluster: KubeconfigEntry, errors: string[]): string {
  const server = textAt(cluster.body, "server");
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
  return address.replace(/\/+$/, "");
}

function credentialOf(user: KubeconfigEntry): Credential {
  const path = textAt(user.body, "tokenFile");
  if (path !== undefined) return { type: "token-file", path: resolve(user.folder, path) };
  const token = textAt(user.body, "token");
  return token === undefined ? { type: "none" } : { type: "token", token };
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
    ca: textOf(ca),
    certificate: textOf(certificate),
    key: textOf(key),
    serverName: textAt(cluster.body, "tls-server-name"),
    skipVerify: cluster.body["insecure-skip-tls-verify"] === true,
  };
}

type Pem = string | { readonly problem: string } | undefined;

/** The PEM under `key-data`, in base64, or else in the file under `key`. */
function pemAt({ body, folder }: KubeconfigEntry, key: string, readFile: ReadTextFile): Pem {
  const data = textAt(body, `${key}-data`);
  if (data !== undefined) {
    const pem = Buffer.from(data, "base64").toString("utf8");
    return isPem(pem) ? pem : { problem: `${key}-data is not a PEM in base64` };
  }
  const path = textAt(body, key);
  if (path === undefined) return undefined;
  const file = readFile(resolve(folder, path));
  if (!file.ok) return { problem: `${key} ${path}: ${file.reason}` };
  return isPem(file.text) ? file.text : { problem: `${key} ${path} is not a PEM` };
}

function textOf(pem: Pem): string | undefined {
  return typeof pem === "string" ? pem : undefined;
}

function isPem(text: string): boolean {
  return text.includes("-----BEGIN ");
}
