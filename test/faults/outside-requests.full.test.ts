import { afterEach, expect, test } from "vitest";
import { configMaps, namespaces } from "../../src/api/resources.ts";
import { startProgramCluster } from "../../src/cluster/embedding/start-embedded-cluster.ts";
import { loadKubeconfig } from "../../src/machinery/client/connection/kubeconfig.ts";
import { HttpsClient } from "../../src/machinery/client/http/https-client.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { outsideFaultsOf } from "../../src/simulation/outside-faults/inject-outside-faults.ts";
import { httpsCaller } from "../https-caller.ts";

const namespace = "default";
const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** A cluster that disturbs requests over HTTPS, and a client that sends such. */
async function disturbedCluster(profile: string) {
  const faults = outsideFaultsOf({ seed: "1", profile });
  const cluster = await startProgramCluster(
    { https: true, nodes: 1 },
    { outsideRequests: faults.outsideRequests },
  );
  cleanUps.push(cluster.stop);
  const loaded = loadKubeconfig({
    paths: ["kubeconfig"],
    readFile: () => ({ ok: true, text: cluster.kubeconfig }),
  });
  if (!loaded.ok) throw new Error(loaded.errors.join("; "));
  const client = new HttpsClient({
    connection: loaded.connection,
    clock: new WallClock(),
    userAgent: "operator/1",
  });
  cleanUps.push(() => client.close());
  return { cluster, client, injected: () => faults.log()?.faults ?? [] };
}

test("requests over HTTPS are disturbed, those of components in the process are not", async () => {
  const { cluster, client, injected } = await disturbedCluster("error-after-write");
  for (let count = 0; count < 40; count++)
    await cluster.client.create(configMaps, { metadata: { namespace, name: `inside-${count}` } });
  expect(injected()).toEqual([]);
  const endings = new Set<unknown>();
  for (let count = 0; count < 40; count++)
    await client.create(configMaps, { metadata: { namespace, name: `outside-${count}` } }).then(
      () => endings.add("done"),
      (error: { readonly code?: number }) => endings.add(error.code),
    );
  expect(endings).toEqual(new Set(["done", 500]));
  const { items } = await cluster.client.list(configMaps, { namespace });
  expect(items.filter(({ metadata }) => metadata.name.startsWith("outside-"))).toHaveLength(40);
});

test("a cut watch breaks off without an end", async () => {
  const { cluster, client, injected } = await disturbedCluster("watch-cut");
  const endings: string[] = [];
  const signal = AbortSignal.timeout(60_000);
  const watchOnce = async () => {
    const events = client.watch(namespaces, {}, signal)[Symbol.asyncIterator]();
    try {
      while ((await events.next()).done !== true);
      endings.push("ended");
    } catch {
      endings.push("broke off");
    }
  };
  const watches = Array.from({ length: 6 }, () => watchOnce());
  let count = 0;
  while (endings.length === 0 && count < 200)
    await cluster.client.create(namespaces, { metadata: { name: `space-${count++}` }, spec: {} });
  await Promise.race(watches);
  expect(new Set(endings)).toEqual(new Set(["broke off"]));
  expect(injected()[0]).toMatchObject({ fault: "watch-cut", user: "admin", userAgent: "operator/1" });
});

test("health checks, discovery and /debug/faults are never disturbed", async () => {
  const { cluster } = await disturbedCluster("rough");
  const caller = httpsCaller(cluster.access);
  cleanUps.push(async () => caller.close());
  for (let count = 0; count < 50; count++)
    for (const path of ["/healthz", "/readyz", "/livez", "/api", "/apis", "/debug/faults"])
      expect((await caller.call(`GET ${path}`)).code).toBe(200);
});
