import type { IncomingMessage, ServerResponse } from "node:http";
import type { FeatureGates } from "../../../api/feature-gates.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { Instant } from "../../../api/time.ts";
import type { Clock } from "../../../machinery/clock/clock.ts";
import type { DebugAction, Diagnostics } from "../../../machinery/diagnostics/diagnostics.ts";
import type { Logger } from "../../../machinery/log/logger.ts";
import type { Random } from "../../../machinery/random/random.ts";
import type { Aggregator } from "../aggregation/aggregator.ts";
import type { Authenticate } from "../auth/authenticate.ts";
import type { RbacAuthorizer } from "../auth/authorizer.ts";
import type { IssuerDiscovery } from "../auth/issuer-discovery.ts";
import type { User } from "../auth/user.ts";
import type { Discovery } from "../discovery/discovery.ts";
import type { RequestHandler } from "../handlers/request-handler.ts";
import type { OpenApi } from "../openapi/openapi.ts";
import type { ServedResources } from "../kind-registry.ts";
import type { RequestTarget } from "./request/request-target.ts";
import type { ResponseFormat } from "./response/negotiate.ts";

/** The dependencies of the HTTP server. */
export interface HttpDependencies extends Diagnostics {
  /** What administrators may do by a POST below `/debug/`; absent: nothing. */
  readonly debugAction?: DebugAction | undefined;
  readonly requestHandler: RequestHandler;
  readonly resources: ServedResources;
  /** The clock for timeouts of clients. */
  readonly clock: Clock;
  /** The time of the cluster, from which the ages of objects are computed. */
  readonly now: () => Instant;
  readonly random: Random;
  readonly log: Logger;
  readonly gates: () => FeatureGates;
  readonly aggregator: Aggregator;
  readonly discovery: Discovery;
  readonly openApi: OpenApi;
  /** The answer to `/version`. */
  readonly version: JsonObject;
  readonly authenticate: Authenticate;
  readonly authorizer: RbacAuthorizer;
  readonly issuer: IssuerDiscovery;
  /** Values of the `Host` header that are served besides the built-in ones. */
  readonly hosts: ReadonlySet<string>;
  readonly limits: InFlightRequests;
  /** Counts current requests; a request beyond the limits is answered with 429. */
  readonly inFlight: { -readonly [Kind in keyof InFlightRequests]: InFlightRequests[Kind] };
}

/** How many watches are open or waiting, how many writes are in progress, and the total size of request bodies. */
export interface InFlightRequests {
  readonly watches: number;
  readonly writes: number;
  readonly bodyBytes: number;
}

/** The default limits: more than the clients of one machine need. */
export const defaultInFlightLimits: InFlightRequests = {
  watches: 2000,
  writes: 400,
  bodyBytes: 64 * 2 ** 20,
};

/** One request and its response. */
export interface Exchange {
  readonly deps: HttpDependencies;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: RequestTarget;
  readonly user: User | undefined;
}

/** An exchange whose response format is negotiated. */
export interface NegotiatedExchange extends Exchange {
  readonly format: ResponseFormat;
}
