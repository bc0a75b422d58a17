import { defaultFeatureGates, type FeatureGates } from "../api/feature-gates.ts";
import type { Node } from "../api/generated/core-v1.ts";
import type { Draft } from "../api/object.ts";
import { nodes as nodeResource } from "../api/resources.ts";
import type { ApiServerAccess } from "../cluster/apiserver/create-api-server.ts";
import type { ClusterOptions } from "../cluster/cluster-options.ts";
import type { ComponentOverrides } from "../cluster/component-starter.ts";
import { createDecisionLogs, type DecisionLogs } from "../cluster/decisions-endpoint.ts";
import { type Cluster, startCluster } from "../cluster/start-cluster.ts";
import { MemoryStore } from "../cluster/store/memory-store.ts";
import type { Store } from "../cluster/store/store.ts";
import type { Client } from "../machinery/client/client.ts";
import {
  chainInterceptors,
  interceptClient,
  type Interceptor,
} from "../machinery/client/intercept-client.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import { VirtualClock } from "../machinery/clock/virtual-clock.ts";
import { WallClock } from "../machinery/clock/wall-clock.ts";
import { seededRandom } from "../machinery/random/random.ts";
import { type CollectingLogger, collectingLogger } from "./collecting-logger.ts";
import { connectOverHttps } from "./connect-over-https.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { type MemoryMetrics, memoryMetrics } from "./memory-metrics.ts";
import { observeClient, type ObservedClient } from "./observe-client.ts";

/** Every component of a cluster, by name. */
const componentNames: readonly string[] = [
  "deployment",
  "replicaset",
  "replicationmanager",
  "daemonset",
  "statefulset",
  "job",
  "cronjob",
  "ttl-after-finished",
  "garbage-collector",
  "namespace",
  "service-account",
  "root-ca",
  "clusterrole-aggregation",
  "apiservice-registration",
  "apiservice-availability",
  "validatingadmissionpolicy-status",
  "disruption",
  "node-lifecycle",
  "endpoint",
  "endpoint-slice",
  "persistentvolume-binder",
  "volume-protection",
  "resource-quota",
  "horizontal-pod-autoscaler",
  "kubelet",
  "scheduler",
];

/** How the components under test reach the API server. */
export type TestTransport = "in-process" | "https";

export interface TestClusterOptions<C extends Clock = VirtualClock> extends Pick<
  ClusterOptions,
  | "zones"
  | "schedulerConfig"
  | "pickerConnector"
  | "webhooks"
  | "extensionServers"
  | "conversions"
  | "extraComponents"
> {
  /** The number of simulated nodes, or the nodes; absent: three in one zone. */
  readonly nodes?: number | readonly Draft<Node>[];
  /** The components that run, by name; absent: all of them. */
  readonly components?: readonly string[];
  /** The components under test, which use the observed client. Absent: none. */
  readonly observed?: readonly string[];
  /** The transport of the observed client; absent: in process. */
  readonly transport?: TestTransport;
  /** Interceptors between the observed client and the API server; the first is nearest to the client. */
  readonly faults?: readonly Interceptor[];
  /** Gates that differ from their defaults, of all components. */
  readonly gates?: Partial<FeatureGates>;
  /** Gates of the API server that differ from `gates`. */
  readonly apiServerGates?: Partial<FeatureGates>;
  /** Seeds all random numbers. */
  readonly seed?: string;
  /** Absent: a virtual one. */
  readonly clock?: C;
  /** The store of an earlier cluster to continue with; absent: an empty one whose objects are frozen. */
  readonly store?: Store;
}

/** A cluster for one test. */
export interface TestCluster<C extends Clock = VirtualClock> extends Pick<
  Cluster,
  "server" | "components" | "startComponent"
> {
  readonly clock: C;
  /** The client of a user, which is neither observed nor faulty. */
  readonly client: Client;
  readonly store: Store;
  /** The client of the components under test; a controller may also be run on it beside the cluster. */
  readonly observed: ObservedClient;
  /** Where the API server listens; present when the transport is HTTPS. */
  readonly access: ApiServerAccess | undefined;
  readonly decisions: DecisionLogs;
  readonly metrics: MemoryMetrics;
  readonly log: CollectingLogger;
  /** Changes gates while the cluster runs. */
  readonly switchGates: (gates: Partial<FeatureGates>) => void;
  /** Stops everything except the store; resolves when the last component has ended. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a cluster for a test, which has to stop it. Without options: an API server, three nodes and all components, in
 * virtual time.
 */
export function testCluster(options?: TestClusterOptions): Promise<TestCluster>;
export function testCluster<C extends Clock>(
  options: TestClusterOptions<C> & { readonly clock: C },
): Promise<TestCluster<C>>;
export async function testCluster(options: TestClusterOptions<Clock> = {}): Promise<TestCluster<Clock>> {
  const { nodes, transport, faults, observed: underTest, clock, store, seed, passed } = withDefaults(options);
  const log = collectingLogger();
  const metrics = memoryMetrics();
  const decisions = createDecisionLogs();
  let gates: FeatureGates = { ...defaultFeatureGates, ...options.gates };
  let observedClient: Client | undefined;
  const overrides = (component: string, shared: ComponentOverrides) =>
    observedClient !== undefined && underTest.includes(component)
      ? { ...shared, client: observedClient }
      : shared;

  const cluster = await startCluster({
    ...passed,
    clock,
    random: seededRandom(seed),
    store,
    log,
    metrics,
    decisions,
    nodes: typeof nodes === "number" ? nodes : 0,
    gates: { apiServer: () => ({ ...gates, ...options.apiServerGates }), controllers: () => gates },
    without: namesExcept(options.components, underTest),
    ...(underTest.length > 0 && { componentOverrides: overrides }),
  });
  if (typeof nodes !== "number") for (const node of nodes) await cluster.client.create(nodeResource, node);

  const { client, access, close } = await connect(cluster, transport, clock);
  const observed = observeClient(client);
  observedClient = interceptClient(observed.client, chainInterceptors(faults));
  const started = await startAndSync(cluster, underTest);
  return {
    clock,
    client: cluster.client,
    server: cluster.server,
    store,
    components: [...cluster.components, ...started],
    startComponent: cluster.startComponent,
    observed: { ...observed, client: observedClient },
    access,
    decisions,
    metrics,
    log,
    switchGates: (changed) => void (gates = { ...gates, ...changed }),
    async stop() {
      observed.releaseWatches();
      await close();
      await untilEnded(access === undefined ? clock : undefined, cluster.stop());
    },
  };
}

function withDefaults(options: TestClusterOptions<Clock>) {
  const { nodes = 3, transport = "in-process", faults = [], observed = [], seed = "test" } = options;
  const { clock = newClock(transport) } = options;
  const { store = new MemoryStore({ clock, transformObject: deepFreeze }) } = options;
  return { nodes, transport, faults, observed, seed, clock, store, passed: passedOn(options) };
}

/** Options that are passed to the cluster unchanged. */
function passedOn(options: TestClusterOptions<Clock>) {
  const { zones = 1, schedulerConfig, pickerConnector, webhooks, extensionServers } = options;
  const { conversions, extraComponents = [] } = options;
  return {
    zones,
    extraComponents,
    ...(schedulerConfig !== undefined && { schedulerConfig }),
    ...(pickerConnector !== undefined && { pickerConnector }),
    ...(webhooks !== undefined && { webhooks }),
    ...(extensionServers !== undefined && { extensionServers }),
    ...(conversions !== undefined && { conversions }),
  };
}

/** How the observed client reaches the API server; its address is known where it listens. */
async function connect({ client, server, store }: Cluster, transport: TestTransport, clock: Clock) {
  if (transport === "https") return connectOverHttps(server, store, clock);
  return { client, access: undefined, close: () => Promise.resolve() };
}

/** Starts components that use the observed client; resolves when their informers have synced. */
async function startAndSync(cluster: Cluster, names: readonly string[]) {
  const started = names.map((component) => cluster.startComponent(component));
  const { signal } = new AbortController();
  await Promise.all(started.map(({ informers }) => informers.synced(signal)));
  return started;
}

/** Returns the start of a virtual clock: with HTTPS it is the current second, because certificates must be valid now. */
function newClock(transport: TestTransport): VirtualClock {
  if (transport === "in-process") return new VirtualClock();
  return new VirtualClock(Math.floor(new WallClock().now() / 1000) * 1000);
}

/** The names of all components but some, for `TestClusterOptions.components`. */
export function allComponentsExcept(...names: readonly string[]): readonly string[] {
  return componentNames.filter((name) => !names.includes(name));
}

/** Returns the components that the cluster does not start: unwanted ones, and those under test, which start later. */
function namesExcept(wanted: readonly string[] | undefined, underTest: readonly string[]): readonly string[] {
  return componentNames.filter(
    (name) => underTest.includes(name) || (wanted !== undefined && !wanted.includes(name)),
  );
}

/** A component that sleeps in virtual time ends only when time passes; it must not pass while sockets are closed. */
async function untilEnded(clock: Clock | undefined, ending: Promise<unknown>): Promise<void> {
  await (clock instanceof VirtualClock ? clock.runUntilSettled(ending) : ending);
}
