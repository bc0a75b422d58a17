import type { ConnectionResult } from "../../machinery/client/connection/connection.ts";
import { inClusterConnection } from "../../machinery/client/connection/in-cluster.ts";
import { kubeconfigPaths, loadKubeconfig } from "../../machinery/client/connection/kubeconfig.ts";

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
