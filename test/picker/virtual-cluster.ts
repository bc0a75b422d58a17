import { onTestFinished } from "vitest";
import { defaultFeatureGates, type FeatureGates } from "../../src/api/feature-gates.ts";
import type { DownscalePodPicker, ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { isActive } from "../../src/api/pod-state.ts";
import { events, pods, replicaSets } from "../../src/api/resources.ts";
import { type DecisionLogs, createDecisionLogs } from "../../src/cluster/decisions-endpoint.ts";
import { type Cluster, startCluster } from "../../src/cluster/start-cluster.ts";
import { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { type SimulatedPicker, simulatedConnector } from "../../src/picker/simulated-picker.ts";
import { type MemoryMetrics, memoryMetrics } from "../../src/testing/memory-metrics.ts";

/** A cluster in virtual time whose pickers are data. */
export interface VirtualCluster extends Pick<Cluster, "client" | "components" | "startComponent"> {
  readonly clock: VirtualClock;
  readonly metrics: MemoryMetrics;
  readonly decisions: DecisionLogs;
}

export interface VirtualOptions {
  readonly pickers: Readonly<Record<string, SimulatedPicker>>;
  readonly gates?: Partial<FeatureGates>;
  /** Of the API server, where they differ. */
  readonly apiServerGates?: Partial<FeatureGates>;
  readonly seed?: string;
}

/** Starts one for a test. */
export async function startVirtual({
  pickers,
  gates,
  apiServerGates,
  seed = "pickers",
}: VirtualOptions): Promise<VirtualCluster> {
  const clock = new VirtualClock();
  const metrics = memoryMetrics();
  const decisions = createDecisionLogs();
  const read = () => ({ ...defaultFeatureGates, ...gates });
  const readByServer = () => ({ ...read(), ...apiServerGates });
  const known = new Map(Object.entries(pickers));
  const cluster = await startCluster({
    clock,
    random: seededRandom(seed),
    metrics,
    decisions,
    nodes: 3,
    gates: { apiServer: readByServer, controllers: read },
    pickerConnector: () => simulatedConnector(known, clock),
  });
  await clock.advance(2000);
  onTestFinished(async () => {
    let isStopped = false;
    const stopping = cluster.stop().then(() => (isStopped = true));
    await clock.runWhile(() => !isStopped, Number.POSITIVE_INFINITY);
    await stopping;
  });
  return { ...cluster, clock, metrics, decisions };
}

export interface RunOptions {
  readonly replicas: number;
  /** The host of its picker, or all of it. */
  readonly picker?: string | DownscalePodPicker;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Creates a ReplicaSet and waits until its Pods are Ready. */
export async function run(
  { client, clock }: VirtualCluster,
  name: string,
  { replicas, picker, annotations = {} }: RunOptions,
): Promise<ReplicaSet> {
  const labels = { app: name };
  const downscalePodPicker =
    typeof picker === "string" ? { http: { host: picker, port: 80 }, timeoutSeconds: 2 } : picker;
  const spec = {
    containers: [{ name: "app", image: "registry.example/app:1" }],
    terminationGracePeriodSeconds: 0,
  };
  const created = await client.create(replicaSets, {
    metadata: { namespace: "default", name, annotations },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec },
      ...(downscalePodPicker !== undefined && { downscalePodPicker }),
    },
  });
  await clock.advance(5000);
  return created;
}

export async function scale(
  { client, clock }: VirtualCluster,
  name: string,
  replicas: number,
): Promise<void> {
  const body = { spec: { replicas } };
  await client.patch(replicaSets, { namespace: "default", name }, { type: "merge", body });
  await clock.settle();
}

/** The names of a ReplicaSet's active Pods. */
export async function podsOf(
  { client }: Pick<VirtualCluster, "client">,
  name: string,
): Promise<readonly string[]> {
  const { items } = await client.list(pods, { namespace: "default", labelSelector: `app=${name}` });
  return items.filter((pod: Pod) => isActive(pod)).map(({ metadata }) => metadata.name);
}

/** What people are told about pickers. */
export async function pickerEventsOf(
  { client }: Pick<VirtualCluster, "client">,
  name: string,
): Promise<readonly string[]> {
  const { items } = await client.list(events, { namespace: "default" });
  return items
    .filter(({ reason = "", involvedObject }) => /Picker/.test(reason) && involvedObject.name === name)
    .map(({ reason, message }) => `${reason}: ${message}`);
}
