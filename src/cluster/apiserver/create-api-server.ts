import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Manners } from "../../api/kinds/manners.ts";
import { withObjectMeta } from "../../api/kinds/object-meta/with-object-meta.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { Logger } from "../../machinery/log.ts";
import type { Random } from "../../machinery/random/random.ts";
import { inProcessClient } from "../in-process-client.ts";
import type { Store } from "../store/store.ts";
import type { User } from "./api-request.ts";
import { adminGroup } from "./authorization.ts";
import { createEngine, type Engine } from "./engine.ts";
import { serveResources, type ServedResources } from "./served-resources.ts";
import type { ServerContext } from "./server-context.ts";
import { noVirtualLeases, type VirtualLeases } from "./virtual-leases.ts";

export interface ApiServerOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
  /** Read whenever it matters. */
  readonly gates: () => FeatureGates;
  readonly log: Logger;
  /** Kinds that something in the cluster acts on, as `Kind` or `Kind.group`. */
  readonly runKinds?: ReadonlySet<string>;
  readonly virtualLeases?: VirtualLeases;
}

/** An API server: the API itself, and the doors to it. */
export interface ApiServer {
  readonly engine: Engine;
  readonly resources: ServedResources;
  /** The API for what lives in this process. */
  readonly client: Client;
}

const insider: User = { name: "system:trimtab", groups: [adminGroup, "system:authenticated"] };

/** Puts an API server together; it listens nowhere until told to. */
export function createApiServer(options: ApiServerOptions): ApiServer {
  const resources = serveResources(() => withObjectMeta({}) as Manners);
  const context: ServerContext = {
    clock: options.clock,
    random: options.random,
    store: options.store,
    gates: options.gates,
    resources,
    runKinds: options.runKinds ?? new Set(),
    virtualLeases: options.virtualLeases ?? noVirtualLeases,
    authenticate: () => undefined,
  };
  const engine = createEngine(context);
  return { engine, resources, client: inProcessClient({ engine, resources, user: insider }) };
}
