import { onTestFinished } from "vitest";
import type { DownscalePodPicker, ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { isActive } from "../../src/api/pod-state.ts";
import { events, pods, replicaSets } from "../../src/api/resources.ts";
import { type SimulatedPicker, simulatedConnector } from "../../src/picker/simulated-picker.ts";
import { type TestCluster, testCluster, type TestClusterOptions } from "../../src/testing/test-cluster.ts";

/** A cluster in virtual time whose pickers are data. */
export type VirtualCluster = TestCluster;

export interface VirtualOptions extends Pick<
  TestClusterOptions,
  "gates" | "apiServerGates" | "seed" | "store"
> {
  readonly pickers: Readonly<Record<string, SimulatedPicker>>;
}

/** Starts one, and stops it when the test is over. */
export async function startVirtual({ pickers, ...options }: VirtualOptions): Promise<VirtualCluster> {
  const known = new Map(Object.entries(pickers));
  const cluster = await testCluster({
    seed: "pickers",
    zones: 3,
    pickerConnector: ({ clock }) => simulatedConnector(known, clock),
    ...options,
  });
  onTestFinished(() => cluster.stop());
  await cluster.clock.advance(2000);
  return cluster;
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

/** The Events about pickers. */
export async function pickerEventsOf(
  { client }: Pick<VirtualCluster, "client">,
  name: string,
): Promise<readonly string[]> {
  const { items } = await client.list(events, { namespace: "default" });
  return items
    .filter(({ reason = "", involvedObject }) => /Picker/.test(reason) && involvedObject.name === name)
    .map(({ reason, message }) => `${reason}: ${message}`);
}
