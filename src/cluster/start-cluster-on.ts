import { type Draft, keyOf, type StoredObject } from "../api/object.ts";
import { qualifiedKind, qualifiedName, type Resource } from "../api/resource.ts";
import { deployments, nodes as nodeResource, replicaSets, storageClasses } from "../api/resources.ts";
import { exposeWorkloadState } from "../controllers/state-metrics/workload-state.ts";
import type { Client } from "../machinery/client/client.ts";
import { networkClock } from "../machinery/clock/clock.ts";
import type { Component } from "../machinery/component/component.ts";
import { runNowOrInSteps } from "../machinery/clock/run-in-steps.ts";
import {
  extensionAuthentication,
  type FrontProxy,
} from "./apiserver/aggregation/extension-authentication.ts";
import type { Api, ApiOptions } from "./apiserver/create-api.ts";
import { defaultServiceNetwork } from "./apiserver/registry/service-network.ts";
import { storeIndexes } from "./apiserver/storage/store-indexes.ts";
import {
  type ApiServerChoices,
  type ClusterOptions,
  ClusterOptionsError,
  type CompletedClusterOptions,
  completedOptions,
} from "./cluster-options.ts";
import { bootstrapObjects, extensionObjects } from "./housekeeping/bootstrap-objects.ts";
import { virtualNodeLeases } from "./kubelet/nodes/node-leases.ts";
import { type RunningComponent, componentStarter } from "./component-starter.ts";
import { clusterComponents } from "./components.ts";
import { nodesOfGroups } from "./node-groups/node-group.ts";
import { pickerPortFactory } from "./picker-access.ts";
import type { Store } from "./store/store.ts";

/** A cluster that runs in this process, whose API is of the kind that its host makes. */
export interface ClusterOf<Server extends Api> {
  readonly client: Client;
  readonly server: Server;
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

/** The options of a cluster's API that do not depend on how it is started. */
export type ClusterApiOptions = Omit<ApiOptions, "token" | "tokenSigner" | "forwardToLoopback"> &
  Partial<Pick<ApiOptions, "tokenSigner">>;

/** What a cluster is given by what it runs in: Node, which can listen, or a browser, which cannot. */
export interface ClusterHost<Server extends Api> {
  readonly createApi: (options: ClusterApiOptions, of: ClusterParts) => Server;
  /** Creates that by which extension API servers know this one; absent, or `undefined`: none can be reached. */
  readonly createFrontProxy?: (settings: CompletedClusterOptions) => FrontProxy | undefined;
}

/** What a host may want to know of the cluster whose API it creates. */
export interface ClusterParts {
  readonly settings: CompletedClusterOptions;
  /** Whether all informers have synced. */
  readonly isReady: () => boolean;
}

/** Starts store, API and components; resolves when all informers have synced. */
export async function startClusterOn<Server extends Api>(
  host: ClusterHost<Server>,
  options: ClusterOptions,
): Promise<ClusterOf<Server>> {
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
  const frontProxy = host.createFrontProxy?.(settings);
  const server: Server = host.createApi(apiOptionsOf(settings, components, frontProxy), {
    settings,
    isReady: () => progress.isReady,
  });
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

/** Returns what the API is made of besides what its host adds. */
function apiOptionsOf(
  settings: CompletedClusterOptions,
  components: readonly Component[],
  frontProxy: FrontProxy | undefined,
): ClusterApiOptions {
  const { clock, random, store, gates, log, heap } = settings;
  return {
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
    ...(heap !== undefined && { heap }),
    instruments: settings.metrics,
    ...calledServers(settings, frontProxy),
  };
}

/** Returns how the API server calls other servers. */
function calledServers(
  { store, clock, webhooks, extensionServers, conversions }: CompletedClusterOptions,
  frontProxy: FrontProxy | undefined,
): Pick<ApiOptions, "webhookTransport" | "extensionTransport" | "conversions"> {
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
export function allOf<T extends StoredObject>(store: Store, resource: Resource<T>): readonly T[] {
  // A collection holds only objects of its resource.
  return [...store.collection(qualifiedName(resource)).records()].map(({ object }) => object as unknown as T);
}

/** A cluster that has classes has the default one that it wants. */
function getsStorageClasses(store: Store, { hasStorageClasses }: ApiServerChoices): boolean {
  return hasStorageClasses ?? store.collection(qualifiedName(storageClasses)).count({}) === 0;
}

/** Returns the authority of client certificates, as PEM; empty where clients are in this process only. */
export function clientAuthorityOf({ authority, apiServer }: CompletedClusterOptions): string {
  return apiServer.clientAuthority ?? authority?.certificate ?? "";
}

/** Creates the bootstrap objects, then the nodes, unless the store has them. */
async function bootstrap(
  { client, kinds }: Api,
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
