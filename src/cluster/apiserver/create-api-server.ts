import type { RequestListener } from "node:http";
import {
  type CertificateAuthority,
  createCertificateAuthority,
} from "../../machinery/certificates/certificate.ts";
import { networkClock } from "../../machinery/clock/clock.ts";
import type { OpenRequest } from "../../machinery/client/http/transport.ts";
import type { HttpsServer } from "../../machinery/https-server/serve-https.ts";
import { newSecret } from "../../machinery/random/system-random.ts";
import type { OutsideRequests } from "../outside-requests.ts";
import { issuerDiscovery } from "./auth/issuer-discovery.ts";
import { createTokenSigner } from "./auth/signed-token.ts";
import { type Api, type ApiOptions, createApi } from "./create-api.ts";
import { createDiscovery } from "./discovery/discovery.ts";
import type { RequestHandler } from "./handlers/request-handler.ts";
import { forwardToLoopback } from "./handlers/subresources/proxy/forward-to-loopback.ts";
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
import { hostPlatform } from "./host-platform.ts";
import { versionInfo } from "./version-facts.ts";

/** The dependencies and settings of an API server. */
export interface ApiServerOptions
  extends
    Omit<ApiOptions, "token" | "tokenSigner" | "forwardToLoopback">,
    Partial<Pick<ApiOptions, "tokenSigner">>,
    Partial<Pick<HttpDependencies, "readiness" | "metrics" | "debug" | "debugAction">> {
  readonly limits?: Partial<InFlightRequests>;
  /** What requests that come over HTTPS pass through; absent: nothing. */
  readonly outsideRequests?: OutsideRequests;
  /** The administrator's bearer token; absent: a random one. The keys of service account tokens are derived from it. */
  readonly token?: string;
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
export interface ApiServer extends Api {
  /** Sends HTTP requests of the administrator without a connection, for a server in this process that forwards them. */
  open(userAgent: string, options?: InProcessOptions): OpenRequest;
  /** Serves the API over HTTPS. */
  listen(
    options: Pick<ApiServerListenOptions, "host" | "port" | "names" | "certificate" | "clientAuthority"> & {
      readonly authority?: CertificateAuthority;
    },
  ): Promise<ApiServerAccess>;
}

/** Creates an API server over a store, and the store's indexes; it does not listen until told to. */
export function createApiServer(options: ApiServerOptions): ApiServer {
  const { clock, random, store, gates, log, token = newSecret() } = options;
  const tokenSigner = options.tokenSigner ?? createTokenSigner(token);
  const api = createApi({ ...options, token, tokenSigner, forwardToLoopback });
  const { requestHandler, kinds, aggregator, context, isClosing } = api;
  const { authenticate, authorizer, tokens } = context;
  const published = publishedResources(kinds);
  const servers = new Set<HttpsServer>();
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
    openApi: createOpenApi({ resources: published, extensions: () => aggregator.documents(), clock }),
    version: versionInfo(hostPlatform(), options.version),
    readiness: () => [...(options.readiness?.() ?? []), ...apiServerReadiness(store, isClosing())],
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
    ...api,
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
    /** Stops listening first. */
    async close() {
      await Promise.all([...servers].map((server) => server.close()));
      await api.close();
    },
  };
}

/** Returns the handler of requests that pass through something before they are handled. */
function behind(handler: RequestHandler, outside: OutsideRequests | undefined): RequestHandler {
  return outside === undefined
    ? handler
    : { handle: (request) => outside.handle(request, (passed) => handler.handle(passed)) };
}
