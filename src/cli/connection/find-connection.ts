import type { ConnectionResult } from "../../machinery/client/connection/connection.ts";
import { inClusterConnection } from "../../machinery/client/connection/in-cluster.ts";
import { kubeconfigPaths, loadKubeconfig } from "../../machinery/client/connection/kubeconfig.ts";
import { existsSync } from "node:fs";
import { defaultKubeconfig } from "../up/up-settings.ts";
import { findCluster, listClusters } from "../named-clusters/named-cluster.ts";

export interface ConnectionOptions {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Finds the connection: of the given kubeconfig, of the cluster this program runs in, or the one kubectl uses. */
export function findConnection(
  { kubeconfig, context }: ConnectionOptions,
  env: Environment,
): ConnectionResult {
  if (kubeconfig !== undefined) return loadKubeconfig({ paths: [kubeconfig], context, env });
  const isNamed = (env["KUBECONFIG"] ?? "") !== "" || context !== undefined;
  const isInside = (env["KUBERNETES_SERVICE_HOST"] ?? "") !== "";
  return isInside && !isNamed
    ? inClusterConnection({ env })
    : loadKubeconfig({ paths: kubeconfigPaths(env), context, env });
}

/** The connection to the cluster that runs under a name. */
export function connectionOfNamed(name: string): ConnectionResult {
  const cluster = findCluster(name, process.env);
  if (cluster?.state !== "running")
    return { ok: false, errors: [`no cluster named ${JSON.stringify(name)} is running: see trimtab list`] };
  return loadKubeconfig({ paths: [cluster.record.kubeconfig] });
}

/** The connection to the only cluster that runs on this machine, with a name or without one. */
export function connectionOfOnly(): ConnectionResult {
  const running = listClusters(process.env).filter((cluster) => cluster.state === "running");
  const unnamed = defaultKubeconfig();
  const isRecorded = running.some(({ record }) => record.kubeconfig === unnamed);
  const hasUnnamed = !isRecorded && existsSync(unnamed);
  if (running.length + Number(hasUnnamed) > 1) {
    // The kubeconfig of a cluster without a name may be a leftover of one that was killed.
    const choices = [
      ...running.map(({ name }) => `--name=${name}`),
      ...(hasUnnamed ? [`--kubeconfig=${unnamed}`] : []),
    ];
    return { ok: false, errors: [`there are several clusters: choose ${choices.join(" or ")}`] };
  }
  const [only] = running;
  if (only !== undefined) return connectionOfNamed(only.name);
  if (hasUnnamed) return loadKubeconfig({ paths: [unnamed] });
  return { ok: false, errors: ["no cluster is running: trimtab up starts one"] };
}
