import { leases } from "../api/resources.ts";
import { networkClock } from "../machinery/clock/clock.ts";
import { createFrontProxy } from "./apiserver/aggregation/front-proxy.ts";
import { type ApiServer, createApiServer } from "./apiserver/create-api-server.ts";
import type { ClusterOptions } from "./cluster-options.ts";
import { configurationEndpoint } from "./configuration-endpoint.ts";
import { decisionsEndpoint } from "./decisions-endpoint.ts";
import {
  allOf,
  clientAuthorityOf,
  type ClusterHost,
  type ClusterOf,
  startClusterOn,
} from "./start-cluster-on.ts";
import { timeEndpoint } from "./time-endpoint.ts";

/** A cluster that runs in this process. */
export type Cluster = ClusterOf<ApiServer>;

/** Starts store, API server and components; resolves when all informers have synced. */
export function startCluster(options: ClusterOptions): Promise<Cluster> {
  return startClusterOn(node, options);
}

/** A program of Node: its API server can listen, and shows below `/debug/` what administrators may ask. */
const node: ClusterHost<ApiServer> = {
  createApi(options, { settings, isReady }) {
    const { clock, store, decisions, version, metricsText, token } = settings;
    const time = timeEndpoint({ ...settings, leases: () => allOf(store, leases) });
    const configuration = configurationEndpoint(settings);
    const debug = decisionsEndpoint(decisions);
    const outsideRequests = settings.outsideRequests?.({ store, clock: networkClock(clock) });
    return createApiServer({
      ...options,
      debug: (path, query) =>
        time.read(path) ?? configuration(path) ?? outsideRequests?.debug(path, query) ?? debug(path, query),
      debugAction: async (path, query) =>
        (await time.act(path, query)) ?? (await settings.debugAction?.(path, query)),
      readiness: () => [{ name: "informer-sync", ok: isReady() }],
      ...(token !== undefined && { token }),
      ...(outsideRequests !== undefined && { outsideRequests }),
      ...(version !== undefined && { version }),
      ...(metricsText !== undefined && { metrics: metricsText }),
    });
  },

  createFrontProxy(settings) {
    const { extensionServers, clock, random } = settings;
    if (extensionServers === undefined || clientAuthorityOf(settings) === "") return undefined;
    return createFrontProxy(networkClock(clock).now(), random.fork("front-proxy"));
  },
};
