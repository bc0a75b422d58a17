import { afterEach, expect, test } from "vitest";
import { isReady } from "../api/pod-state.ts";
import {
  deployments,
  namespaces,
  nodes,
  pods,
  replicaSets,
  serviceAccounts,
  services,
  storageClasses,
} from "../api/resources.ts";
import { isNotFound } from "../machinery/client/api-error.ts";
import type { Client } from "../machinery/client/client.ts";
import { VirtualClock } from "../machinery/clock/virtual-clock.ts";
import { seededRandom } from "../machinery/random/random.ts";
import { collectingLogger } from "../testing/collecting-logger.ts";
import { serviceNetworkOf } from "./apiserver/registry/service-network.ts";
import type { ClusterOptions } from "./cluster-options.ts";
import { type Cluster, startCluster } from "./start-cluster.ts";

let cluster: Cluster | undefined;
afterEach(async () => cluster?.stop());

async function start(options: Partial<ClusterOptions> = {}) {
  const clock = new VirtualClock();
  const log = collectingLogger();
  cluster = await startCluster({ clock, random: seededRandom("cluster"), log, ...options });
  return { clock, log, cluster, client: cluster.client };
}

const network = serviceNetworkOf("10.0.0.0/24");

const web = {
  metadata: { name: "web", namespace: "default" },
  spec: { containers: [{ name: "web", image: "nginx" }] },
};

test("an API server alone has what kube-apiserver alone has: nobody fills namespaces or runs Pods", async () => {
  const { client, clock, cluster } = await start({
    nodes: 0,
    runs: () => false,
    apiServer: {
      hasStorageClasses: false,
      disabledAdmission: new Set(["ServiceAccount"]),
      ...(network !== undefined && { serviceNetwork: network }),
    },
  });
  expect(cluster.components).toEqual([]);
  await client.create(pods, web);
  await client.delete(namespaces, { name: "kube-node-lease" });
  await clock.advance(60_000);
  expect((await client.list(serviceAccounts, {})).items).toEqual([]);
  expect((await client.list(storageClasses, {})).items).toEqual([]);
  const pod = await client.get(pods, { name: "web", namespace: "default" });
  expect(pod.spec.serviceAccountName).toBeUndefined();
  expect(pod.status).toMatchObject({ phase: "Pending" });
  const ending = await client.get(namespaces, { name: "kube-node-lease" });
  expect(ending.status?.phase).toBe("Terminating");
  const service = await client.get(services, { name: "kubernetes", namespace: "default" });
  expect(service.spec.clusterIP).toBe("10.0.0.1");
});

test("a cluster is born with nodes in zones, namespaces and their service accounts", async () => {
  const { client, clock } = await start();
  await clock.advance(1000);
  const { items } = await client.list(nodes, {});
  const zones = items.map(({ metadata }) => metadata.labels?.["topology.kubernetes.io/zone"]);
  expect(zones.filter((zone) => zone === "zone-b")).toHaveLength(4);
  expect((await client.list(serviceAccounts, {})).items.map(({ metadata }) => metadata.namespace)).toEqual([
    "default",
    "kube-node-lease",
    "kube-public",
    "kube-system",
  ]);
});

test("a Pod is bound, runs, becomes ready, ends gracefully, shows its terminal phase, and is gone", async () => {
  const { client, clock, log } = await start();
  await clock.advance(1000);
  await client.create(pods, web);
  await clock.advance(400);
  expect((await client.get(pods, web.metadata)).status?.phase).toBe("Pending");
  await clock.advance(200);
  const running = await client.get(pods, web.metadata);
  expect(isReady(running)).toBe(true);
  expect(running.spec.nodeName).toMatch(/^node-/);

  await client.delete(pods, web.metadata);
  await clock.advance(500);
  expect((await client.get(pods, web.metadata)).status?.phase).toBe("Running");
  await clock.advance(520);
  expect((await client.get(pods, web.metadata)).status?.phase).toBe("Succeeded");
  await clock.advance(100);
  await expect(client.get(pods, web.metadata)).rejects.toSatisfy(isNotFound);
  expect(log.entries.filter(({ level }) => level === "error" || level === "warn")).toEqual([]);
});

test("a Pod that is ready no longer says why it was not", async () => {
  const { client, clock } = await start();
  await clock.advance(1000);
  await client.create(pods, web);
  const conditions = async () => (await client.get(pods, web.metadata)).status?.conditions ?? [];
  await clock.advance(100);
  expect((await conditions()).map(({ reason }) => reason)).toContain("ContainersNotReady");
  await clock.advance(1000);
  expect((await conditions()).filter(({ reason, message }) => reason ?? message)).toEqual([]);
});

test("a namespace goes with everything in it", async () => {
  const { client, clock } = await start();
  await client.create(namespaces, { metadata: { name: "team" }, spec: {} });
  await clock.advance(1000);
  await client.create(pods, { ...web, metadata: { name: "web", namespace: "team" } });
  await clock.advance(2000);
  await client.delete(namespaces, { name: "team" });
  await clock.advance(500);
  expect((await client.get(namespaces, { name: "team" })).status?.phase).toBe("Terminating");
  await clock.advance(10_000);
  await expect(client.get(namespaces, { name: "team" })).rejects.toSatisfy(isNotFound);
  expect((await client.list(pods, { namespace: "team" })).items).toEqual([]);
});

test("a component that was left out can be started later", async () => {
  const { client, clock, cluster } = await start({ without: ["deployment"] });
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: web.spec };
  await client.create(deployments, { ...web, spec: { selector: { matchLabels: labels }, template } });
  await clock.advance(5000);
  expect((await client.list(replicaSets, {})).items).toEqual([]);
  cluster.startComponent("deployment");
  await clock.advance(5000);
  expect((await client.list(replicaSets, {})).items).toHaveLength(1);
});

test("a component that was stopped no longer tries to write its events", async () => {
  let attempts = 0;
  const withoutNotes = (client: Client): Client => ({
    ...client,
    create: (resource, object, writing) => {
      if (resource.plural !== "events") return client.create(resource, object, writing);
      attempts++;
      return Promise.reject(new Error("events are refused"));
    },
  });
  const { client, clock, cluster } = await start({
    componentOverrides: (_part, shared) => ({ ...shared, client: withoutNotes(shared.client) }),
  });
  await clock.advance(1000);
  await client.create(pods, web);
  await clock.advance(1000);
  expect(attempts).toBeGreaterThan(0);
  await Promise.all(cluster.components.map((component) => component.stop()));
  attempts = 0;
  await clock.advance(600_000);
  expect(attempts).toBe(0);
});
