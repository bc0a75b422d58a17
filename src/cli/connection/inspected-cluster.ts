import { existsSync } from "node:fs";
import type { Connection, ConnectionResult } from "../../machinery/client/connection/connection.ts";
import { kubeconfigPaths } from "../../machinery/client/connection/kubeconfig.ts";
import { connectionFlags } from "../flags/cluster-flags.ts";
import type { Flags, Invocation } from "../command.ts";
import { findConnection, connectionOfNamed, connectionOfOnly } from "./find-connection.ts";
import { flagText } from "../flags/flag-values.ts";

/** The flags of commands that read a cluster: which one, and which namespace of it. */
export const inspectionFlags = {
  name: { type: "string", value: "NAME", help: "The cluster that trimtab up started with this name" },
  ...connectionFlags,
  namespace: {
    type: "string",
    short: "n",
    value: "NAME",
    help: "The namespace (default: that of the context)",
  },
} satisfies Flags;

/** The flag of a file that takes the place of a cluster. */
export const snapshotFlag = {
  snapshot: { type: "string", value: "FILE", help: "A file of trimtab snapshot, in place of a cluster" },
} satisfies Flags;

/** Returns the problems of flags that `--snapshot` excludes. */
export function snapshotProblems(
  flags: Invocation["flags"],
  others: readonly string[] = [],
): readonly string[] {
  if (flags["snapshot"] === undefined) return [];
  return [...others, "name", "kubeconfig", "context"].flatMap((name) =>
    flags[name] === undefined ? [] : [`--snapshot excludes --${name}`],
  );
}

/** A cluster that a command reads. */
export type InspectedCluster =
  | { readonly ok: true; readonly connection: Connection; readonly namespace: string }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Finds the cluster of the flags: the one of `--name`, the one that kubectl would use, or, where kubectl has no
 * kubeconfig, the only one that `trimtab up` runs here.
 */
export function findInspectedCluster(
  flags: Invocation["flags"],
  env: NodeJS.ProcessEnv = process.env,
): InspectedCluster {
  const found = connectionOf(flags, env);
  if (!found.ok) return { ok: false, problems: found.errors };
  const { connection } = found;
  return { ok: true, connection, namespace: flagText(flags, "namespace") || connection.namespace };
}

function connectionOf(flags: Invocation["flags"], env: NodeJS.ProcessEnv): ConnectionResult {
  const given = givenConnection(flags, env);
  if (given !== undefined) return given;
  const isInside = (env["KUBERNETES_SERVICE_HOST"] ?? "") !== "";
  const isKubectlConfigured = kubeconfigPaths(env).some((file) => existsSync(file));
  return isInside || isKubectlConfigured ? findConnection({}, env) : connectionOfOnly();
}

/** The cluster of `--name`, of `--kubeconfig` and `--context`, or of $KUBECONFIG; `undefined` when none is named. */
export function givenConnection(
  flags: Invocation["flags"],
  env: NodeJS.ProcessEnv,
): ConnectionResult | undefined {
  const given = (name: string) => (flags[name] === undefined ? undefined : flagText(flags, name));
  const [name, kubeconfig, context] = [given("name"), given("kubeconfig"), given("context")];
  const hasFlag = kubeconfig !== undefined || context !== undefined;
  if (name !== undefined && hasFlag)
    return { ok: false, errors: ["--name excludes --kubeconfig and --context"] };
  if (name !== undefined) return connectionOfNamed(name);
  return hasFlag || (env["KUBECONFIG"] ?? "") !== ""
    ? findConnection({ kubeconfig, context }, env)
    : undefined;
}
