import type { Client } from "../../machinery/client/client.ts";
import { type Clock, networkClock } from "../../machinery/clock/clock.ts";
import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import { runController } from "../../machinery/controller.ts";
import { type Metrics, silentMetrics } from "../../machinery/metrics/metrics.ts";
import type { Random } from "../../machinery/random/random.ts";
import { randomStreams } from "../../machinery/random/random-streams.ts";
import { inProcessClient } from "../in-process-client.ts";
import type { Store } from "../store/store.ts";
import { type Aggregator, createAggregator } from "./aggregation/aggregator.ts";
import { type ExtensionTransport, noExtensionServers } from "./aggregation/extension-transport.ts";
import { tokenAuthenticator } from "./auth/authenticate.ts";
import { createAuthorizer } from "./auth/authorizer.ts";
import { createServiceAccountTokens } from "./auth/service-account-tokens.ts";
import type { TokenSigner } from "./auth/token-signer.ts";
import { adminGroup, type User } from "./auth/user.ts";
import type { ConversionFunctions } from "./custom-resources/conversion/object-converter.ts";
import { definitionController } from "./custom-resources/definition-controller.ts";
import { serveCustomKinds } from "./custom-resources/serve-custom-kinds.ts";
import { createRequestHandler, type RequestHandler } from "./handlers/request-handler.ts";
import type { ForwardToLoopback } from "./handlers/subresources/proxy/loopback-request.ts";
import { createContinueTokens } from "./request/continue-token.ts";
import { createKindRegistry, type KindRegistry } from "./kind-registry.ts";
import { serveBuiltInKinds } from "./kinds/serve-built-in-kinds.ts";
import { defaultServiceNetwork, type ServiceNetwork } from "./registry/service-network.ts";
import type { OptionalAdmission, ServerContext } from "./server-context.ts";
import { expireEvents } from "./storage/expire-events.ts";
import { type HeapReading, unlimitedHeap } from "./storage/storage-limits.ts";
import { storeIndexes } from "./storage/store-indexes.ts";
import { noVirtualLeases, type VirtualLeases } from "./storage/virtual-leases.ts";
import { OpenWatches } from "./watch/open-watches.ts";
import { createAdmissionWebhooks } from "./webhooks/admission-webhooks.ts";
import { noWebhookCalls, type WebhookTransport } from "./webhooks/webhook-transport.ts";

/** The dependencies and settings of an API that is used in this process. */
export interface ApiOptions {
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
  /** How programs on this machine are reached for proxied requests; absent: they are not. */
  readonly forwardToLoopback?: ForwardToLoopback;
  /** The administrator's bearer token. */
  readonly token: string;
  /** The keys of service account tokens. */
  readonly tokenSigner: TokenSigner;
  /** The issuer of service account tokens. */
  readonly tokenIssuer?: string;
  /** Where cluster IPs come from. */
  readonly serviceNetwork?: ServiceNetwork;
  /** The admission plugins that are off. */
  readonly disabledAdmission?: ReadonlySet<OptionalAdmission>;
}

/** The API of a cluster without a network: a server adds HTTP to it. */
export interface Api {
  readonly requestHandler: RequestHandler;
  /** The kinds it serves; internal: they may change while it runs. */
  readonly kinds: KindRegistry;
  /** The extension API servers behind it. */
  readonly aggregator: Aggregator;
  /** A client for components in this process. */
  readonly client: Client;
  /** Says that it is about to stop; requests are served until it is closed. */
  announceShutdown(): void;
  /** Cancels every timer; the store stays open. */
  close(): Promise<void>;
}

/** An API, and what a server needs of it that clients in this process do not. */
export interface ServableApi extends Api {
  readonly context: ServerContext;
  readonly isClosing: () => boolean;
}

const inProcessUser: User = { name: "system:trimtab", groups: [adminGroup, "system:authenticated"] };
const admin: User = { name: "admin", groups: [adminGroup, "system:authenticated"] };

/** What programs choose that stand for another API server; ours by default. */
function chosenBy({
  serviceNetwork = defaultServiceNetwork,
  disabledAdmission = new Set(),
}: ApiOptions): Pick<ServerContext, "serviceNetwork" | "disabledAdmission"> {
  return { serviceNetwork, disabledAdmission };
}

/** Creates an API over a store, and the store's indexes. */
export function createApi(options: ApiOptions): ServableApi {
  const { clock, random, store, gates, log, token } = options;
  store.addIndexes(storeIndexes);
  const kinds = createKindRegistry(serveBuiltInKinds());
  const authorizer = createAuthorizer(store);
  const webhookTransport = options.webhookTransport ?? noWebhookCalls;
  const webhooks = createAdmissionWebhooks({
    store,
    resources: kinds,
    clock: networkClock(clock),
    random: random.fork("webhooks"),
    log,
    metrics: options.instruments ?? silentMetrics,
    transport: webhookTransport,
    authorizer,
  });
  const aggregator = createAggregator({
    store,
    clock: networkClock(clock),
    transport: options.extensionTransport ?? noExtensionServers,
  });
  const tokens = createServiceAccountTokens({
    signer: options.tokenSigner,
    issuer: options.tokenIssuer,
    clock,
    store,
  });
  const authenticate = tokenAuthenticator(new Map([[token, admin]]), tokens);
  const context: ServerContext = {
    clock,
    random: random.fork("apiserver"),
    // A store that was kept has objects of this seed: another start draws other identities.
    identities: randomStreams(random.fork(`identities/${store.revision()}`)),
    store,
    gates,
    kinds,
    runKinds: options.runKinds ?? new Set(),
    virtualLeases: options.virtualLeases ?? noVirtualLeases,
    continueTokens: createContinueTokens(random.fork("continue-tokens")),
    openWatches: new OpenWatches(),
    heap: options.heap ?? unlimitedHeap,
    authenticate,
    webhooks,
    authorizer,
    tokens,
    ...chosenBy(options),
    accessRandom: random.fork("tokens"),
    forwardToLoopback: options.forwardToLoopback,
  };
  const requestHandler = createRequestHandler(context);
  const conversion = {
    transport: webhookTransport,
    clock: networkClock(clock),
    random: random.fork("conversion"),
    functions: options.conversions ?? {},
  };
  const stopServingCustomKinds = serveCustomKinds({ store, kinds, log, conversion });
  const stopExpiry = expireEvents({ store, clock });
  const progress = { isClosing: false };
  const client = inProcessClient({ requestHandler, resources: kinds, user: inProcessUser, clock });
  const closing = new AbortController();
  void runController(definitionController(context, client), { clock, log }, closing.signal);
  return {
    requestHandler,
    kinds,
    aggregator,
    client,
    context,
    isClosing: () => progress.isClosing,
    announceShutdown() {
      progress.isClosing = true;
    },
    async close() {
      stopExpiry();
      closing.abort(new Error("the API server closes"));
      stopServingCustomKinds();
      await webhooks.close();
      await aggregator.close();
    },
  };
}
