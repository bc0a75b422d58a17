import { defaultFeatureGates, type FeatureGates } from "../api/feature-gates.ts";
import type { Node } from "../api/generated/core-v1.ts";
import { nodes as nodeResource } from "../api/resources.ts";
import type { Client } from "../machinery/client/client.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import { runController } from "../machinery/controller.ts";
import { type Logger, silentLogger } from "../machinery/log.ts";
import { type Metrics, silentMetrics } from "../machinery/metrics/metrics.ts";
import { workqueueMetrics } from "../machinery/metrics/workqueue-metrics.ts";
import type { Random } from "../machinery/random/random.ts";
import { type ApiServer, createApiServer } from "./apiserver/create-api-server.ts";
import { storeIndexes } from "./apiserver/indexes.ts";
import { components } from "./components.ts";
import { bootstrapObjects, type ServerAddress } from "./housekeeping/bootstrap-objects.ts";
import { Informers } from "./informers.ts";
import { nodeLeases } from "./kubelet/node-leases.ts";
import { simulatedNode } from "./kubelet/simulated-node.ts";
import { MemoryStore } from "./store/memory-store.ts";

export interface ClusterOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly nodes?: number;
  readonly zones?: number;
  /** Per component, so that skew between versions can be played; read whenever they matter. */
  readonly gates?: { readonly apiServer?: () => FeatureGates; readonly controllers?: () => FeatureGates };
  readonly log?: Logger;
  readonly metrics?: Metrics;
  /** Where the API server will listen, when it will. */
  readonly address?: ServerAddress;
  readonly caBundle?: string;
}

/** A living cluster in this process. */
export interface Cluster {
  readonly client: Client;
  readonly server: ApiServer;
  /** Ends every part and resolves when the last has come home. */
  readonly stop: () => Promise<void>;
}

/** Kinds that something here acts on; a create of any other is answered with a warning. */
const runKinds = new Set([
  "Pod",
  "Node",
  "Namespace",
  "ServiceAccount",
  "ConfigMap",
  "Secret",
  "Service",
  "Endpoints",
  "Event",
  "Event.events.k8s.io",
  "Lease.coordination.k8s.io",
  "PriorityClass.scheduling.k8s.io",
  "EndpointSlice.discovery.k8s.io",
]);

const defaultGates = () => defaultFeatureGates;

/** Starts store, API server, controllers, binder and kubelet; resolves when all of it is at work. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { clock, random, log = silentLogger, metrics = silentMetrics } = options;
  const store = new MemoryStore({ clock, indexes: storeIndexes });
  let simulatedNodes: () => readonly Node[] = () => [];
  const server = createApiServer({
    clock,
    random: random.fork("apiserver"),
    store,
    gates: options.gates?.apiServer ?? defaultGates,
    log,
    runKinds,
    virtualLeases: { list: () => nodeLeases(simulatedNodes(), clock.now()) },
  });
  const { client } = server;
  const informers = new Informers({ client, clock, random: random.fork("informers"), log });
  simulatedNodes = () => informers.of(nodeResource).list();

  await bootstrap(client, options);
  const ending = new AbortController();
  const specs = components({
    client,
    clock,
    random: random.fork("components"),
    log,
    metrics,
    informers,
    store,
    resources: server.resources.all,
    gates: options.gates?.controllers ?? defaultGates,
    caBundle: options.caBundle ?? "",
  });
  const queues = workqueueMetrics(metrics);
  const parts = [
    informers.run(ending.signal),
    ...specs.map((spec) => runController(spec, { clock, log, metrics: queues }, ending.signal)),
  ];
  await informers.synced(ending.signal);
  return {
    client,
    server,
    stop: async () => {
      ending.abort(new Error("the cluster is stopping"));
      await Promise.allSettled(parts);
    },
  };
}

async function bootstrap(client: Client, options: ClusterOptions): Promise<void> {
  const { clock, nodes = 12, zones = 3, address = { host: "127.0.0.1", port: 6443 } } = options;
  for (const { resource, object } of bootstrapObjects(address)) await client.create(resource, object);
  for (let index = 0; index < nodes; index++) {
    await client.create(nodeResource, simulatedNode({ index, zones }, clock.now()));
  }
}
