import { expect, onTestFinished, test } from "vitest";
import { defaultFeatureGates, type FeatureGates } from "../api/feature-gates.ts";
import type { Deployment } from "../api/generated/apps-v1.ts";
import type { Service } from "../api/generated/core-v1.ts";
import type { Draft } from "../api/object.ts";
import { isReady } from "../api/pod-state.ts";
import { deployments, events, leases, nodes, pods, replicaSets, services } from "../api/resources.ts";
import { isNotFound } from "../machinery/client/api-error.ts";
import { VirtualClock } from "../machinery/clock/virtual-clock.ts";
import { seededRandom } from "../machinery/random/random.ts";
import { type MemoryDisk, memoryDisk } from "../testing/memory-disk.ts";
import type { ClusterOptions } from "./cluster-options.ts";
import { type Cluster, startCluster } from "./start-cluster.ts";
import { openDurableStore } from "./store/durable/durable-store.ts";

/** A cluster whose disk and clock outlive it. */
function machine() {
  const clock = new VirtualClock();
  const disk: MemoryDisk = memoryDisk();
  let runs = 0;
  return {
    clock,
    start: async (options: Partial<ClusterOptions> = {}): Promise<Cluster> => {
      const store = await openDurableStore({ disk, clock });
      const random = seededRandom(`run ${++runs}`);
      const cluster = await startCluster({ clock, random, store, nodes: 3, ...options });
      onTestFinished(() => cluster.stop());
      await clock.advance(1000);
      return cluster;
    },
  };
}

const labels = { app: "web" };
const at = { namespace: "default", name: "web" };
const web = (spec: Partial<Deployment["spec"]> = {}): Draft<Deployment> => ({
  metadata: at,
  spec: {
    replicas: 3,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } },
    ...spec,
  },
});

const podNames = async ({ client }: Cluster) =>
  (await client.list(pods, {})).items.map(({ metadata }) => `${metadata.name} ${metadata.uid}`);

test("Pods that ran before a restart run after it, on the same nodes, and there are no others", async () => {
  const { clock, start } = machine();
  const first = await start();
  await first.client.create(deployments, web());
  await clock.advance(5000);
  const before = await podNames(first);
  const nodesBefore = (await first.client.list(nodes, {})).items.map(({ metadata }) => metadata.uid);
  await first.stop();

  const second = await start();
  await clock.advance(60_000);
  expect(await podNames(second)).toEqual(before);
  expect((await second.client.list(pods, {})).items.every(isReady)).toBe(true);
  expect((await second.client.list(nodes, {})).items.map(({ metadata }) => metadata.uid)).toEqual(
    nodesBefore,
  );
  await second.client.patch(deployments, at, { type: "merge", body: { spec: { replicas: 1 } } });
  await clock.advance(5000);
  expect(await podNames(second)).toHaveLength(1);
});

test("a rollout and a graceful deletion that a restart interrupts are completed", async () => {
  const { clock, start } = machine();
  const first = await start();
  await first.client.create(deployments, web());
  await clock.advance(5000);
  const template = { metadata: { annotations: { version: "2" } } };
  await first.client.patch(deployments, at, { type: "strategic", body: { spec: { template } } });
  await clock.advance(300);
  const deleting = (await first.client.list(pods, {})).items.filter(
    ({ metadata }) => metadata.deletionTimestamp !== undefined,
  );
  await first.stop();

  const second = await start();
  await clock.advance(30_000);
  for (const { metadata } of deleting)
    await expect(second.client.get(pods, { namespace: "default", name: metadata.name })).rejects.toSatisfy(
      isNotFound,
    );
  const { status } = await second.client.get(deployments, at);
  expect(status).toMatchObject({ replicas: 3, updatedReplicas: 3, availableReplicas: 3 });
  expect((await second.client.list(replicaSets, {})).items).toHaveLength(2);
});

test("the address of a Service stays taken, and leases of nodes are not stored", async () => {
  const { start } = machine();
  const service = (name: string, clusterIP?: string): Draft<Service> => ({
    metadata: { namespace: "default", name },
    spec: {
      ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
      ...(clusterIP !== undefined && { clusterIP }),
    },
  });
  const first = await start();
  const { spec } = await first.client.create(services, service("a"));
  expect((await first.client.list(leases, { namespace: "kube-node-lease" })).items).toHaveLength(3);
  await first.stop();
  const second = await start();
  expect(second.store.collection("leases.coordination.k8s.io").count()).toBe(0);
  await expect(second.client.create(services, service("b", spec.clusterIP))).rejects.toThrow(
    "provided IP is already allocated",
  );
});

test("events expire an hour after they happened, whenever the cluster was restarted", async () => {
  const { clock, start } = machine();
  const first = await start();
  await first.client.create(deployments, web());
  await clock.advance(5000);
  await first.stop();
  await clock.advance(3_000_000);
  const second = await start();
  expect((await second.client.list(events, {})).items.length).toBeGreaterThan(0);
  await clock.advance(720_000);
  expect((await second.client.list(events, {})).items).toEqual([]);
});

const off: FeatureGates = {
  ...defaultFeatureGates,
  DeploymentPodReplacementPolicy: false,
  DeploymentReplicaSetTerminatingReplicas: false,
};

/** Replaces every Pod at once; returns the most Pods that had not ended at a time, terminating ones included. */
async function peakOfRollout({ client }: Cluster, clock: VirtualClock, version: string): Promise<number> {
  const template = { metadata: { annotations: { version } } };
  await client.patch(deployments, at, { type: "strategic", body: { spec: { template } } });
  let peak = 0;
  for (let step = 0; step < 200; step++) {
    await clock.advance(50);
    const { items } = await client.list(pods, {});
    peak = Math.max(peak, items.filter(({ status }) => status?.phase !== "Succeeded").length);
  }
  return peak;
}

const replacesAfterTermination = web({
  podReplacementPolicy: "TerminationComplete",
  strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: "100%" } },
});

test("gates on, off, on over one store: the field stays, its effect goes and comes back", async () => {
  const { clock, start } = machine();
  const on = await start();
  await on.client.create(deployments, replacesAfterTermination);
  await clock.advance(5000);
  expect(await peakOfRollout(on, clock, "on")).toBe(3);
  expect((await on.client.get(deployments, at)).status).toHaveProperty("terminatingReplicas");
  await on.stop();

  const without = await start({ gates: { apiServer: () => off, controllers: () => off } });
  expect(await peakOfRollout(without, clock, "off")).toBe(6);
  const stored = await without.client.get(deployments, at);
  expect(stored.spec.podReplacementPolicy).toBe("TerminationComplete");
  expect(stored.status).not.toHaveProperty("terminatingReplicas");
  const updated = await without.client.update(deployments, {
    ...stored,
    spec: { ...stored.spec, minReadySeconds: 1 },
  });
  expect(updated.spec.podReplacementPolicy).toBe("TerminationComplete");
  const other = { ...replacesAfterTermination, metadata: { namespace: "default", name: "other" } };
  const created = await without.client.create(deployments, {
    ...other,
    spec: { ...other.spec, replicas: 0 },
  });
  expect(created.spec).not.toHaveProperty("podReplacementPolicy");
  await without.stop();

  const again = await start();
  expect(await peakOfRollout(again, clock, "on again")).toBe(3);
  const kept = await again.client.get(deployments, at);
  expect(kept.spec.podReplacementPolicy).toBe("TerminationComplete");
  expect(kept.status).toHaveProperty("terminatingReplicas");
});

test("a single component can have other gates than the rest", async () => {
  const { clock, start } = machine();
  const skewed = await start({ gates: { components: { deployment: () => off } } });
  await skewed.client.create(deployments, replacesAfterTermination);
  await clock.advance(5000);
  expect(await peakOfRollout(skewed, clock, "skewed")).toBe(6);
  const [replicaSet] = (await skewed.client.list(replicaSets, {})).items;
  expect(replicaSet?.status).toHaveProperty("terminatingReplicas");
});
