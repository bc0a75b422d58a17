import { onTestFinished } from "vitest";
import { defaultFeatureGates, type FeatureGates } from "../../src/api/feature-gates.ts";
import type { Event, Node, Pod } from "../../src/api/generated/core-v1.ts";
import type { Draft } from "../../src/api/object.ts";
import { events, pods, serviceAccounts } from "../../src/api/resources.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { interceptClient, type Interceptor } from "../../src/machinery/client/intercept-client.ts";
import type { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import { eventRecorderFor } from "../../src/machinery/events/event-recorder.ts";
import { InformerFactory } from "../../src/machinery/informer/informer-factory.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { parseSchedulerConfig } from "../../src/scheduler/configuration/parse-scheduler-config.ts";
import { defaultSchedulerConfig } from "../../src/scheduler/configuration/scheduler-config.ts";
import { createScheduler } from "../../src/scheduler/create-scheduler.ts";
import { PlacementLog } from "../../src/scheduler/records/placement-log.ts";
import { type CollectingLogger, collectingLogger } from "../../src/testing/collecting-logger.ts";
import { type MemoryMetrics, memoryMetrics } from "../../src/testing/memory-metrics.ts";
import type { ObservedClient } from "../../src/testing/observe-client.ts";
import {
  allComponentsExcept,
  type TestCluster,
  testCluster,
  type TestTransport,
} from "../../src/testing/test-cluster.ts";

export interface SchedulerFixtureOptions {
  readonly seed?: string;
  /** So many simulated nodes in three zones, or these. */
  readonly nodes?: number | readonly Draft<Node>[];
  /** The scheduler's configuration file. */
  readonly config?: string;
  readonly gates?: Partial<FeatureGates>;
  readonly claims?: "simulated" | "elsewhere";
  /** How long bindings take. */
  readonly bindingMs?: number;
  readonly maxBindings?: number;
  /** Whether all other components run as well. */
  readonly withControllers?: boolean;
  readonly transport?: TestTransport;
}

/** A cluster, and beside it the scheduler under test. */
export interface SchedulerFixture extends Pick<TestCluster, "clock" | "client"> {
  readonly scheduler: ObservedClient;
  readonly records: PlacementLog;
  readonly metrics: MemoryMetrics;
  readonly log: CollectingLogger;
  readonly createPod: (name: string, draft?: PodDraft) => Promise<Pod>;
  readonly pod: (name: string) => Promise<Pod>;
  /** The nodes of the Pods in the namespace `default`, by name; `undefined` for those that wait. */
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

/** Starts an API server and a scheduler, and all other components if asked to. */
export const startSchedulerFixture: StartSchedulerFixture = async (options = {}) => {
  const { seed = "scheduler", transport = "in-process", withControllers = false, bindingMs = 0 } = options;
  const random = seededRandom(seed);
  const gates = { ...defaultFeatureGates, ...options.gates };
  const cluster = await testCluster({
    seed,
    nodes: options.nodes ?? 3,
    zones: 3,
    gates,
    transport,
    components: withControllers ? allComponentsExcept("scheduler") : [],
  });
  const { clock, client, observed } = cluster;
  if (withControllers) await clock.advance(1000);
  else await createServiceAccount(client);

  const log = collectingLogger();
  const metrics = memoryMetrics();
  const records = new PlacementLog();
  const informers = new InformerFactory({ client: observed.client, clock, random, log });
  const scheduler = createScheduler({
    client: interceptClient(observed.client, slowBinding(clock, bindingMs)),
    clock,
    random: random.fork("scheduler"),
    informers,
    config: configOf(options, gates),
    recorder: (component) => eventRecorderFor({ client, clock, random }, component),
    claims: options.claims ?? "simulated",
    maxBindings: options.maxBindings,
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
    observed.releaseWatches();
    endingScheduler.abort(new Error("the test is over"));
    ending.abort(new Error("the test is over"));
    await Promise.allSettled([running, following, cluster.stop()]);
  });
  await informers.synced(ending.signal);
  await clock.settle();
  return {
    clock,
    client,
    scheduler: observed,
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
};

/** A Pod needs the service account of its namespace. */
async function createServiceAccount(client: Client): Promise<void> {
  await client.create(serviceAccounts, { metadata: { name: "default", namespace: "default" } });
}

/** Bindings take so long. */
function slowBinding(clock: VirtualClock, durationMs: number): Interceptor {
  return {
    async call({ verb }, send) {
      if (verb === "bind" && durationMs > 0) await clock.sleep(durationMs);
      return send();
    },
  };
}

function configOf({ config }: SchedulerFixtureOptions, gates: FeatureGates) {
  if (config === undefined) return defaultSchedulerConfig(gates);
  const parsed = parseSchedulerConfig(config, { gates });
  if (!parsed.ok) throw new Error(`a wrong configuration: ${JSON.stringify(parsed.errors)}`);
  return parsed.config;
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

/** A node on its way to the server. */
export function nodeDraft(name: string, traits: NodeTraits = {}): Draft<Node> {
  const allocatable = { cpu: traits.cpu ?? "8", memory: "32Gi", pods: traits.pods ?? "110" };
  return {
    metadata: { name, labels: { "kubernetes.io/hostname": name, ...traits.labels } },
    spec: traits.spec ?? {},
    status: { capacity: allocatable, allocatable, conditions: [{ type: "Ready", status: "True" }] },
  };
}

/** What a message ends with where removing Pods helps on no node. */
export const preemptionInVain = (nodes: number): string =>
  `preemption: 0/${nodes} nodes are available: ${nodes} Preemption is not helpful for scheduling.`;
