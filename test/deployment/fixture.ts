import { expect, onTestFinished } from "vitest";
import { defaultFeatureGates, type FeatureGates } from "../../src/api/feature-gates.ts";
import { startCluster } from "../../src/cluster/start-cluster.ts";
import { MemoryStore } from "../../src/cluster/store/memory-store.ts";
import type { Store } from "../../src/cluster/store/store.ts";
import { removalEncoder } from "../../src/decisions/explain/removal-record.ts";
import { DecisionLog } from "../../src/machinery/diagnostics/decision-log.ts";
import {
  type RolloutDecision,
  rolloutEncoder,
  type RolloutRecord,
} from "../../src/decisions/explain/rollout-record.ts";
import { runControllers } from "../../src/controllers/run-controllers.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { type Random, seededRandom } from "../../src/machinery/random/random.ts";
import { type CollectingLogger, collectingLogger } from "../../src/testing/collecting-logger.ts";
import { deepFreeze } from "../../src/testing/deep-freeze.ts";
import { type MemoryMetrics, memoryMetrics } from "../../src/testing/memory-metrics.ts";
import { observeClient, type ObservedClient } from "../../src/testing/observe-client.ts";

import { missingPermissions } from "../controllers/rbac.ts";
import { overHttps } from "../replicaset/over-https.ts";

/** Which gates are switched; those not named are on. */
export type Gates = Partial<FeatureGates>;

export interface DeploymentFixtureOptions {
  /** Of the API server and, unless they have their own, of the controllers. */
  readonly gates?: Gates;
  readonly controllerGates?: Gates;
  readonly nodes?: number;
  readonly seed?: string;
  /** Another world, which has ended: this one goes on with what it left. */
  readonly after?: DeploymentFixture;
}

/** A cluster in virtual time, and the workload controllers as they run on their own, all of whose dealings can be seen. */
export interface DeploymentFixture {
  readonly clock: VirtualClock;
  /** Of a person; the controllers have one of their own. */
  readonly client: Client;
  readonly store: Store;
  readonly controllers: ObservedClient;
  readonly rollouts: DecisionLog<RolloutDecision, RolloutRecord>;
  readonly metrics: MemoryMetrics;
  /** Of the controllers. */
  readonly log: CollectingLogger;
  /** Ends everything but the store; done by itself at the end of the test. */
  stop(): Promise<void>;
}

/** The controllers under test: they run beside the cluster, not in it. */
export const workloadControllerNames = ["deployment", "replicaset", "replicationmanager"];

/** How the controllers reach the API server. */
type Connect = typeof overHttps;

const inProcess: Connect = ({ client }) => Promise.resolve({ client, close: () => Promise.resolve() });

/** In process, unless a lane says otherwise. */
let connect = inProcess;

/** From now on controllers go out by HTTPS and come in again. */
export function travelOverHttps(): void {
  connect = overHttps;
}

/** The time and the store of a world that begins. */
function newGround(): Pick<DeploymentFixture, "clock" | "store"> {
  // Certificates have to be good now, so a world with some begins with this very second.
  const second = Math.floor(new WallClock().now() / 1000);
  const clock = connect === inProcess ? new VirtualClock() : new VirtualClock(second * 1000);
  return { clock, store: new MemoryStore({ clock, transformObject: deepFreeze }) };
}

/** Starts a world for one test. */
export async function startDeploymentFixture(
  options: DeploymentFixtureOptions = {},
): Promise<DeploymentFixture> {
  const { gates = {}, controllerGates = gates, seed = "deployment", nodes = 3 } = options;
  const { clock, store } = options.after ?? newGround();
  // Another life of the same cluster must not give the names and UIDs of the first again.
  const random = seededRandom(`${seed} from ${store.revision()}`);
  const cluster = await startCluster({
    clock,
    random,
    store,
    nodes,
    gates: { apiServer: () => ({ ...defaultFeatureGates, ...gates }) },
    without: workloadControllerNames,
  });
  const connection = await connect(cluster.server, store, clock);
  const controllers = observeClient(connection.client);
  const own = { clock, random, gates: { ...defaultFeatureGates, ...controllerGates } };
  const { end, ...insights } = await runBeside(controllers.client, own);
  const stop = async () => {
    controllers.releaseWatches();
    await Promise.all([end(), connection.close()]);
    await cluster.stop();
  };
  onTestFinished(async () => {
    await stop();
    expect(missingPermissions(controllers.requests), "what deploy/cluster-role.yaml does not allow").toEqual(
      [],
    );
  });
  await clock.advance(1000);
  return { clock, client: cluster.client, store, controllers, ...insights, stop };
}

interface BesideOptions {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly gates: FeatureGates;
}

/** Runs the controllers beside a cluster; resolves when they have seen everything. */
async function runBeside(client: Client, { clock, random, gates }: BesideOptions) {
  const insights = {
    log: collectingLogger(),
    metrics: memoryMetrics(),
    rollouts: new DecisionLog(rolloutEncoder),
  };
  const options = {
    ...insights,
    client,
    clock,
    random: random.fork("controllers"),
    gates: () => gates,
    removals: new DecisionLog(removalEncoder),
  };
  const ending = new AbortController();
  let running: Promise<void> = Promise.resolve();
  await new Promise((synced) => {
    running = runControllers({ ...options, synced }, ending.signal);
  });
  const end = () => {
    ending.abort(new Error("the test is over"));
    return running;
  };
  return { ...insights, end };
}

/** Ends a world and begins another on what it left: API server and controllers start anew, as after an upgrade. */
export async function restart(
  world: DeploymentFixture,
  options: Omit<DeploymentFixtureOptions, "after"> = {},
): Promise<DeploymentFixture> {
  await world.stop();
  return startDeploymentFixture({ ...options, after: world });
}
