import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { Lease } from "../api/generated/coordination-v1.ts";
import { formatMicroTime } from "../api/time.ts";
import { ApiError } from "../machinery/client/api-error.ts";
import type { Connection } from "../machinery/client/connection/connection.ts";
import { HttpsClient } from "../machinery/client/http/https-client.ts";
import { AdjustableClock } from "../machinery/clock/adjustable-clock.ts";
import { VirtualClock } from "../machinery/clock/virtual-clock.ts";
import { WallClock } from "../machinery/clock/wall-clock.ts";
import { startEmbeddedCluster } from "./embedding/start-embedded-cluster.ts";
import { pods } from "../api/resources.ts";
import { isReady } from "../api/pod-state.ts";
import { timeEndpoint, type TimeEndpointOptions } from "./time-endpoint.ts";

let wall: VirtualClock;
let clock: AdjustableClock;
beforeEach(() => {
  wall = new VirtualClock(1_800_000_000_000);
  clock = new AdjustableClock(wall);
});

function endpoint(options: Partial<TimeEndpointOptions> = {}) {
  return timeEndpoint({ clock, without: [], leases: () => [], ...options });
}

/** Asks for `speed?factor=10`, say. */
function ask(what: string, options: Partial<TimeEndpointOptions> = {}) {
  const { pathname, searchParams } = new URL(`https://localhost/debug/time/${what}`);
  return endpoint(options).act(pathname, searchParams);
}

test("administrators pause, step, speed up and resume time, and are told what time it is", async () => {
  expect(endpoint().read("/debug/time")).toEqual({
    time: "2027-01-15T08:00:00.000000Z",
    speed: 1,
    paused: false,
    ahead: "0s",
  });
  expect(await ask("pause")).toMatchObject({ paused: true });
  expect(await ask("step?duration=30s")).toMatchObject({ time: "2027-01-15T08:00:30.000000Z", ahead: "30s" });
  expect(await ask("speed?factor=2.5")).toMatchObject({ speed: 2.5, paused: true });
  expect(await ask("resume")).toMatchObject({ paused: false });
  await wall.advance(2000);
  expect(endpoint().read("/debug/time")).toMatchObject({ time: "2027-01-15T08:00:35.000000Z", ahead: "33s" });
});

test.for([
  { what: "step", says: /duration "" must be above 0/ },
  { what: "step?duration=soon", says: /duration "soon" must be above 0/ },
  { what: "step?duration=5", says: /duration "5" needs a unit, such as 5s or 5m/ },
  { what: "step?duration=-5s", says: /must be above 0 and at most 8760h/ },
  { what: "step?duration=9000h", says: /must be above 0 and at most 8760h/ },
  { what: "speed", says: /factor "" must be a number from 0.01 to 1000/ },
  { what: "speed?factor=0", says: /factor "0" must be a number/ },
  { what: "speed?factor=1e9", says: /factor "1e9" must be a number/ },
])("$what is refused with what it may be", async ({ what, says }) => {
  await expect(ask(what)).rejects.toMatchObject({
    status: { code: 400, message: expect.stringMatching(says) },
  });
  expect(clock.state).toMatchObject({ speed: 1, isPaused: false, aheadMs: 0 });
});

test("there is no other action, and no other path", async () => {
  expect(await ask("rewind")).toBeUndefined();
  expect(await endpoint().act("/debug/decisions", new URLSearchParams())).toBeUndefined();
  expect(endpoint().read("/debug/times")).toBeUndefined();
});

test("virtual time is its owner's to advance", async () => {
  await expect(ask("pause", { clock: wall })).rejects.toThrow("the time of this cluster is simulated");
  expect(endpoint({ clock: wall }).read("/debug/time")).toEqual({ time: "2027-01-15T08:00:00.000000Z" });
});

const lease = (renewedSecondsAgo: number, holderIdentity = "operator-1"): Lease => ({
  apiVersion: "coordination.k8s.io/v1",
  kind: "Lease",
  metadata: { name: "operator", namespace: "default", uid: "1", resourceVersion: "1" },
  spec: {
    holderIdentity,
    leaseDurationSeconds: 15,
    renewTime: formatMicroTime(wall.now() - renewedSecondsAgo * 1000),
  },
});

test.for([
  {
    name: "another program holds a Lease",
    options: () => ({ leases: () => [lease(10)] }),
    says: "the time of this cluster cannot be changed: operator-1 holds the Lease default/operator by the wall clock",
  },
  {
    name: "another program runs the Pods",
    options: () => ({ without: ["kubelet"] }),
    says: "the time of this cluster cannot be changed: another program runs its Pods by the wall clock",
  },
  {
    name: "there is another reason",
    options: () => ({ fixedTime: "it is kept" }),
    says: "the time of this cluster cannot be changed: it is kept",
  },
])("where $name, time is not changed but may be what it was", async ({ options, says }) => {
  for (const what of ["pause", "step?duration=1s", "speed?factor=2"])
    await expect(ask(what, options())).rejects.toMatchObject({ status: { code: 422, message: says } });
  expect(await ask("resume", options())).toMatchObject({ paused: false });
  expect(await ask("speed?factor=1", options())).toMatchObject({ speed: 1 });
});

test.for([
  { name: "expired", of: () => lease(16) },
  { name: "released", of: () => lease(0, "") },
])("a Lease that is $name does not matter", async ({ of }) => {
  expect(await ask("pause", { leases: () => [of()] })).toMatchObject({ paused: true });
});

test("a step of 30 s ends a Pod whose grace period is that long", async () => {
  const cluster = await startEmbeddedCluster({ nodes: 1 });
  onTestFinished(cluster.stop);
  const { client } = cluster;
  const name = { namespace: "default", name: "stubborn" };
  const annotations = { "sim.trimtab.dev/ignoreSIGTERM": "true" };
  await client.create(pods, {
    metadata: { ...name, annotations },
    spec: { containers: [{ name: "web", image: "web" }] },
  });
  await cluster.clock.advance(5000);
  expect(isReady(await client.get(pods, name))).toBe(true);
  cluster.clock.pause();
  await client.delete(pods, name);
  await cluster.clock.advance(29_000);
  expect((await client.get(pods, name)).status?.phase).toBe("Running");
  await cluster.clock.advance(1500);
  await expect(client.get(pods, name)).rejects.toThrow("not found");
});

test("only administrators may change the time, and only by POST", async () => {
  const { access, clock: adjusted, stop } = await startEmbeddedCluster({ nodes: 0, https: true });
  onTestFinished(stop);
  const ask = async (user: Pick<Connection, "credential" | "impersonation">, method: "GET" | "POST") => {
    const tls = { ca: access.ca, skipVerify: false };
    const connection = { server: access.url, tls, namespace: "default", ...user };
    const client = new HttpsClient({ connection, clock: new WallClock() });
    onTestFinished(() => client.close());
    return client.requestPath(method, "/debug/time/pause").then(
      () => 200,
      (error: unknown) => (error instanceof ApiError ? error.status.code : error),
    );
  };
  const admin = { credential: { type: "token", token: access.token } } as const;
  expect(await ask({ credential: { type: "none" } }, "POST")).toBe(401);
  expect(await ask({ ...admin, impersonation: { "Impersonate-User": "jane" } }, "POST")).toBe(403);
  expect(await ask(admin, "GET")).toBe(404);
  expect(adjusted.state.isPaused).toBe(false);
  expect(await ask(admin, "POST")).toBe(200);
  expect(adjusted.state.isPaused).toBe(true);
});

test("clients are waited for in wall time, also while the time of the cluster is paused", async () => {
  const cluster = await startEmbeddedCluster({ nodes: 0, clock });
  onTestFinished(cluster.stop);
  clock.pause();
  const before = clock.now();
  const future = cluster.client.list(pods, {
    resourceVersion: "999999",
    resourceVersionMatch: "NotOlderThan",
  });
  const refusal = future.catch((error: unknown) => error);
  await wall.advance(5000);
  expect(String(await refusal)).toContain("Too large resource version");
  expect(clock.now()).toBe(before);
});
