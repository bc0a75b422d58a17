import { onTestFinished } from "vitest";
import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import type { Event, Node, Pod } from "../../src/api/generated/core-v1.ts";
import type { Draft } from "../../src/api/object.ts";
import { events, namespaces, nodes, pods, serviceAccounts } from "../../src/api/resources.ts";
import { createApiServer } from "../../src/cluster/apiserver/create-api-server.ts";
import { storeIndexes } from "../../src/cluster/apiserver/indexes.ts";
import { components } from "../../src/cluster/components.ts";
import { simulatedNode } from "../../src/cluster/kubelet/simulated-node.ts";
import { MemoryStore } from "../../src/cluster/store/memory-store.ts";
import { DecisionRecords } from "../../src/controllers/decision-records.ts";
import { RolloutRecords } from "../../src/controllers/deployment/rollout-records.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import { runController } from "../../src/machinery/controller.ts";
import { ClientEventRecorder } from "../../src/machinery/events/event-recorder.ts";
import { Informers } from "../../src/machinery/informers.ts";
import { silentLogger } from "../../src/machinery/log.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { parseSchedulerConfig } from "../../src/scheduler/configuration/parse-scheduler-config.ts";
import { defaultSchedulerConfig } from "../../src/scheduler/configuration/scheduler-config.ts";
import { createScheduler } from "../../src/scheduler/create-scheduler.ts";
import type { PlacementRecords } from "../../src/scheduler/records/placement-records.ts";
import { type CollectingLogger, collectingLogger } from "../../src/testing/collecting-logger.ts";
import { deepFreeze } from "../../src/testing/deep-freeze.ts";
import { type MemoryMetrics, memoryMetrics } from "../../src/testing/memory-metrics.ts";
import { oversee, type Oversight } from "../../src/testing/oversee.ts";

export interface WorldOptions {
  readonly seed?: string;
  /** So many simulated nodes in three zones, or these. */
  readonly nodes?: number | readonly Draft<Node>[];
  /** The scheduler's configuration file. */
  readonly config?: string;
  readonly gates?: Partial<typeof defaultFeatureGates>;
  readonly claims?: "ignored" | "refused";
  /** Whether controllers, kubelet and housekeeping are at work as well. */
  readonly withControllers?: boolean;
}

/** A small cluster in virtual time with our scheduler in it, all of whose dealings can be seen. */
export interface World {
  readonly clock: VirtualClock;
  /** Of a person; the scheduler has one of its own. */
  readonly client: Client;
  readonly scheduler: Oversight;
  readonly records: PlacementRecords;
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

/** Starts an API server and a scheduler, and all the rest if asked to. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const clock = new VirtualClock();
  const random = seededRandom(options.seed ?? "scheduler");
  const store = new MemoryStore({ clock, indexes: storeIndexes, guard: deepFreeze });
  const gates = { ...defaultFeatureGates, ...options.gates };
  const server = createApiServer({ clock, random, store, gates: () => gates, log: silentLogger });
  const { client } = server;
  await client.create(namespaces, { metadata: { name: "default" }, spec: {} });
  await client.create(serviceAccounts, { metadata: { name: "default", namespace: "default" } });
  for (const node of nodeDrafts(options.nodes ?? 3, clock)) await client.create(nodes, node);

  const overseen = oversee(client);
  const log = collectingLogger();
  const metrics = memoryMetrics();
  const informers = new Informers({ client: overseen.client, clock, random, log });
  const scheduler = createScheduler({
    client: overseen.client,
    clock,
    random: random.fork("scheduler"),
    informers,
    config: configOf(options, gates),
    recorder: (component) =>
      new ClientEventRecorder({ client, clock, random: random.fork(component), component }),
    claims: options.claims ?? "ignored",
    log,
    metrics,
  });
  const ending = new AbortController();
  const endingScheduler = new AbortController();
  const rest = new Informers({ client, clock, random, log: silentLogger });
  const specs =
    options.withControllers === true
      ? components({
          client,
          clock,
          random,
          log: silentLogger,
          metrics: memoryMetrics(),
          informers: rest,
          store,
          resources: server.resources.all,
          gates: () => gates,
          caBundle: "",
          removals: new DecisionRecords(),
          rollouts: new RolloutRecords(),
        }).filter(({ name }) => name !== "stand-in-binder")
      : [];
  const running = scheduler.run(endingScheduler.signal);
  const parts = [
    informers.run(ending.signal),
    rest.run(ending.signal),
    ...specs.map((spec) => runController(spec, { clock, log: silentLogger }, ending.signal)),
    running,
  ];
  const stopScheduler = async () => {
    endingScheduler.abort(new Error("the scheduler is stopping"));
    await running;
  };
  onTestFinished(async () => {
    overseen.releaseWatches();
    endingScheduler.abort(new Error("the test is over"));
    ending.abort(new Error("the test is over"));
    await Promise.allSettled(parts);
  });
  await informers.synced(ending.signal);
  await clock.settle();
  return {
    clock,
    client,
    scheduler: overseen,
    records: scheduler.records,
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

function configOf({ config }: WorldOptions, gates: typeof defaultFeatureGates) {
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
    status: { capacity: allocatable, allocatable },
  };
}
