import { newSecret } from "../machinery/random/system-random.ts";
import { secretTokenSigner } from "./apiserver/auth/token-signer.ts";
import { createApi, type ServableApi } from "./apiserver/create-api.ts";
import type { ClusterOptions } from "./cluster-options.ts";
import { type ClusterHost, type ClusterOf, startClusterOn } from "./start-cluster-on.ts";

/** A cluster that needs nothing of Node, and that only code of this process can reach. */
export type CoreCluster = ClusterOf<ServableApi>;

const anyHost: ClusterHost<ServableApi> = {
  createApi(options, { settings: { token = newSecret() } }) {
    return createApi({ tokenSigner: secretTokenSigner(token), ...options, token });
  },
};

/** Starts store, API and components in Node or in a browser; resolves when all informers have synced. */
export function startCoreCluster(options: ClusterOptions): Promise<CoreCluster> {
  return startClusterOn(anyHost, options);
}
