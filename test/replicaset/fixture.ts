import { expect, onTestFinished } from "vitest";
import { defaultFeatureGates, type FeatureGates } from "../../src/api/feature-gates.ts";
import { namespaces, nodes, pods, replicaSets, replicationControllers } from "../../src/api/resources.ts";
import { createApiServer } from "../../src/cluster/apiserver/create-api-server.ts";
import { clusterComponents } from "../../src/cluster/components.ts";
import { InformerFactory } from "../../src/machinery/informer/informer-factory.ts";
import { simulatedNode } from "../../src/cluster/kubelet/simulated-node.ts";
import { MemoryStore } from "../../src/cluster/store/memory-store.ts";
import type { ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import {
  type RemovalDecision,
  removalEncoder,
  type RemovalRecord,
} from "../../src/decisions/explain/removal-record.ts";
import { DecisionLog } from "../../src/machinery/diagnostics/decision-log.ts";
import { rolloutEncoder } from "../../src/decisions/explain/rollout-record.ts";
import type { PickerPort } from "../../src/controllers/replicaset/picker-port.ts";
import { replicaSetController, replicationManager } from "../../src/controllers/replicaset/controller.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { type ControllerSpec, runController } from "../../src/machinery/controller.ts";
import { silentLogger } from "../../src/machinery/log/logger.ts";
import { workqueueMetrics } from "../../src/machinery/metrics/workqueue-metrics.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { defaultSchedulerConfig } from "../../src/scheduler/configuration/scheduler-config.ts";
import { placementEncoder } from "../../src/decisions/explain/placement-record.ts";
import { type CollectingLogger, collectingLogger } from "../../src/testing/collecting-logger.ts";
import { type CollectingRecorder, collectingRecorder } from "../../src/testing/collecting-recorder.ts";
import { deepFreeze } from "../../src/testing/deep-freeze.ts";
import { type MemoryMetrics, memoryMetrics } from "../../src/testing/memory-metrics.ts";
import { observeClient, type ObservedClient } from "../../src/testing/observe-client.ts";
import { standInBinder } from "../../src/testing/stand-in-binder.ts";
import { missingPermissions } from "../controllers/rbac.ts";
import { overHttps } from "./over-https.ts";

export interface ReplicaSetFixtureOptions {
  readonly gates?: Partial<FeatureGates>;
  /** Of the API server where they differ from those of the controllers. */
  readonly apiServerGates?: Partial<FeatureGates>;
  /** Simulated nodes; without any, Pods wait for ever and are the test's own to play. */
  readonly nodes?: number;
  /** Absent: pickers are not asked. */
  readonly consultations?: PickerPort<ReplicaSet>;
}

/** A small cluster in virtual time with our controllers in it, all of whose dealings can be seen. */
export interface ReplicaSetFixture {
  readonly clock: VirtualClock;
  /** Of a person; the controllers have one of their own. */
  readonly client: Client;
  readonly controller: ObservedClient;
  readonly events: CollectingRecorder;
  readonly records: DecisionLog<RemovalDecision, RemovalRecord>;
  readonly metrics: MemoryMetrics;
  readonly log: CollectingLogger;
  /** Switches gates of the controllers and the API server while they run. */
  switchGates(gates: Partial<FeatureGates>): void;
}

export type StartReplicaSetFixture = (options?: ReplicaSetFixtureOptions) => Promise<ReplicaSetFixture>;

/** A world whose controllers talk to the API in process. */
export const startInProcess: StartReplicaSetFixture = (options) =>
  startReplicaSetFixture(options, new VirtualClock());

/** The same over HTTPS. Certificates have to be good now, so it begins with this very second. */
export const startOverHttps: StartReplicaSetFixture = (options) => {
  const second = Math.floor(new WallClock().now() / 1000);
  return startReplicaSetFixture(options, new VirtualClock(second * 1000), overHttps);
};

async function startReplicaSetFixture(
  options: ReplicaSetFixtureOptions = {},
  clock: VirtualClock,
  connect?: typeof overHttps,
): Promise<ReplicaSetFixture> {
  const random = seededRandom("replicaset");
  const store = new MemoryStore({ clock, transformObject: deepFreeze });
  let current: FeatureGates = { ...defaultFeatureGates, ...options.gates };
  const gates = () => current;
  const apiServerGates = () => ({ ...current, ...options.apiServerGates });
  const server = createApiServer({ clock, random, store, gates: apiServerGates, log: silentLogger });
  const { client } = server;
  for (const name of ["default", "elsewhere"])
    await client.create(namespaces, { metadata: { name }, spec: {} });
  for (let index = 0; index < (options.nodes ?? 3); index++) {
    await client.create(nodes, simulatedNode({ index, zones: 1 }, clock.now()));
  }

  const connection = await connect?.(server, store, clock);
  const controller = observeClient(connection?.client ?? client);
  const log = collectingLogger();
  const metrics = memoryMetrics();
  const events = collectingRecorder();
  const records = new DecisionLog(removalEncoder);
  const rest = new InformerFactory({ client, clock, random, log: silentLogger });
  const own = new InformerFactory({ client: controller.client, clock, random, log });
  const deps = { client: controller.client, clock, pods: own.of(pods), events, records, gates, log, metrics };
  const specs = [
    replicaSetController({ ...deps, owners: own.of(replicaSets), pickerPort: options.consultations }),
    replicationManager({ ...deps, owners: own.of(replicationControllers) }),
  ];
  const binder = standInBinder({
    client,
    pods: rest.of(pods),
    nodes: rest.of(nodes),
    events: collectingRecorder(),
  });

  const ending = new AbortController();
  const others = clusterComponents({
    store,
    resources: () => server.resources.all,
    gates,
    caBundle: "",
    removals: records,
    rollouts: new DecisionLog(rolloutEncoder),
    placements: new DecisionLog(placementEncoder),
    schedulerConfig: defaultSchedulerConfig(current),
  })
    .filter(({ name }) => name !== "scheduler" && specs.every((spec) => spec.name !== name))
    .map((component) =>
      component.start({
        client,
        clock,
        random,
        log: silentLogger,
        metrics: memoryMetrics(),
        informers: rest,
        signal: ending.signal,
      }),
    );
  const queues = workqueueMetrics(metrics);
  const run = (spec: ControllerSpec) => runController(spec, { clock, log, metrics: queues }, ending.signal);
  const parts = [...others, rest.run(ending.signal), own.run(ending.signal), ...[binder, ...specs].map(run)];
  onTestFinished(async () => {
    ending.abort(new Error("the test is over"));
    controller.releaseWatches();
    await connection?.close();
    await Promise.allSettled(parts);
    expect(missingPermissions(controller.requests), "what deploy/cluster-role.yaml does not allow").toEqual(
      [],
    );
  });
  await rest.synced(ending.signal);
  await own.synced(ending.signal);
  await clock.settle();
  const switchGates = (changed: Partial<FeatureGates>) => void (current = { ...current, ...changed });
  return { clock, client, controller, events, records, metrics, log, switchGates };
}
