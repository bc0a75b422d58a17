import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { Random } from "../../machinery/random/random.ts";
import type { RandomStreams } from "../../machinery/random/random-streams.ts";
import type { Collection, Store } from "../store/store.ts";
import type { Authenticate } from "./auth/authenticate.ts";
import type { RbacAuthorizer } from "./auth/authorizer.ts";
import type { ServiceAccountTokens } from "./auth/service-account-tokens.ts";
import type { ForwardToLoopback } from "./handlers/subresources/proxy/loopback-request.ts";
import type { ContinueTokens } from "./request/continue-token.ts";
import type { KindRegistry } from "./kind-registry.ts";
import type { ServiceNetwork } from "./registry/service-network.ts";
import type { ServedResource } from "./served-resource.ts";
import type { HeapReading } from "./storage/storage-limits.ts";
import type { VirtualLeases } from "./storage/virtual-leases.ts";
import type { OpenWatches } from "./watch/open-watches.ts";
import type { AdmissionWebhooks } from "./webhooks/admission-webhooks.ts";

/** The admission plugins that may be off, by their names in kube-apiserver. */
export type OptionalAdmission = "ServiceAccount";

/** What every handler works with. */
export interface ServerContext {
  readonly clock: Clock;
  readonly random: Random;
  /** By collection, for UIDs and generated names: objects of a new kind do not change the names of others. */
  readonly identities: RandomStreams;
  readonly store: Store;
  /** Read at the point of use: gates may be switched while the server runs. */
  readonly gates: () => FeatureGates;
  readonly kinds: KindRegistry;
  /** Kinds that a component runs, as `Kind.group`; a create of another kind gets a warning. */
  readonly runKinds: ReadonlySet<string>;
  readonly virtualLeases: VirtualLeases;
  readonly continueTokens: ContinueTokens;
  readonly openWatches: OpenWatches;
  /** Read at every write: when the heap is nearly full, writes that need memory are refused. */
  readonly heap: () => HeapReading;
  /** The user of a bearer token for the first of the audiences; `undefined` for a token that none of them knows. */
  readonly authenticate: Authenticate;
  readonly authorizer: RbacAuthorizer;
  readonly tokens: ServiceAccountTokens;
  readonly serviceNetwork: ServiceNetwork;
  /** The admission plugins that are off. */
  readonly disabledAdmission: ReadonlySet<OptionalAdmission>;
  /** A stream of its own: tokens must not change what components in this process draw. */
  readonly accessRandom: Random;
  readonly webhooks: AdmissionWebhooks;
  /** Reaches programs on this machine for proxied requests; absent: none can be reached. */
  readonly forwardToLoopback?: ForwardToLoopback | undefined;
}

/** The collection that holds a resource's objects. */
export function collectionOf(
  { store }: Pick<ServerContext, "store">,
  { collection }: Pick<ServedResource, "collection">,
): Collection {
  return store.collection(collection);
}
