import type { RequestListener } from "node:http";
import type { FeatureGates } from "../../api/feature-gates.ts";
import {
  type CertificateAuthority,
  createCertificateAuthority,
} from "../../machinery/certificates/certificate.ts";
import type { Client } from "../../machinery/client/client.ts";
import { type Clock, networkClock } from "../../machinery/clock/clock.ts";
import type { OpenRequest } from "../../machinery/client/http/transport.ts";
import type { HttpsServer } from "../../machinery/https-server/serve-https.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import { runController } from "../../machinery/controller.ts";
import { type Metrics, silentMetrics } from "../../machinery/metrics/metrics.ts";
import type { Random } from "../../machinery/random/random.ts";
import { newSecret } from "../../machinery/random/system-random.ts";
import { inProcessClient } from "../in-process-client.ts";
import type { OutsideRequests } from "../outside-requests.ts";
import type { Store } from "../store/store.ts";
import { type Aggregator, createAggregator } from "./aggregation/aggregator.ts";
import { type ExtensionTransport, noExtensionServers } from "./aggregation/extension-transport.ts";
import { tokenAuthenticator } from "./auth/authenticate.ts";
import { createAuthorizer } from "./auth/authorizer.ts";
import { issuerDiscovery } from "./auth/issuer-discovery.ts";
import { createServiceAccountTokens } from "./auth/service-account-tokens.ts";
import { createTokenSigner, type TokenSigner } from "./auth/signed-token.ts";
import { adminGroup, type User } from "./auth/user.ts";
import type { ConversionFunctions } from "./custom-resources/conversion/object-converter.ts";
import { definitionController } from "./custom-resources/definition-controller.ts";
import { serveCustomKinds } from "./custom-resources/serve-custom-kinds.ts";
import { createDiscovery } from "./discovery/discovery.ts";
import { createRequestHandler, type RequestHandler } from "./handlers/request-handler.ts";
import { publishedResources } from "./handlers/subresources/subresource-handlers.ts";
import { apiServerChecks, apiServerReadiness } from "./http/health-checks.ts";
import {
  defaultInFlightLimits,
  type HttpDependencies,
  type InFlightRequests,
} from "./http/http-dependencies.ts";
import { inProcessExchange, type InProcessOptions } from "./http/in-process-exchange.ts";
import { listen, type ApiServerListenOptions } from "./http/listen.ts";
import { requestListener } from "./http/request-listener.ts";
import { createOpenApi } from "./openapi/openapi.ts";
import { createContinueTokens } from "./request/continue-token.ts";
import { createKindRegistry, type KindRegistry } from "./kind-registry.ts";
import { serveBuiltInKinds } from "./kinds/serve-built-in-kinds.ts";
import { defaultServiceNetwork, type ServiceNetwork } from "./registry/service-network.ts";
import type { OptionalAdmission, ServerContext } from "./server-context.ts";
import { expireEvents } from "./storage/expire-events.ts";
import { type HeapReading, unlimitedHeap } from "./storage/storage-limits.ts";
import { storeIndexes } from "./storage/store-indexes.ts";
import { noVirtualLeases, type VirtualLeases } from "./storage/virtual-leases.ts";
import { versionInfo } from "./version-info.ts";
import { createAdmissionWebhooks } from "./webhooks/admission-webhooks.ts";
import { noWebhookCalls, type WebhookTransport } from "./webhooks/webhook-transport.ts";

/** The dependencies and settings of an API server. */
export interface ApiServerOptions extends Partial<
  Pick<HttpDependencies, "readiness" | "metrics" | "debug" | "debugAction">
> {
  readonly limits?: Partial<InFlightRequests>;
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
  /** Read at the point of use: gates may be switched while the server runs. */
  readonly gates: () => FeatureGates;
  readonly log: Logger;
  /** Kinds that a component of the cluster runs, as `Kind` or `Kind.group`. */
  readonly runKinds?: ReadonlySet<string>;
  readonly virtualLeases?: VirtualLeases;
  /** How full the memory of the process is; absent: not watched. */
  readonly heap?: () => HeapReading;
  /** Where the server's metrics are registered; absent: nowhere. */
  readonly instruments?: Metrics;
  /** How admission webhooks are called; absent: they cannot be, and their failure policies apply. */
  readonly webhookTransport?: WebhookTransport;
  /** Functions that are called instead of the conversion webhooks of definitions. */
  readonly conversions?: ConversionFunctions;
  /** How the extension API servers of APIServices are reached; absent: they are not, and are unavailable. */
  readonly extensionTransport?: ExtensionTransport;
  /** What requests that come over HTTPS pass through; absent: nothing. */
  readonly outsideRequests?: OutsideRequests;
  /** The administrator's bearer token; absent: a random one. */
  readonly token?: string;
  /** The keys of service account tokens; absent: derived from the token. */
  readonly tokenSigner?: TokenSigner;
  /** The issuer of service account tokens. */
  readonly tokenIssuer?: string;
  /** Where cluster IPs come from. */
  readonly serviceNetwork?: ServiceNetwork;
  /** The admission plugins that are off. */
  readonly disabledAdmission?: ReadonlySet<OptionalAdmission>;
  /** The version of Trimtab, which `/version` shows behind that of Kubernetes. */
  readonly version?: string;
}

/** What a client needs to connect. */
export interface ApiServerAccess extends HttpsServer {
  /** The certificate of the authority that signed the server's own, as PEM. */
  readonly ca: string;
  readonly token: string;
}

/** An API server: the API itself, and the ways to reach it. */
export interface ApiServer {
  readonly requestHandler: RequestHandler;
  /** The kinds it serves; internal: they may change while it runs. */
  readonly kinds: KindRegistry;
  /** The extension API servers behind it. */
  readonly aggregator: Aggregator;
  /** A client for components in this process. */
  readonly client: Client;
  /** Sends HTTP requests of the administrator without a connection, for a server in this process that forwards them. */
  open(userAgent: string, options?: InProcessOptions): OpenRequest;
  /** Serves the API over HTTPS. */
  listen(
    options: Pick<ApiServerListenOptions, "host" | "port" | "names" | "certificate" | "clientAuthority"> & {
      readonly authority?: CertificateAuthority;
    },
  ): Promise<ApiServerAccess>;
  /** Lets `/readyz` say that the server is about to stop; requests are served until it is closed. */
  announceShutdown(): void;
  /** Stops listening and cancels every timer; the store stays open. */
  close(): Promise<void>;
}

const inProcessUser: User = { name: "system:trimtab", groups: [adminGroup, "system:authenticated"] };
const admin: User = { name: "admin", groups: [adminGroup, "system:authenticated"] };

/** What programs choose that stand for another API server; ours by default. */
function chosenBy({
  serviceNetwork = defaultServiceNetwork,
  disabledAdmission = new Set(),
}: ApiServerOptions): Pick<ServerContext, "serviceNetwork" | "disabledAdmission"> {
  return { serviceNetwork, disabledAdmission };
}

/** Creates an API server over a store, and the store's indexes; it does not listen until told to. */
export function createApiServer(options: ApiServerOptions): ApiServer {
  const { clock, random, store, gates, log, token = newSecret() } = options;
  store.addIndexes(storeIndexes);
  const kinds = createKindRegistry(serveBuiltInKinds());
  const webhookTransport = options.webhookTransport ?? noWebhookCalls;
  const webhooks = createAdmissionWebhooks({
    store,
    resources: kinds,
    clock: networkClock(clock),
    random: random.fork("webhooks"),
    log,
    metrics: options.instruments ?? silentMetrics,
    transport: webhookTransport,
  });
  const aggregator = createAggregator({
    store,
    clock: networkClock(clock),
    transport: options.extensionTransport ?? noExtensionServers,
  });
  const tokens = createServiceAccountTokens({
    signer: options.tokenSigner ?? createTokenSigner(token),
    issuer: options.tokenIssuer,
    clock,
    store,
  });
  const authenticate = tokenAuthenticator(new Map([[token, admin]]), tokens);
  const authorizer = createAuthorizer(store);
  const context: ServerContext = {
    clock,
    random: random.fork("apiserver"),
    store,
    gates,
    kinds,
    runKinds: options.runKinds ?? new Set(),
    virtualLeases: options.virtualLeases ?? noVirtualLeases,
    continueTokens: createContinueTokens(random.fork("continue-tokens")),
    heap: options.heap ?? unlimitedHeap,
    authenticate,
    webhooks,
    authorizer,
    tokens,
    ...chosenBy(options),
    accessRandom: random.fork("tokens"),
  };
  const requestHandler = createRequestHandler(context);
  const conversion = {
    transport: webhookTransport,
    clock: networkClock(clock),
    random: random.fork("conversion"),
    functions: options.conversions ?? {},
  };
  const stopServingCustomKinds = serveCustomKinds({ store, kinds, log, conversion });
  const published = publishedResources(kinds);
  const stopExpiry = expireEvents({ store, clock });
  const servers = new Set<HttpsServer>();
  const progress = { isClosing: false };
  const client = inProcessClient({ requestHandler, resources: kinds, user: inProcessUser, clock });
  const closing = new AbortController();
  void runController(definitionController(context, client), { clock, log }, closing.signal);
  // A stream of its own: HTTP requests must not change what components in this process draw.
  const httpRandom = random.fork("http");
  const dependenciesAt = (address: string, names: readonly string[]): HttpDependencies => ({
    requestHandler,
    resources: kinds,
    clock: networkClock(clock),
    now: () => clock.now(),
    random: httpRandom,
    log,
    gates,
    aggregator,
    discovery: createDiscovery({
      resources: published,
      aggregated: () => aggregator.discovered(),
      serverAddress: address,
    }),
    openApi: createOpenApi(published, clock),
    version: versionInfo(options.version),
    readiness: () => [...(options.readiness?.() ?? []), ...apiServerReadiness(store, progress.isClosing)],
    liveness: () => apiServerChecks(store),
    authenticate,
    authorizer,
    issuer: issuerDiscovery(tokens, address),
    hosts: new Set(names.map((name) => (name.includes(":") ? `[${name}]` : name.toLowerCase()))),
    metrics: options.metrics,
    debug: options.debug,
    debugAction: options.debugAction,
    limits: { ...defaultInFlightLimits, ...options.limits },
    inFlight: { watches: 0, writes: 0, bodyBytes: 0 },
  });
  return {
    requestHandler,
    kinds,
    aggregator,
    client,
    open(userAgent, options = {}) {
      let listener: RequestListener | undefined; // made for the first request, which may never come
      const made = () => (listener ??= requestListener(dependenciesAt("localhost", [])));
      return inProcessExchange(made, { token, userAgent, ...options });
    },
    async listen({ authority, ...place }) {
      // Clients check certificates by the wall clock.
      const now = networkClock(clock).now();
      const signedBy = authority ?? createCertificateAuthority(now, httpRandom);
      const outsideHandler = behind(requestHandler, options.outsideRequests);
      const dependenciesOutside = (address: string, hosts: readonly string[]): HttpDependencies => ({
        ...dependenciesAt(address, hosts),
        requestHandler: outsideHandler,
      });
      const server = await listen(dependenciesOutside, {
        ...place,
        authority: signedBy,
        now,
        random: httpRandom,
      });
      servers.add(server);
      return { ...server, ca: signedBy.certificate, token };
    },
    announceShutdown() {
      progress.isClosing = true;
    },
    async close() {
      stopExpiry();
      closing.abort(new Error("the API server closes"));
      stopServingCustomKinds();
      await Promise.all([...servers].map((server) => server.close()));
      await webhooks.close();
      await aggregator.close();
    },
  };
}

/** Returns the handler of requests that pass through something before they are handled. */
function behind(handler: RequestHandler, outside: OutsideRequests | undefined): RequestHandler {
  return outside === undefined
    ? handler
    : { handle: (request) => outside.handle(request, (passed) => handler.handle(passed)) };
}
