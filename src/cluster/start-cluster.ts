import { defaultFeatureGates, type FeatureGates } from "../api/feature-gates.ts";
import type { Node } from "../api/generated/core-v1.ts";
import type { Draft, StoredObject } from "../api/object.ts";
import type { Resource } from "../api/resource.ts";
import { nodes as nodeResource } from "../api/resources.ts";
import { DecisionRecords } from "../controllers/decision-records.ts";
import { RolloutRecords } from "../controllers/deployment/rollout-records.ts";
import { isAlreadyExists } from "../machinery/client/api-error.ts";
import type { Client } from "../machinery/client/client.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import { type Logger, silentLogger } from "../machinery/log.ts";
import { type Metrics, silentMetrics } from "../machinery/metrics/metrics.ts";
import { workqueueMetrics } from "../machinery/metrics/workqueue-metrics.ts";
import type { Random } from "../machinery/random/random.ts";
import type { Authority } from "./apiserver/certificates/certificate.ts";
import { type ApiServer, createApiServer } from "./apiserver/create-api-server.ts";
import { storeIndexes } from "./apiserver/indexes.ts";
import { componentPlans } from "./components.ts";
import { type DebugEndpoint, decisionsEndpoint, type KeptDecisions } from "./decisions-endpoint.ts";
import { bootstrapObjects } from "./housekeeping/bootstrap-objects.ts";
import { nodeLeases } from "./kubelet/node-leases.ts";
import { simulatedNode } from "./kubelet/simulated-node.ts";
import { type Part, partStarter, type Surroundings } from "./part-starter.ts";
import { MemoryStore } from "./store/memory-store.ts";
import type { Store } from "./store/store.ts";

export interface ClusterOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly nodes?: number;
  readonly zones?: number;
  /** Per component, so that skew between versions can be played; read whenever they matter. */
  readonly gates?: { readonly apiServer?: () => FeatureGates; readonly controllers?: () => FeatureGates };
  readonly log?: Logger;
  readonly metrics?: Metrics;
  /** Who signs for the API server, when it will listen. */
  readonly authority?: Authority;
  /** Of the product, as `/version` shows it. */
  readonly version?: string;
  /** The text of `/metrics`. */
  readonly metricsText?: () => Promise<string>;
  /** What an earlier cluster left, to go on with; absent: an empty one. */
  readonly store?: Store;
  /** Controllers that are not run here, by name: somebody else does their work. */
  readonly without?: readonly string[];
  /** Where decisions are kept; absent: where only this cluster's own endpoint looks. */
  readonly decisions?: KeptDecisions;
  /**
   * What a part reaches the world through, asked for whenever one is started: then it has informers of its own, and can
   * be late, cut off or wrong by itself. Absent: all parts share everything.
   */
  readonly surroundings?: (part: string, shared: Surroundings) => Surroundings;
}

/** A living cluster in this process. */
export interface Cluster {
  readonly client: Client;
  readonly server: ApiServer;
  /** What the server keeps: for those who look at everything, such as a recording. */
  readonly store: Store;
  /** The parts it was started with. */
  readonly parts: readonly Part[];
  /** Starts a part once more, by name: beside the one that runs, unless that has been stopped. */
  readonly startPart: (name: string) => Part;
  /** Ends every part and resolves when the last has come home. */
  readonly stop: () => Promise<void>;
}

/** Kinds that something here acts on; a create of any other is answered with a warning. */
const runKinds = new Set([
  "Deployment.apps",
  "ReplicaSet.apps",
  "ReplicationController",
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

/** What the `kubernetes` Service points to: an address for documentation, since loopback is not allowed there. */
const advertisedHost = "192.0.2.1";

const defaultGates = () => defaultFeatureGates;

/** Starts store, API server, controllers, binder and kubelet; resolves when all of it is at work. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { clock, random, log = silentLogger, metrics = silentMetrics, without = [] } = options;
  const store = options.store ?? new MemoryStore({ clock, indexes: storeIndexes });
  const progress = { isReady: false };
  const decisions = options.decisions ?? { removals: new DecisionRecords(), rollouts: new RolloutRecords() };
  const debug = decisionsEndpoint(decisions);
  const server = apiServerOver(store, { ...options, log, debug }, progress);
  const { client } = server;
  await bootstrap(client, options);

  const ending = new AbortController();
  const starter = partStarter({
    surroundings: options.surroundings,
    ending: ending.signal,
    queues: workqueueMetrics(metrics),
    common: {
      client,
      clock,
      random,
      log,
      metrics,
      store,
      resources: server.resources.all,
      gates: options.gates?.controllers ?? defaultGates,
      caBundle: options.authority?.certificate ?? "",
      ...decisions,
    },
  });
  const wanted = componentPlans.map(({ name }) => name).filter((name) => !without.includes(name));
  const parts = wanted.map((name) => starter.start(name));
  starter.follow();
  await Promise.all(parts.map(({ informers }) => informers.synced(ending.signal)));
  progress.isReady = true;
  return {
    client,
    server,
    store,
    parts,
    startPart: (name) => starter.start(name),
    stop: async () => {
      ending.abort(new Error("the cluster is stopping"));
      await starter.ended();
    },
  };
}

function apiServerOver(
  store: Store,
  options: ClusterOptions & { readonly log: Logger; readonly debug: DebugEndpoint },
  progress: { readonly isReady: boolean },
): ApiServer {
  const { clock, random, log, debug, version, metricsText } = options;
  // Straight from the store: leases are read far more rarely than they would be written.
  const nodes = () =>
    [...store.collection("nodes").records()].map((record) => record.object as unknown as Node);
  return createApiServer({
    clock,
    random: random.fork("apiserver"),
    store,
    gates: options.gates?.apiServer ?? defaultGates,
    log,
    runKinds,
    virtualLeases: { list: () => nodeLeases(nodes(), clock.now()) },
    debug,
    readiness: () => [{ name: "caches", ok: progress.isReady }],
    ...(version !== undefined && { version }),
    ...(metricsText !== undefined && { metrics: metricsText }),
  });
}

/** Creates what a cluster is born with, then its nodes, as far as they are not there. */
async function bootstrap(client: Client, { clock, nodes = 12, zones = 3 }: ClusterOptions): Promise<void> {
  const provide = (resource: Resource, object: Draft<StoredObject>) =>
    client.create(resource, object).catch(unlessThere);
  for (const { resource, object } of bootstrapObjects({ host: advertisedHost, port: 6443 })) {
    await provide(resource, object);
  }
  for (let index = 0; index < nodes; index++) {
    await provide(nodeResource, simulatedNode({ index, zones }, clock.now()));
  }
}

function unlessThere(error: unknown): void {
  if (!isAlreadyExists(error)) throw error;
}
