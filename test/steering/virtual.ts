import { expect, onTestFinished } from "vitest";
import { defaultFeatureGates, type FeatureGates } from "../../src/api/feature-gates.ts";
import type { Deployment, ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import type { Draft } from "../../src/api/object.ts";
import { isActive } from "../../src/api/pod-state.ts";
import { deployments, events, pods, replicaSets } from "../../src/api/resources.ts";
import { pickerPortFactory } from "../../src/cluster/picker-access.ts";
import { removalEncoder } from "../../src/decisions/explain/removal-record.ts";
import { sizeEncoder } from "../../src/decisions/explain/size-record.ts";
import { hasMarkAnnotations } from "../../src/decisions/stock/mark.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { interceptClient } from "../../src/machinery/client/intercept-client.ts";
import { runController } from "../../src/machinery/controller.ts";
import { DecisionLog } from "../../src/machinery/diagnostics/decision-log.ts";
import { InformerFactory } from "../../src/machinery/informer/informer-factory.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { type SimulatedPicker, simulatedConnector } from "../../src/picker/simulated-picker.ts";
import type { SteeringOptions } from "../../src/steering/dependencies.ts";
import { createSteering, type Steering } from "../../src/steering/steering.ts";
import { paths } from "../../src/steering/webhook-paths.ts";
import { memoryMetrics } from "../../src/testing/memory-metrics.ts";
import { type ObservedClient, observeClient } from "../../src/testing/observe-client.ts";
import { type TestCluster, testCluster } from "../../src/testing/test-cluster.ts";
import { admitting } from "./admitting-client.ts";

/** What a stock cluster does not know. */
export const stockGates: Partial<FeatureGates> = {
  PreferForScaleDownLabel: false,
  DownscalePodPicker: false,
  DeploymentPodReplacementPolicy: false,
};

/** One copy of `trimtab steer` beside a cluster. */
export interface Copy {
  readonly steering: Steering;
  readonly line: ObservedClient;
  readonly removals: DecisionLog<never, never>;
  /** Ends it at once, without finishing anything. */
  readonly kill: () => Promise<void>;
}

export interface VirtualSteering extends Pick<TestCluster, "clock" | "store"> {
  /** Of users: the webhook is asked about what they do, too. */
  readonly client: Client;
  /** Of nobody: past the webhook. */
  readonly direct: Client;
  /** The copies that answer. */
  readonly copies: Copy[];
  readonly metrics: ReturnType<typeof memoryMetrics>;
  /** Starts another copy; the first of them leads. */
  readonly startCopy: () => Promise<Copy>;
  /** Nothing answers any more. */
  readonly takeDown: () => Promise<void>;
}

export interface VirtualOptions extends Pick<SteeringOptions, "spread"> {
  readonly gates?: Partial<FeatureGates>;
  readonly nodes?: number;
  readonly seed?: string;
  readonly pickers?: Readonly<Record<string, SimulatedPicker>>;
  /** Absent: one. */
  readonly copies?: number;
}

/** Starts a stock cluster in virtual time with `trimtab steer` beside it. */
export async function startSteering(options: VirtualOptions = {}): Promise<VirtualSteering> {
  const { gates = {}, nodes = 3, seed = "steering", pickers = {}, spread = [] } = options;
  const copies: Copy[] = [];
  let turn = 0;
  // As the Service of several copies, in turn.
  const webhook = () => copies[turn++ % copies.length]?.steering.handlers[paths.sizes];
  let direct: Client | undefined;
  const inner = () => direct ?? cluster.client;
  const cluster = await testCluster({
    seed,
    nodes,
    zones: 3,
    gates: { ...stockGates, ...gates },
    observed: ["deployment"],
    faults: [admitting(webhook, inner)],
  });
  direct = cluster.client;
  const { clock } = cluster;
  const metrics = memoryMetrics();
  const known = new Map(Object.entries(pickers));
  const startCopy = async (): Promise<Copy> => {
    const copy = await run({
      cluster,
      metrics,
      known,
      spread,
      isLeading: copies.length === 0,
      webhook,
      inner,
    });
    copies.push(copy);
    return copy;
  };
  const takeDown = async () => {
    for (const copy of copies.splice(0)) await copy.kill();
  };
  for (let copy = 0; copy < (options.copies ?? 1); copy++) await startCopy();
  onTestFinished(async () => {
    await takeDown();
    await cluster.stop();
  });
  return {
    clock,
    store: cluster.store,
    client: interceptClient(cluster.client, admitting(webhook, inner)),
    direct: cluster.client,
    copies,
    metrics,
    startCopy,
    takeDown,
  };
}

interface RunOptions extends Pick<SteeringOptions, "spread"> {
  readonly cluster: TestCluster;
  readonly metrics: ReturnType<typeof memoryMetrics>;
  readonly known: ReadonlyMap<string, SimulatedPicker>;
  readonly isLeading: boolean;
  readonly webhook: Parameters<typeof admitting>[0];
  readonly inner: () => Client;
}

let started = 0;

async function run({
  cluster,
  metrics,
  known,
  spread,
  isLeading,
  webhook,
  inner,
}: RunOptions): Promise<Copy> {
  const { clock, log } = cluster;
  const line = observeClient(interceptClient(cluster.client, admitting(webhook, inner)));
  const random = seededRandom(`copy ${started++}`);
  const informers = new InformerFactory({ client: line.client, clock, random, log });
  const stopping = new AbortController();
  const { signal } = stopping;
  const environment = { client: line.client, clock, random, log, metrics, informers, signal };
  const removals = new DecisionLog(removalEncoder);
  const connector = pickerPortFactory(() => simulatedConnector(known, clock));
  const steering = createSteering(environment, {
    gates: () => defaultFeatureGates,
    records: { removals, sizes: new DecisionLog(sizeEncoder) },
    pickers: connector,
    ...(spread !== undefined && { spread }),
  });
  const specs = [...steering.controllers, ...(isLeading ? steering.leading : [])];
  const running = [
    informers.run(signal),
    ...specs.map((spec) => runController(spec, { clock, log }, signal)),
  ];
  await clock.settle();
  expect(await informers.synced(signal)).toBe(true);
  return {
    steering,
    line,
    removals: removals as unknown as Copy["removals"],
    kill: async () => {
      stopping.abort(new Error("killed"));
      await clock.settle();
      await Promise.allSettled(running);
    },
  };
}

export const namespace = "default";
export const at = (name: string) => ({ namespace, name });

/** The active Pods of the label `app`, by name. */
export async function activePods({ direct }: VirtualSteering, app = "web"): Promise<readonly Pod[]> {
  const { items } = await direct.list(pods, { namespace, labelSelector: `app=${app}` });
  return items.filter(isActive);
}

export const namesOf = (some: readonly { readonly metadata: { readonly name: string } }[]) =>
  some.map(({ metadata }) => metadata.name).toSorted();

/** Changes the size of a Deployment. */
export async function scale(
  { client }: VirtualSteering,
  replicas: number,
  name = "web",
): Promise<Deployment> {
  return client.patch(deployments, at(name), { type: "merge", body: { spec: { replicas } } });
}

export async function replicaSetsOf(
  { direct }: VirtualSteering,
  app = "web",
): Promise<readonly ReplicaSet[]> {
  return (await direct.list(replicaSets, { namespace, labelSelector: `app=${app}` })).items;
}

/** The events of a reason, as `kind name: message`. */
export async function eventsOf({ direct }: VirtualSteering, reason: string): Promise<readonly string[]> {
  const { items } = await direct.list(events, { namespace });
  return items
    .filter((event) => event.reason === reason)
    .map(({ involvedObject, message }) => `${involvedObject.kind} ${involvedObject.name}: ${message}`);
}

/** The Pods that carry a mark. */
export async function markedPods(steered: VirtualSteering, app = "web"): Promise<readonly string[]> {
  return namesOf((await activePods(steered, app)).filter(hasMarkAnnotations));
}

/** Creates a Deployment and waits until its Pods are Ready. */
export async function deploy(steered: VirtualSteering, deployment: Draft<Deployment>): Promise<void> {
  await steered.client.create(deployments, deployment);
  await steered.clock.advance(20_000);
}
