import path, { type PlatformPath } from "node:path";
import type { ConnectionResult } from "./connection.ts";
import {
  type KubeconfigDocument,
  type KubeconfigEntry,
  readKubeconfigDocument,
  kubeconfigText,
} from "./kubeconfig-document.ts";
import { kubeconfigConnection } from "./kubeconfig-entry.ts";
import { type ReadTextFile, readTextFile } from "./text-file.ts";

export interface KubeconfigOptions {
  /** Read in this order; earlier files take precedence. */
  readonly paths: readonly string[];
  /** Absent: the current context. */
  readonly context?: string | undefined;
  /** Names proxies; absent: none. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly readFile?: ReadTextFile | undefined;
}

/**
 * The files kubectl would read: `$KUBECONFIG`, a list separated by colons, on Windows by semicolons, or `~/.kube/config`.
 * The paths are those of this machine unless others are given.
 */
export function kubeconfigPaths(
  env: Readonly<Record<string, string | undefined>>,
  paths: PlatformPath = path,
): readonly string[] {
  const listed = (env["KUBECONFIG"] ?? "").split(paths.delimiter).filter((file) => file !== "");
  // upstream: homedir.HomeDir, which on Windows looks for HOME first, too
  const home = env["HOME"] || env["USERPROFILE"] || "";
  return listed.length > 0 ? listed : [paths.join(home, ".kube", "config")];
}

/** Reads the connection to a cluster from kubeconfig files; reports all errors together. */
export function loadKubeconfig(options: KubeconfigOptions): ConnectionResult {
  const { paths, readFile = readTextFile, env = {} } = options;
  const errors: string[] = [];
  const document = readKubeconfigDocument(paths, readFile, errors);
  if (errors.length > 0) return { ok: false, errors };

  const choice = choose(document, options.context ?? document.currentContext, errors);
  if (choice === undefined) return { ok: false, errors };

  const namespace = kubeconfigText(choice.context.body, "namespace") ?? "default";
  const connection = {
    ...kubeconfigConnection(choice.cluster, choice.user, { readFile, env, errors }),
    namespace,
  };
  return errors.length > 0 ? { ok: false, errors } : { ok: true, connection };
}

interface Choice {
  readonly context: KubeconfigEntry;
  readonly cluster: KubeconfigEntry;
  readonly user: KubeconfigEntry;
}

function choose(
  document: KubeconfigDocument,
  name: string | undefined,
  errors: string[],
): Choice | undefined {
  const context = document.contexts.find((entry) => entry.name === name);
  if (context === undefined) {
    const what = name === undefined ? "a current-context" : `a context "${name}"`;
    const known = document.contexts.map((entry) => entry.name).join(", ");
    errors.push(`the kubeconfig does not have ${what} (its contexts: ${known || "none"})`);
    return undefined;
  }
  const cluster = follow(context, "cluster", document.clusters);
  const user = follow(context, "user", document.users) ?? anonymous;
  for (const found of [cluster, user]) if (typeof found === "string") errors.push(found);
  if (cluster === undefined) errors.push(`context "${context.name}" names no cluster`);
  if (typeof cluster !== "object" || typeof user !== "object") return undefined;
  return { context, cluster, user };
}

// A context may have no user: some servers require no credentials.
const anonymous: KubeconfigEntry = { name: "", folder: "", body: {} };

/** The entry a context refers to; an error message when it does not exist; `undefined` when it refers to none. */
function follow(
  context: KubeconfigEntry,
  kind: "cluster" | "user",
  entries: readonly KubeconfigEntry[],
): KubeconfigEntry | string | undefined {
  const name = kubeconfigText(context.body, kind);
  if (name === undefined) return undefined;
  return (
    entries.find((entry) => entry.name === name) ??
    `${kind} "${name}", which context "${context.name}" names, is not in the kubeconfig`
  );
}
