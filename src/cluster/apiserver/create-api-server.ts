import type { FeatureGates } from "../../api/feature-gates.ts";
import type { JsonObject } from "../../api/json.ts";
import { kindStrategyOf } from "../../api/kinds/strategies.ts";
import { schemaTable } from "../../api/schema/table.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import type { Random } from "../../machinery/random/random.ts";
import { newSecret } from "../../machinery/random/system-random.ts";
import { inProcessClient } from "../in-process-client.ts";
import type { Store } from "../store/store.ts";
import type { User } from "./request/api-request.ts";
import { adminGroup } from "./auth/authorization.ts";
import {
  type CertificateAuthority,
  createCertificateAuthority,
} from "../../machinery/certificates/certificate.ts";
import { createDiscovery } from "./discovery/discovery.ts";
import { createRequestHandler, type RequestHandler } from "./handlers/request-handler.ts";
import { expireEvents } from "./storage/expire-events.ts";
import { tokenAuthenticator } from "./auth/authenticate.ts";
import { defaultInFlightLimits, type HttpDependencies } from "./http/http-dependencies.ts";
import { listen, type Listening, type ListenOptions } from "./http/listen.ts";
import { createOpenApi } from "./openapi/openapi.ts";
import { serveResources, type ServedResources } from "./served-resources.ts";
import type { ServerContext } from "./server-context.ts";
import { storeIndexes } from "./storage/store-indexes.ts";
import { withServedSubresources } from "./handlers/subresources/subresource-handlers.ts";
import { noVirtualLeases, type VirtualLeases } from "./storage/virtual-leases.ts";

/** What an API server is made from. */
export interface ApiServerOptions extends Partial<
  Pick<HttpDependencies, "readiness" | "metrics" | "debug" | "limits">
> {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
  /** Read whenever it matters. */
  readonly gates: () => FeatureGates;
  readonly log: Logger;
  /** Kinds that something in the cluster acts on, as `Kind` or `Kind.group`. */
  readonly runKinds?: ReadonlySet<string>;
  readonly virtualLeases?: VirtualLeases;
  /** Whoever bears it is the administrator; made up when not given. */
  readonly token?: string;
  /** Of the product, shown behind the version of Kubernetes. */
  readonly version?: string;
}

/** What a client needs besides the address. */
export interface ApiServerAccess extends Listening {
  /** The certificate of the authority that signed the server's own, as PEM. */
  readonly ca: string;
  readonly token: string;
}

/** An API server: the API itself, and the doors to it. */
export interface ApiServer {
  readonly requestHandler: RequestHandler;
  readonly resources: ServedResources;
  /** The API for what lives in this process. */
  readonly client: Client;
  /** Opens the API to other processes. */
  listen(
    options: Pick<ListenOptions, "host" | "port" | "names"> & { readonly authority?: CertificateAuthority },
  ): Promise<ApiServerAccess>;
  /** Closes every door and keeps nothing alive afterwards; the store stays as it is. */
  close(): Promise<void>;
}

const inProcessUser: User = { name: "system:trimtab", groups: [adminGroup, "system:authenticated"] };
const admin: User = { name: "admin", groups: [adminGroup, "system:authenticated"] };

/** Puts an API server together; it listens nowhere until told to. */
export function createApiServer(options: ApiServerOptions): ApiServer {
  const { clock, random, store, gates, log, token = newSecret() } = options;
  store.addIndexes(storeIndexes);
  const resources = serveResources(kindStrategyOf);
  const authenticate = tokenAuthenticator(new Map([[token, admin]]));
  const context: ServerContext = {
    clock,
    random: random.fork("apiserver"),
    store,
    gates,
    resources,
    runKinds: options.runKinds ?? new Set(),
    virtualLeases: options.virtualLeases ?? noVirtualLeases,
    authenticate,
  };
  const engine = createRequestHandler(context);
  const told = resources.all.map(withServedSubresources);
  const stopExpiry = expireEvents(store.collection("events"), clock);
  const doors = new Set<Listening>();
  const client = inProcessClient({ requestHandler: engine, resources, user: inProcessUser });
  // A stream of its own: requests from outside must not change what is drawn inside.
  const chance = random.fork("http");
  const edgeAt = (address: string, names: readonly string[]): HttpDependencies => ({
    requestHandler: engine,
    resources,
    clock,
    random: chance,
    log,
    gates,
    discovery: createDiscovery({ resources: told, serverAddress: address }),
    openApi: createOpenApi(told),
    version: versionInfo(options.version),
    readiness: options.readiness ?? (() => []),
    authenticate,
    hosts: new Set(names.map((name) => (name.includes(":") ? `[${name}]` : name.toLowerCase()))),
    metrics: options.metrics,
    debug: options.debug,
    limits: options.limits ?? defaultInFlightLimits,
    inFlight: { watches: 0, writes: 0 },
  });
  return {
    requestHandler: engine,
    resources,
    client,
    async listen({ authority = createCertificateAuthority(clock.now(), chance), ...place }) {
      const door = await listen(edgeAt, { ...place, authority, now: clock.now(), random: chance });
      doors.add(door);
      return { ...door, ca: authority.certificate, token };
    },
    async close() {
      stopExpiry();
      await Promise.all([...doors].map((door) => door.close()));
    },
  };
}

/** The patch release of Kubernetes whose behaviour this follows. */
const patchRelease = 4;

/** Kubernetes speaks of machines in Go's words. */
const goArchitectures: ReadonlyMap<string, string> = new Map([
  ["x64", "amd64"],
  ["ia32", "386"],
]);

function versionInfo(product = "0.0.0"): JsonObject {
  const { kubernetes } = schemaTable();
  const [major = "", minor = ""] = kubernetes.split(".");
  return {
    major,
    minor,
    gitVersion: `v${kubernetes}.${patchRelease}-trimtab.${product}`,
    gitCommit: "",
    gitTreeState: "",
    buildDate: "1970-01-01T00:00:00Z",
    goVersion: "none",
    compiler: "node",
    platform: `${process.platform}/${goArchitectures.get(process.arch) ?? process.arch}`,
  };
}
