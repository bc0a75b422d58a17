import { expect, onTestFinished } from "vitest";
import { defaultFeatureGates, type FeatureGates } from "../../src/api/feature-gates.ts";
import { runControllers } from "../../src/controllers/run-controllers.ts";
import { removalEncoder } from "../../src/decisions/explain/removal-record.ts";
import {
  type RolloutDecision,
  rolloutEncoder,
  type RolloutRecord,
} from "../../src/decisions/explain/rollout-record.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import type { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import { DecisionLog } from "../../src/machinery/diagnostics/decision-log.ts";
import { type Random, seededRandom } from "../../src/machinery/random/random.ts";
import { type CollectingLogger, collectingLogger } from "../../src/testing/collecting-logger.ts";
import { type MemoryMetrics, memoryMetrics } from "../../src/testing/memory-metrics.ts";
import type { ObservedClient } from "../../src/testing/observe-client.ts";
import {
  allComponentsExcept,
  type TestCluster,
  testCluster,
  type TestTransport,
} from "../../src/testing/test-cluster.ts";
import { missingPermissions } from "../controllers/rbac.ts";
import { perTier } from "../tier.ts";

/** Gates that differ from their defaults. */
export type Gates = Partial<FeatureGates>;

export interface DeploymentFixtureOptions {
  /** Of the API server and, unless they have their own, of the controllers. */
  readonly gates?: Gates;
  readonly controllerGates?: Gates;
  readonly nodes?: number;
  readonly seed?: string;
  /** A fixture that has been stopped: this one continues with its store. */
  readonly after?: DeploymentFixture;
}

/** A cluster, and beside it the workload controllers as `trimtab controllers` runs them. */
export interface DeploymentFixture extends Pick<TestCluster, "clock" | "client" | "store"> {
  readonly controllers: ObservedClient;
  readonly rollouts: DecisionLog<RolloutDecision, RolloutRecord>;
  readonly metrics: MemoryMetrics;
  /** Of the controllers. */
  readonly log: CollectingLogger;
  /** Stops everything except the store; the end of the test does it, too. */
  stop(): Promise<void>;
}

/** Over HTTPS in the full tier, so that sharing objects by reference hides nothing. */
const transport = (): TestTransport => perTier({ unit: "in-process", full: "https" });

/** The controllers under test: they run beside the cluster, not in it. */
export const workloadControllerNames = ["deployment", "replicaset", "replicationmanager"];

/** Starts a fixture for one test. */
export async function startDeploymentFixture(
  options: DeploymentFixtureOptions = {},
): Promise<DeploymentFixture> {
  const { gates = {}, controllerGates = gates, seed = "deployment", nodes = 3, after } = options;
  // A cluster that continues must not repeat the names and UIDs of the first.
  const continued = `${seed} from ${after?.store.revision() ?? 0}`;
  const cluster = await testCluster({
    seed: continued,
    nodes,
    zones: 3,
    apiServerGates: gates,
    components: allComponentsExcept(...workloadControllerNames),
    transport: transport(),
    ...(after !== undefined && { clock: after.clock, store: after.store }),
  });
  const { clock, client, store, observed } = cluster;
  const own = {
    clock,
    random: seededRandom(continued),
    gates: { ...defaultFeatureGates, ...controllerGates },
  };
  const { end, ...diagnostics } = await runBeside(observed.client, own);
  const stop = async () => {
    observed.releaseWatches();
    await end();
    await cluster.stop();
  };
  onTestFinished(async () => {
    await stop();
    expect(missingPermissions(observed.requests), "what deploy/cluster-role.yaml does not allow").toEqual([]);
  });
  await clock.advance(1000);
  return { clock, client, store, controllers: observed, ...diagnostics, stop };
}

interface BesideOptions {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly gates: FeatureGates;
}

/** Runs the controllers beside a cluster; resolves when their informers have synced. */
async function runBeside(client: Client, { clock, random, gates }: BesideOptions) {
  const diagnostics = {
    log: collectingLogger(),
    metrics: memoryMetrics(),
    rollouts: new DecisionLog(rolloutEncoder),
  };
  const options = {
    ...diagnostics,
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
  return { ...diagnostics, end };
}

/** Stops a fixture and starts another on its store: API server and controllers start anew, as after an upgrade. */
export async function restart(
  fixture: DeploymentFixture,
  options: Omit<DeploymentFixtureOptions, "after"> = {},
): Promise<DeploymentFixture> {
  await fixture.stop();
  return startDeploymentFixture({ ...options, after: fixture });
}
