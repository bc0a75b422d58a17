import type { Connection, ConnectionResult } from "./connection.ts";
import { proxyFromEnvironment } from "./proxy.ts";
import { type ReadTextFile, readTextFile } from "./text-file.ts";

/** Where Kubernetes mounts the credentials of a Pod. */
const serviceAccountFolder = "/var/run/secrets/kubernetes.io/serviceaccount";
const tokenFile = `${serviceAccountFolder}/token`;

export interface InClusterOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readFile?: ReadTextFile | undefined;
}

/** The connection of a program in a Pod to the API server of its cluster, as the Pod's ServiceAccount. */
export function inClusterConnection({ env, readFile = readTextFile }: InClusterOptions): ConnectionResult {
  const host = env["KUBERNETES_SERVICE_HOST"] ?? "";
  const port = env["KUBERNETES_SERVICE_PORT"] ?? "";
  const errors: string[] = [];
  if (host === "" || port === "")
    errors.push("not in a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set");

  const read = (name: string) => {
    const path = `${serviceAccountFolder}/${name}`;
    const file = readFile(path);
    if (!file.ok) errors.push(`not in a cluster, or without a service account: ${path}: ${file.reason}`);
    return file.ok ? file.text : "";
  };
  const ca = read("ca.crt");
  read("token");
  if (errors.length > 0) return { ok: false, errors };

  const namespace = readFile(`${serviceAccountFolder}/namespace`);
  const server = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
  return {
    ok: true,
    connection: {
      server,
      proxy: proxyFromEnvironment(server, env),
      credential: { type: "token-file", path: tokenFile },
      tls: { ca, skipVerify: false },
      namespace: namespace.ok ? namespace.text.trim() : "default",
    },
  };
}

/** Reports whether a connection is that of a Pod to its own cluster. */
export function isInCluster({ credential }: Pick<Connection, "credential">): boolean {
  return credential.type === "token-file" && credential.path === tokenFile;
}
