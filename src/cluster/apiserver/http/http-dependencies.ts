import type { IncomingMessage, ServerResponse } from "node:http";
import type { FeatureGates } from "../../../api/feature-gates.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { Instant } from "../../../api/time.ts";
import type { Clock } from "../../../machinery/clock/clock.ts";
import type { DebugAction, Diagnostics } from "../../../machinery/diagnostics/diagnostics.ts";
import type { Logger } from "../../../machinery/log/logger.ts";
import type { Random } from "../../../machinery/random/random.ts";
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

/** What HTTP requests are served from. */
export interface HttpDependencies extends Diagnostics {
  /** What administrators may do by a POST below `/debug/`; absent: nothing. */
  readonly debugAction?: DebugAction | undefined;
  readonly requestHandler: RequestHandler;
  readonly resources: ServedResources;
  /** By which clients are waited for. */
  readonly clock: Clock;
  /** The time of the cluster, by which objects have an age. */
  readonly now: () => Instant;
  readonly random: Random;
  readonly log: Logger;
  readonly gates: () => FeatureGates;
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
  /** Counted while they last; a request beyond the limits is answered 429. */
  readonly inFlight: { -readonly [Kind in keyof InFlightRequests]: InFlightRequests[Kind] };
}

/** How many watches are open or wait to be, how many writes are under way, and how large the bodies of requests are together. */
export interface InFlightRequests {
  readonly watches: number;
  readonly writes: number;
  readonly bodyBytes: number;
}

/** More than the clients of one machine need. */
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
