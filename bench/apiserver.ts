import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { defaultFeatureGates } from "../src/api/feature-gates.ts";
import type { Pod } from "../src/api/generated/core-v1.ts";
import type { JsonObject } from "../src/api/json.ts";
import type { Draft } from "../src/api/object.ts";
import { namespaces, pods, resourceQuotas, serviceAccounts } from "../src/api/resources.ts";
import { type ApiServer, createApiServer } from "../src/cluster/apiserver/create-api-server.ts";
import { MemoryStore } from "../src/cluster/store/memory-store.ts";
import type { Store } from "../src/cluster/store/store.ts";
import type { Client } from "../src/machinery/client/client.ts";
import { WallClock } from "../src/machinery/clock/wall-clock.ts";
import { silentLogger } from "../src/machinery/log/logger.ts";
import { seededRandom } from "../src/machinery/random/random.ts";
import { now, runLoad, sentMark } from "./apiserver-load.ts";
import { type Measure, percentile } from "./measure.ts";

/** Measures the API server: single writes, long lists, and many watchers. */
export async function apiserver(): Promise<readonly Measure[]> {
  return [
    ...(await inProcess()),
    ...(await underQuota()),
    ...(await applying()),
    ...(await listing()),
    ...(await fanOut()),
  ];
}

/** An API server with the namespace default. */
export async function newServer(given?: Store): Promise<ApiServer> {
  const clock = new WallClock();
  const store = given ?? new MemoryStore({ clock });
  const gates = () => defaultFeatureGates;
  const runKinds = new Set(["Pod"]);
  const server = createApiServer({
    clock,
    random: seededRandom("bench"),
    store,
    gates,
    log: silentLogger,
    runKinds,
  });
  await server.client.create(namespaces, { metadata: { name: "default" }, spec: {} });
  await server.client.create(serviceAccounts, { metadata: { namespace: "default", name: "default" } });
  return server;
}

/** A Pod as a ReplicaSet makes it: what most writes are about. */
export function podOf(name: string): Draft<Pod> {
  return {
    metadata: {
      name,
      namespace: "default",
      labels: { app: "web", "pod-template-hash": "5d4f8c9b7" },
      ownerReferences: [
        {
          apiVersion: "apps/v1",
          kind: "ReplicaSet",
          name: "web-5d4f8c9b7",
          uid: "5a3b8a2e-8f6d-4a4e-9a35-2f8e3d1c9b7a",
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      containers: [
        {
          name: "app",
          image: "registry.example/app:1",
          ports: [{ containerPort: 80 }],
          env: [{ name: "MODE", value: "production" }],
          resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "256Mi" } },
        },
      ],
    },
  };
}

const statusOf = (phase: string) => ({
  status: {
    phase,
    podIP: "240.128.0.7",
    startTime: "2026-01-01T00:00:00Z",
    conditions: [
      {
        type: "Ready",
        status: phase === "Running" ? "True" : "False",
        lastTransitionTime: "2026-01-01T00:00:00Z",
      },
    ],
  },
});

/** The life of a Pod: created, bound, running, over, gone; five writes. */
export async function live(client: Client, name: string): Promise<void> {
  const at = { namespace: "default", name };
  await client.create(pods, podOf(name));
  await client.bind(at, { target: { apiVersion: "v1", kind: "Node", name: "n1" } });
  for (const phase of ["Running", "Succeeded"])
    await client.patch(pods, at, { type: "strategic", subresource: "status", body: statusOf(phase) });
  await client.delete(pods, at, { gracePeriodSeconds: 0 });
}

async function inProcess(): Promise<readonly Measure[]> {
  const { client } = await newServer();
  const lives = async (count: number, prefix: string) => {
    const start = performance.now();
    for (let index = 0; index < count; index++) await live(client, `${prefix}-${index}`);
    return (count * 5 * 1000) / (performance.now() - start);
  };
  await lives(4000, "warm");
  const value = await lives(5000, "timed");
  return [
    { what: "in-process writes, memory (lives of Pods)", value, unit: "per s", bar: 20_000, goal: 40_000 },
  ];
}

/** Creates that are charged to a quota of the namespace, which has room for them; beside the same without one. */
async function underQuota(): Promise<readonly Measure[]> {
  const rate = async (hard: Readonly<Record<string, string>> | undefined) => {
    const { client } = await newServer();
    const creates = async (count: number, prefix: string) => {
      const start = performance.now();
      for (let index = 0; index < count; index++) await client.create(pods, podOf(`${prefix}-${index}`));
      return (count * 1000) / (performance.now() - start);
    };
    await creates(1500, "warm");
    const metadata = { namespace: "default", name: "room" };
    if (hard !== undefined) await client.create(resourceQuotas, { metadata, spec: { hard } });
    return creates(3000, "timed");
  };
  const hard = { pods: "10k", "requests.cpu": "10k", "limits.memory": "100Ti" };
  return [
    { what: "in-process creates of Pods, no quota", value: await rate(undefined), unit: "per s" },
    { what: "in-process creates of Pods, a ResourceQuota of three", value: await rate(hard), unit: "per s" },
  ];
}

const lines = 200;

/** A Deployment of about so many lines of YAML: containers with an environment. */
function manifestOf(image: string): JsonObject {
  const env = Array.from({ length: 40 }, (_, index) => ({ name: `NAME_${index}`, value: `value ${index}` }));
  const labels = { app: "web" };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "default", labels },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: ["app", "proxy"].map((name) => ({
            name,
            image,
            env,
            ports: [{ containerPort: 80, name }],
            resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "256Mi" } },
          })),
        },
      },
    },
  };
}

/** Every second apply changes the images. */
async function applying(): Promise<readonly Measure[]> {
  const server = await newServer();
  const resource = server.kinds.find("apps", "v1", "deployments");
  if (resource === undefined) throw new Error("no Deployments");
  const bodies = ["web:1", "web:1", "web:2", "web:2"].map((image) =>
    Buffer.from(JSON.stringify(manifestOf(image))),
  );
  const apply = async (index: number) =>
    server.requestHandler.handle({
      verb: "patch",
      resource,
      namespace: "default",
      name: "web",
      options: { fieldManager: "bench" },
      user: { name: "bench", groups: ["system:masters"] },
      patch: {
        form: "bytes",
        contentType: "application/apply-patch+yaml",
        bytes: bodies[index % bodies.length] ?? Buffer.alloc(0),
      },
    });
  for (let index = 0; index < 400; index++) await apply(index);
  const tookMs: number[] = [];
  for (let index = 0; index < 1000; index++) {
    const start = performance.now();
    await apply(index);
    tookMs.push(performance.now() - start);
  }
  return [
    { what: `apply of a ${lines}-line Deployment, median`, value: percentile(tookMs, 0.5), unit: "ms" },
    { what: `apply of a ${lines}-line Deployment, p99`, value: percentile(tookMs, 0.99), unit: "ms" },
  ];
}

async function listing(): Promise<readonly Measure[]> {
  const server = await newServer();
  for (let index = 0; index < 10_000; index++) await server.client.create(pods, podOf(`p-${index}`));
  const access = await server.listen({ port: 0 });
  const lag = monitorEventLoopDelay({ resolution: 1 });
  lag.enable();
  const { latenciesMs } = await runLoad(access, { kind: "reads", path: "/api/v1/pods", times: 5 });
  lag.disable();
  await access.close();
  return [
    {
      what: "LIST of 10,000 Pods, to the last byte",
      value: Math.max(...latenciesMs),
      unit: "ms",
      bar: 350,
      goal: 200,
    },
    {
      what: "LIST of 10,000 Pods, longest stall of the loop",
      value: lag.max / 1e6,
      unit: "ms",
      bar: 30,
      goal: 15,
    },
  ];
}

async function fanOut(): Promise<readonly Measure[]> {
  const server = await newServer();
  const { client } = server;
  await client.create(pods, podOf("busy"));
  const access = await server.listen({ port: 0 });
  const events = 3000;
  let opened: () => void = () => {};
  const open = new Promise<void>((resolve) => (opened = resolve));
  // Not every mark survives being cut in two, so the watchers stop a little early.
  const load = {
    kind: "watches",
    path: "/api/v1/pods?watch=true",
    watchers: 50,
    events: events - 300,
  } as const;
  const heard = runLoad(access, load, () => opened());
  await open;
  for (let sent = 0; sent < events; sent += 5) {
    const due = wait(5);
    for (let each = 0; each < 5; each++) {
      const body = { metadata: { annotations: { [sentMark]: String(now()) } } };
      await client.patch(pods, { namespace: "default", name: "busy" }, { type: "merge", body });
    }
    await due;
  }
  const { latenciesMs } = await heard;
  await access.close();
  return [
    {
      what: "fan-out of 1,000 events/s to 50 watchers, p99",
      value: percentile(latenciesMs, 0.99),
      unit: "ms",
      bar: 50,
      goal: 15,
    },
  ];
}
