import { type Draft, keyOf, type StoredObject } from "../api/object.ts";
import { qualifiedName, type Resource } from "../api/resource.ts";
import { deployments, nodes as nodeResource, replicaSets } from "../api/resources.ts";
import { exposeWorkloadState } from "../controllers/state-metrics/workload-state.ts";
import type { Client } from "../machinery/client/client.ts";
import { workqueueMetrics } from "../machinery/metrics/workqueue-metrics.ts";
import { type ApiServer, createApiServer } from "./apiserver/create-api-server.ts";
import { type ClusterOptions, type ClusterSettings, withDefaults } from "./cluster-options.ts";
import { decisionsEndpoint } from "./decisions-endpoint.ts";
import { bootstrapObjects } from "./housekeeping/bootstrap-objects.ts";
import { nodeLeases } from "./kubelet/node-leases.ts";
import { simulatedNode } from "./kubelet/simulated-node.ts";
import { type RunningComponent, componentStarter } from "./component-starter.ts";
import { components } from "./parts.ts";
import { pickerPortFactory } from "./picker-access.ts";
import type { Store } from "./store/store.ts";

/** A living cluster in this process. */
export interface Cluster {
  readonly client: Client;
  readonly server: ApiServer;
  /** What the server keeps: for those who look at everything, such as a recording. */
  readonly store: Store;
  /** The parts it was started with. */
  readonly components: readonly RunningComponent[];
  /** Starts a part once more, by name: beside the one that runs, unless that has been stopped. */
  readonly startComponent: (name: string) => RunningComponent;
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

/** Starts store, API server, controllers, scheduler and kubelet; resolves when all of it is at work. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const settings = withDefaults(options);
  const { store, without } = settings;
  const progress = { isReady: false };
  const server = apiServerOf(settings, progress);
  const { client } = server;
  await bootstrap(client, settings);
  exposeWorkloadState(settings.metrics, {
    deployments: () => allOf(store, deployments),
    replicaSets: () => allOf(store, replicaSets),
  });

  const ending = new AbortController();
  const starter = componentStarter({
    overrides: settings.componentOverrides,
    ending: ending.signal,
    common: {
      ...settings,
      ...settings.decisions,
      client,
      resources: server.resources.all,
      gates: settings.gates.controllers,
      caBundle: settings.authority?.certificate ?? "",
      queues: workqueueMetrics(settings.metrics),
      pickers: pickerPortFactory(settings.pickerConnector),
    },
  });
  const wanted = components.map(({ name }) => name).filter((name) => !without.includes(name));
  const parts = wanted.map((name) => starter.start(name));
  starter.startSharedInformers();
  await Promise.all(parts.map(({ informers }) => informers.synced(ending.signal)));
  progress.isReady = true;
  return {
    client,
    server,
    store,
    components: parts,
    startComponent: (name) => starter.start(name),
    stop: async () => {
      ending.abort(new Error("the cluster is stopping"));
      await starter.ended();
      await server.close();
      await store.close();
    },
  };
}

function apiServerOf(settings: ClusterSettings, progress: { readonly isReady: boolean }): ApiServer {
  const { clock, random, store, gates, log, decisions, version, metricsText } = settings;
  // Straight from the store: leases are read far more rarely than they would be written.
  const nodes = () => allOf(store, nodeResource);
  return createApiServer({
    clock,
    random: random.fork("apiserver"),
    store,
    gates: gates.apiServer,
    log,
    runKinds,
    virtualLeases: { list: () => nodeLeases(nodes(), clock.now()) },
    debug: decisionsEndpoint(decisions),
    readiness: () => [{ name: "caches", ok: progress.isReady }],
    ...(version !== undefined && { version }),
    ...(metricsText !== undefined && { metrics: metricsText }),
  });
}

/** Everything of a kind, as it is now. */
function allOf<T extends StoredObject>(store: Store, resource: Resource<T>): readonly T[] {
  // A collection holds nothing else than what its resource says.
  return [...store.collection(qualifiedName(resource)).records()].map(({ object }) => object as unknown as T);
}

/** Creates what a cluster is born with, then its nodes, as far as the store does not have them. */
async function bootstrap(client: Client, { clock, store, nodes, zones }: ClusterSettings): Promise<void> {
  const provide = async (resource: Resource, object: Draft<StoredObject>) => {
    const known = store.collection(qualifiedName(resource)).get(keyOf(object));
    if (known === undefined) await client.create(resource, object);
  };
  for (const { resource, object } of bootstrapObjects({ host: advertisedHost, port: 6443 })) {
    await provide(resource, object);
  }
  for (let index = 0; index < nodes; index++) {
    await provide(nodeResource, simulatedNode({ index, zones }, clock.now()));
  }
}
