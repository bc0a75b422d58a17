import { defaultFeatureGates, type FeatureGates } from "../src/api/feature-gates.ts";
import { namespaces, serviceAccounts } from "../src/api/resources.ts";
import type { ApiServerAccess } from "../src/cluster/apiserver/create-api-server.ts";
import { type PickerAccess, localPickers } from "../src/cluster/picker-access.ts";
import { type Cluster, startCluster } from "../src/cluster/start-cluster.ts";
import type { Client } from "../src/machinery/client/client.ts";
import type { Clock } from "../src/machinery/clock/clock.ts";
import { WallClock } from "../src/machinery/clock/wall-clock.ts";
import { seededRandom } from "../src/machinery/random/random.ts";
import { emptyAllowList } from "../src/picker/address-policy.ts";
import { type CollectingLogger, collectingLogger } from "../src/testing/collecting-logger.ts";

export interface EmbeddedOptions {
  /** The wall's, unless a test has to wait longer than anyone wants to. */
  readonly clock?: Clock;
  readonly gates?: Partial<FeatureGates>;
  /** Besides what is on this machine. */
  readonly pickers?: PickerAccess;
  /** Controllers that somebody else runs. */
  readonly without?: readonly string[];
}

/** A whole cluster in this process that answers on loopback. */
export interface EmbeddedCluster extends Pick<Cluster, "client"> {
  readonly access: ApiServerAccess;
  readonly log: CollectingLogger;
  stop(): Promise<void>;
}

/** Starts a cluster as `trimtab up` does, on any free port. */
export async function startEmbedded(options: EmbeddedOptions = {}): Promise<EmbeddedCluster> {
  const { clock = new WallClock(), without = [] } = options;
  const gates = () => ({ ...defaultFeatureGates, ...options.gates });
  const log = collectingLogger();
  const random = seededRandom("embedded");
  const cluster = await startCluster({
    clock,
    random,
    log,
    without,
    pickerConnector: localPickers(options.pickers ?? { allowed: emptyAllowList }),
    gates: { apiServer: gates, controllers: gates },
  });
  const access = await cluster.server.listen({ port: 0 });
  return {
    client: cluster.client,
    access,
    log,
    stop: async () => {
      await access.close();
      await cluster.stop();
    },
  };
}

/** Makes a namespace and waits until Pods can be created in it. */
export async function makeNamespace(client: Client, name: string): Promise<void> {
  await client.create(namespaces, { metadata: { name }, spec: {} });
  const enough = new AbortController();
  for await (const event of client.watch(serviceAccounts, { namespace: name }, enough.signal)) {
    if (event.type === "ADDED" && event.object.metadata.name === "default") return;
  }
}
