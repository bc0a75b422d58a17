import { type Draft, keyOf, type StoredObject } from "../api/object.ts";
import { qualifiedKind, qualifiedName, type Resource } from "../api/resource.ts";
import { deployments, leases, nodes as nodeResource, replicaSets, storageClasses } from "../api/resources.ts";
import { exposeWorkloadState } from "../controllers/state-metrics/workload-state.ts";
import type { Client } from "../machinery/client/client.ts";
import { networkClock } from "../machinery/clock/clock.ts";
import type { Component } from "../machinery/component/component.ts";
import { runNowOrInSteps } from "../machinery/clock/run-in-steps.ts";
import {
  createFrontProxy,
  extensionAuthentication,
  type FrontProxy,
} from "./apiserver/aggregation/front-proxy.ts";
import { type ApiServer, type ApiServerOptions, createApiServer } from "./apiserver/create-api-server.ts";
import { defaultServiceNetwork } from "./apiserver/registry/service-network.ts";
import { storeIndexes } from "./apiserver/storage/store-indexes.ts";
import {
  type ApiServerChoices,
  type ClusterOptions,
  ClusterOptionsError,
  type CompletedClusterOptions,
  completedOptions,
} from "./cluster-options.ts";
import { configurationEndpoint } from "./configuration-endpoint.ts";
import { decisionsEndpoint } from "./decisions-endpoint.ts";
import { bootstrapObjects, extensionObjects } from "./housekeeping/bootstrap-objects.ts";
import { virtualNodeLeases } from "./kubelet/nodes/node-leases.ts";
import { type RunningComponent, componentStarter } from "./component-starter.ts";
import { clusterComponents } from "./components.ts";
import { nodesOfGroups } from "./node-groups/node-group.ts";
import { pickerPortFactory } from "./picker-access.ts";
import type { Store } from "./store/store.ts";
import { timeEndpoint } from "./time-endpoint.ts";

/** A cluster that runs in this process. */
export interface Cluster {
  readonly client: Client;
  readonly server: ApiServer;
  /** What the API server stores, for observers that read everything, such as a recording. */
  readonly store: Store;
  /** The components it was started with. */
  readonly components: readonly RunningComponent[];
  /** Starts another instance of a component, beside any that still runs. */
  readonly startComponent: (name: string) => RunningComponent;
  /** Stops every component, then the API server and the store. */
  readonly stop: () => Promise<void>;
}

/** The address of the `kubernetes` Service: it is routed nowhere, because loopback is not allowed there. */
const advertisedHost = "240.0.0.1";

/** Starts store, API server and components; resolves when all informers have synced. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const settings = completedOptions(options);
  const { clock, random, log, metrics, store, without } = settings;
  const components = [
    ...clusterComponents({
      gates: settings.gates.controllers,
      componentGates: settings.gates.components,
      removals: settings.decisions.removals,
      rollouts: settings.decisions.rollouts,
      deletions: settings.decisions.deletions,
      placements: settings.decisions.placements,
      pickers: pickerPortFactory(settings.pickerConnector),
      store,
      kinds: () => server.kinds,
      aggregator: () => server.aggregator,
      caBundle: settings.authority?.certificate ?? "",
      schedulerConfig: settings.schedulerConfig,
      removalProfile: settings.removalProfile,
    }),
    ...settings.extraComponents,
  ];
  refuseUnknown(without, components);
  // A restored store may have tens of thousands of objects, which the API server would index without a pause.
  await runNowOrInSteps(store.addIndexesInSteps(storeIndexes), clock);
  const progress = { isReady: false };
  const frontProxy = frontProxyOf(settings);
  const server = apiServerOf(settings, components, { progress, frontProxy });
  const { client } = server;
  const stopping = new AbortController();
  const starter = componentStarter({
    components,
    environment: { client, clock, random, log, metrics },
    overrides: settings.componentOverrides,
    signal: stopping.signal,
  });
  const startComponents = async () => {
    await bootstrap(server, settings, frontProxy);
    exposeWorkloadState(metrics, {
      deployments: () => allOf(store, deployments),
      replicaSets: () => allOf(store, replicaSets),
    });
    const wanted = components.map(({ name }) => name).filter((name) => isOurs(settings, name));
    const started = wanted.map((name) => starter.start(name));
    starter.startSharedInformers();
    await Promise.all(started.map(({ informers }) => informers.synced(stopping.signal)));
    return started;
  };
  const started = await startComponents().catch(async (error: unknown) => {
    stopping.abort(new Error("the cluster could not start"));
    void starter.stopped(); // not awaited: in virtual time only the caller can let it end
    await server.close();
    throw error;
  });
  progress.isReady = true;
  return {
    client,
    server,
    store,
    components: started,
    startComponent: (name) => starter.start(name),
    stop: async () => {
      server.announceShutdown();
      stopping.abort(new Error("the cluster is stopping"));
      await starter.stopped();
      await server.close();
      await store.close();
    },
  };
}

/** Whether this cluster runs a component. */
function isOurs({ without, runs }: CompletedClusterOptions, component: string): boolean {
  return runs(component) && !without.includes(component);
}

/**
 * Throws for an unknown name in `without`: a mistyped one would leave its component running beside the other program's.
 */
function refuseUnknown(without: readonly string[], components: readonly Component[]): void {
  const known = components.map(({ name }) => name);
  const problems = without
    .filter((name) => !known.includes(name))
    .map((name) => `unknown component ${JSON.stringify(name)} in without (known: ${known.join(", ")})`);
  if (problems.length > 0) throw new ClusterOptionsError(problems);
}

/** Creates that by which extension API servers know this one, if any can be reached, and this one can be by them. */
function frontProxyOf(settings: CompletedClusterOptions): FrontProxy | undefined {
  const { extensionServers, clock, random } = settings;
  if (extensionServers === undefined || clientAuthorityOf(settings) === "") return undefined;
  return createFrontProxy(networkClock(clock).now(), random.fork("front-proxy"));
}

interface ApiServerParts {
  readonly progress: { readonly isReady: boolean };
  readonly frontProxy: FrontProxy | undefined;
}

function apiServerOf(
  settings: CompletedClusterOptions,
  components: readonly Component[],
  { progress, frontProxy }: ApiServerParts,
): ApiServer {
  const { clock, random, store, gates, log, decisions, version, metricsText, heap, token } = settings;
  const time = timeEndpoint({ ...settings, leases: () => allOf(store, leases) });
  const configuration = configurationEndpoint(settings);
  const debug = decisionsEndpoint(decisions);
  const outsideRequests = settings.outsideRequests?.({ store, clock: networkClock(clock) });
  return createApiServer({
    ...settings.apiServer,
    clock,
    random: random.fork("apiserver"),
    store,
    gates: gates.apiServer,
    log,
    // Components in `without` count too: another program runs them.
    runKinds: new Set(components.flatMap(({ kinds }) => kinds.map(qualifiedKind))),
    ...(isOurs(settings, "kubelet") && {
      virtualLeases: virtualNodeLeases(store.collection(qualifiedName(nodeResource)), clock),
    }),
    debug: (path, query) =>
      time.read(path) ?? configuration(path) ?? outsideRequests?.debug(path, query) ?? debug(path, query),
    debugAction: async (path, query) =>
      (await time.act(path, query)) ?? (await settings.debugAction?.(path, query)),
    readiness: () => [{ name: "informer-sync", ok: progress.isReady }],
    ...(token !== undefined && { token }),
    ...(heap !== undefined && { heap }),
    ...(outsideRequests !== undefined && { outsideRequests }),
    instruments: settings.metrics,
    ...calledServers(settings, frontProxy),
    ...(version !== undefined && { version }),
    ...(metricsText !== undefined && { metrics: metricsText }),
  });
}

/** Returns how the API server calls other servers. */
function calledServers(
  { store, clock, webhooks, extensionServers, conversions }: CompletedClusterOptions,
  frontProxy: FrontProxy | undefined,
): Pick<ApiServerOptions, "webhookTransport" | "extensionTransport" | "conversions"> {
  const from = { store, clock: networkClock(clock) };
  return {
    ...(webhooks !== undefined && { webhookTransport: webhooks(from) }),
    ...(extensionServers !== undefined && {
      extensionTransport: extensionServers({ ...from, proxyClient: frontProxy?.client }),
    }),
    ...(conversions !== undefined && { conversions }),
  };
}

/** Returns every stored object of a kind. */
function allOf<T extends StoredObject>(store: Store, resource: Resource<T>): readonly T[] {
  // A collection holds only objects of its resource.
  return [...store.collection(qualifiedName(resource)).records()].map(({ object }) => object as unknown as T);
}

/** A cluster that has classes has the default one that it wants. */
function getsStorageClasses(store: Store, { hasStorageClasses }: ApiServerChoices): boolean {
  return hasStorageClasses ?? store.collection(qualifiedName(storageClasses)).count({}) === 0;
}

/** Returns the authority of client certificates, as PEM; empty where clients are in this process only. */
function clientAuthorityOf({ authority, apiServer }: CompletedClusterOptions): string {
  return apiServer.clientAuthority ?? authority?.certificate ?? "";
}

/** Creates the bootstrap objects, then the nodes, unless the store has them. */
async function bootstrap(
  { client, kinds }: ApiServer,
  settings: CompletedClusterOptions,
  frontProxy: FrontProxy | undefined,
): Promise<void> {
  const { clock, store, nodes, zones, apiServer } = settings;
  const createMissing = async (resource: Resource, object: Draft<StoredObject>, isUpdated = false) => {
    const stored = store.collection(qualifiedName(resource)).get(keyOf(object));
    if (stored === undefined) await client.create(resource, object);
    else if (isUpdated)
      await client.update(resource, { ...stored.object, ...object, metadata: stored.object.metadata });
  };
  const { firstAddress } = apiServer.serviceNetwork ?? defaultServiceNetwork;
  const address = { host: advertisedHost, port: 6443, clusterIP: firstAddress };
  const getsClasses = getsStorageClasses(store, apiServer);
  for (const { resource, object } of bootstrapObjects(address, kinds.all))
    if (getsClasses || resource !== storageClasses) await createMissing(resource, object);
  if (frontProxy !== undefined) {
    const data = extensionAuthentication(frontProxy, clientAuthorityOf(settings));
    for (const { resource, object, isUpdated } of extensionObjects(data))
      await createMissing(resource, object, isUpdated);
  }
  const groups = typeof nodes === "number" ? [{ name: "node", count: nodes }] : nodes;
  for (const node of nodesOfGroups(groups, { zones, now: clock.now() }))
    await createMissing(nodeResource, node);
}
