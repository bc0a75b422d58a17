import { onTestFinished } from "vitest";
import { defaultFeatureGates, type FeatureGates } from "../../src/api/feature-gates.ts";
import type { Event, Node, Pod } from "../../src/api/generated/core-v1.ts";
import type { Draft } from "../../src/api/object.ts";
import { events, namespaces, nodes, pods, serviceAccounts } from "../../src/api/resources.ts";
import { createApiServer } from "../../src/cluster/apiserver/create-api-server.ts";
import { simulatedNode } from "../../src/cluster/kubelet/simulated-node.ts";
import { startCluster } from "../../src/cluster/start-cluster.ts";
import { MemoryStore } from "../../src/cluster/store/memory-store.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { eventRecorderFor } from "../../src/machinery/events/event-recorder.ts";
import { InformerFactory } from "../../src/machinery/informer/informer-factory.ts";
import { silentLogger } from "../../src/machinery/log/logger.ts";
import { type Random, seededRandom } from "../../src/machinery/random/random.ts";
import { parseSchedulerConfig } from "../../src/scheduler/configuration/parse-scheduler-config.ts";
import { defaultSchedulerConfig } from "../../src/scheduler/configuration/scheduler-config.ts";
import { createScheduler } from "../../src/scheduler/create-scheduler.ts";
import {
  type PlacementDecision,
  placementEncoder,
  type PlacementRecord,
} from "../../src/decisions/explain/placement-record.ts";
import { DecisionLog } from "../../src/machinery/diagnostics/decision-log.ts";
import { type CollectingLogger, collectingLogger } from "../../src/testing/collecting-logger.ts";
import { deepFreeze } from "../../src/testing/deep-freeze.ts";
import { type MemoryMetrics, memoryMetrics } from "../../src/testing/memory-metrics.ts";
import { observeClient, type ObservedClient } from "../../src/testing/observe-client.ts";
import { overHttps } from "../replicaset/over-https.ts";

export interface SchedulerFixtureOptions {
  readonly seed?: string;
  /** So many simulated nodes in three zones, or these. */
  readonly nodes?: number | readonly Draft<Node>[];
  /** The scheduler's configuration file. */
  readonly config?: string;
  readonly gates?: Partial<FeatureGates>;
  readonly claims?: "ignored" | "refused";
  /** How long bindings take. */
  readonly bindingMs?: number;
  /** Whether controllers, kubelet and housekeeping are at work as well. */
  readonly withControllers?: boolean;
}

/** A small cluster in virtual time with our scheduler in it, all of whose dealings can be seen. */
export interface SchedulerFixture {
  readonly clock: VirtualClock;
  /** Of a person; the scheduler has one of its own. */
  readonly client: Client;
  readonly scheduler: ObservedClient;
  readonly records: DecisionLog<PlacementDecision, PlacementRecord>;
  readonly metrics: MemoryMetrics;
  readonly log: CollectingLogger;
  readonly createPod: (name: string, draft?: PodDraft) => Promise<Pod>;
  readonly pod: (name: string) => Promise<Pod>;
  /** Where Pods of the namespace `default` are, by name; `undefined` for those that wait. */
  readonly places: () => Promise<Readonly<Record<string, string | undefined>>>;
  readonly eventsOf: (name: string) => Promise<readonly Event[]>;
  /** Ends the scheduler alone. */
  readonly stopScheduler: () => Promise<void>;
}

export interface PodDraft {
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: Partial<Pod["spec"]>;
  readonly metadata?: Partial<Pod["metadata"]>;
}

export type StartSchedulerFixture = (options?: SchedulerFixtureOptions) => Promise<SchedulerFixture>;

/** Starts an API server and a scheduler, and all the rest if asked to. */
export const startSchedulerFixture: StartSchedulerFixture = (options = {}) => {
  const start = options.withControllers === true ? startAll : startServer;
  return startWith(start, options, new VirtualClock());
};

/** The same with a scheduler that talks HTTPS. Certificates have to be good now, so it begins with this very second. */
export const startOverHttps: StartSchedulerFixture = (options = {}) => {
  const second = Math.floor(new WallClock().now() / 1000);
  return startWith(startListening, options, new VirtualClock(second * 1000));
};

async function startWith(
  start: Start,
  options: SchedulerFixtureOptions,
  clock: VirtualClock,
): Promise<SchedulerFixture> {
  const random = seededRandom(options.seed ?? "scheduler");
  const gates = { ...defaultFeatureGates, ...options.gates };
  const { client, schedulerClient = client, stop } = await start(clock, random, gates);
  for (const node of nodeDrafts(options.nodes ?? 3, clock)) await client.create(nodes, node);

  const overseen = observeClient(schedulerClient);
  const log = collectingLogger();
  const metrics = memoryMetrics();
  const records = new DecisionLog(placementEncoder);
  const informers = new InformerFactory({ client: overseen.client, clock, random, log });
  const scheduler = createScheduler({
    client: binding(overseen.client, clock, options.bindingMs ?? 0),
    clock,
    random: random.fork("scheduler"),
    informers,
    config: configOf(options, gates),
    recorder: (component) => eventRecorderFor({ client, clock, random }, component),
    claims: options.claims ?? "ignored",
    records,
    log,
    metrics,
  });
  const ending = new AbortController();
  const endingScheduler = new AbortController();
  const running = scheduler.run(endingScheduler.signal);
  const following = informers.run(ending.signal);
  const stopScheduler = async () => {
    endingScheduler.abort(new Error("the scheduler is stopping"));
    await running;
  };
  onTestFinished(async () => {
    overseen.releaseWatches();
    endingScheduler.abort(new Error("the test is over"));
    ending.abort(new Error("the test is over"));
    await Promise.allSettled([running, following, stop()]);
  });
  await informers.synced(ending.signal);
  await clock.settle();
  return {
    clock,
    client,
    scheduler: overseen,
    records,
    metrics,
    log,
    stopScheduler,
    createPod: (name, draft = {}) => client.create(pods, podDraft(name, draft)),
    pod: (name) => client.get(pods, { namespace: "default", name }),
    async places() {
      const { items } = await client.list(pods, { namespace: "default" });
      return Object.fromEntries(items.map(({ metadata, spec }) => [metadata.name, spec.nodeName]));
    },
    async eventsOf(name) {
      const { items } = await client.list(events, { namespace: "default" });
      return items.filter(({ involvedObject }) => involvedObject.name === name);
    },
  };
}

interface Surroundings {
  readonly client: Client;
  /** Absent: the same. */
  readonly schedulerClient?: Client;
  readonly stop: () => Promise<void>;
}

type Start = (clock: VirtualClock, random: Random, gates: FeatureGates) => Promise<Surroundings>;

/** An API server and what a Pod needs to be created, nothing more. */
const startServer: Start = async (clock, random, gates) => {
  const { client } = await serverWithStore(clock, random, gates);
  return { client, stop: () => Promise.resolve() };
};

const startListening: Start = async (clock, random, gates) => {
  const { client, server, store } = await serverWithStore(clock, random, gates);
  const outside = await overHttps(server, store, clock);
  return { client, schedulerClient: outside.client, stop: () => outside.close() };
};

async function serverWithStore(clock: VirtualClock, random: Random, gates: FeatureGates) {
  const store = new MemoryStore({ clock, transformObject: deepFreeze });
  const server = createApiServer({ clock, random, store, gates: () => gates, log: silentLogger });
  const { client } = server;
  await client.create(namespaces, { metadata: { name: "default" }, spec: {} });
  await client.create(serviceAccounts, { metadata: { name: "default", namespace: "default" } });
  return { server, store, client };
}

/** A whole cluster, but for whoever gives Pods their nodes. */
const startAll: Start = async (clock, random, gates) => {
  const of = () => gates;
  const without = ["scheduler"];
  const cluster = await startCluster({
    clock,
    random,
    nodes: 0,
    gates: { apiServer: of, controllers: of },
    without,
  });
  await clock.advance(1000);
  return cluster;
};

/** The client, with bindings that take their time. */
function binding(client: Client, clock: VirtualClock, durationMs: number): Client {
  if (durationMs === 0) return client;
  const bind: Client["bind"] = async (...request) => {
    await clock.sleep(durationMs);
    await client.bind(...request);
  };
  return { ...client, bind };
}

function configOf({ config }: SchedulerFixtureOptions, gates: FeatureGates) {
  if (config === undefined) return defaultSchedulerConfig(gates);
  const parsed = parseSchedulerConfig(config, gates);
  if (!parsed.ok) throw new Error(`a wrong configuration: ${JSON.stringify(parsed.errors)}`);
  return parsed.config;
}

function nodeDrafts(wanted: number | readonly Draft<Node>[], clock: VirtualClock): readonly Draft<Node>[] {
  if (typeof wanted !== "number") return wanted;
  return Array.from({ length: wanted }, (_, index) => simulatedNode({ index, zones: 3 }, clock.now()));
}

/** A Pod of the namespace `default` with one container. */
export function podDraft(name: string, { labels, spec, metadata }: PodDraft = {}): Draft<Pod> {
  return {
    metadata: { name, namespace: "default", labels: { app: "web", ...labels }, ...metadata },
    spec: { containers: [{ name: "app", image: "registry.example/app:1" }], ...spec },
  };
}

export interface NodeTraits {
  readonly labels?: Readonly<Record<string, string>>;
  readonly cpu?: string;
  readonly pods?: string;
  readonly spec?: NonNullable<Node["spec"]>;
}

/** A node that is there for everybody. */
export function nodeDraft(name: string, traits: NodeTraits = {}): Draft<Node> {
  const allocatable = { cpu: traits.cpu ?? "8", memory: "32Gi", pods: traits.pods ?? "110" };
  return {
    metadata: { name, labels: { "kubernetes.io/hostname": name, ...traits.labels } },
    spec: traits.spec ?? {},
    status: { capacity: allocatable, allocatable, conditions: [{ type: "Ready", status: "True" }] },
  };
}
