import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { configMaps, leases, namespaces } from "../../api/resources.ts";
import { formatMicroTime } from "../../api/time.ts";
import { createApiServer } from "../../cluster/apiserver/create-api-server.ts";
import { inProcessClient } from "../../cluster/in-process-client.ts";
import { MemoryStore } from "../../cluster/store/memory-store.ts";
import type { WatchQuery } from "../../machinery/client/client.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { silentLogger } from "../../machinery/log/logger.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import type { FaultSettings } from "./fault-settings.ts";
import { outsideFaultsOf } from "./inject-outside-faults.ts";

const namespace = "default";

/** An API server, a client whose requests are disturbed, and one whose are not. */
async function disturbed(profile: string, more: Partial<FaultSettings> = {}) {
  const clock = new VirtualClock();
  const store = new MemoryStore({ clock });
  const random = seededRandom("api");
  const server = createApiServer({
    clock,
    random,
    store,
    gates: () => defaultFeatureGates,
    log: silentLogger,
  });
  const faults = outsideFaultsOf({ seed: "1", profile, ...more });
  const outside = faults.outsideRequests({ store, clock });
  const client = inProcessClient({
    requestHandler: {
      handle: (request) => outside.handle(request, (passed) => server.requestHandler.handle(passed)),
    },
    resources: server.kinds,
    user: { name: "operator", groups: ["system:masters"] },
    clock,
  });
  await server.client.create(namespaces, { metadata: { name: namespace }, spec: {} });
  return {
    clock,
    store,
    client,
    undisturbed: server.client,
    injected: () => faults.log()?.faults ?? [],
    outside,
  };
}

type Disturbed = Awaited<ReturnType<typeof disturbed>>;

/** Creates ConfigMaps, updates each once, and returns how each write ended. */
async function write({ client }: Disturbed, names: readonly string[]): Promise<readonly string[]> {
  const endings: string[] = [];
  const ends = async (work: Promise<unknown>) => {
    endings.push(
      await work.then(
        () => "done",
        (error: Error & { code?: number }) => String(error.code),
      ),
    );
  };
  for (const name of names) {
    await ends(client.create(configMaps, { metadata: { namespace, name } }));
    const stored = await client.get(configMaps, { namespace, name }).catch(() => undefined);
    if (stored !== undefined) await ends(client.update(configMaps, { ...stored, data: { updated: "yes" } }));
  }
  return endings;
}

const names = Array.from({ length: 40 }, (_, index) => `map-${index}`);

test.for([
  { fault: "conflict", code: "409", takesEffect: false },
  { fault: "too-many-requests", code: "429", takesEffect: false },
  { fault: "error-after-write", code: "500", takesEffect: true },
  { fault: "timeout-after-write", code: "504", takesEffect: true },
])("$fault answers writes with $code, and is recorded", async ({ fault, code, takesEffect }) => {
  const server = await disturbed(fault);
  const endings = await write(server, names);
  expect(new Set(endings)).toEqual(new Set(["done", code]));
  const injected = server.injected();
  expect(injected).toHaveLength(endings.filter((ending) => ending === code).length);
  for (const { verb, object, revision, request } of injected) {
    const stored = server.store.collection("configmaps").get(object);
    expect(request).toBe(1);
    const isStored = verb === "create" ? stored !== undefined : stored?.object["data"] !== undefined;
    expect(isStored).toBe(takesEffect);
    expect(revision).toBeGreaterThan(0);
    if (takesEffect && verb === "update") expect(revision).toBe(stored?.revision);
  }
});

test("429 says when to try again", async () => {
  const { client } = await disturbed("too-many-requests");
  const results = await Promise.allSettled(
    names.map((name) => client.create(configMaps, { metadata: { namespace, name } })),
  );
  const refused = results.filter((result) => result.status === "rejected");
  expect(refused.length).toBeGreaterThan(0);
  for (const { reason } of refused)
    expect(reason).toMatchObject({ status: { details: { retryAfterSeconds: 1 } } });
});

test("generated names count by their prefix, so that another run has the same faults", async () => {
  const identitiesOf = async (other: string) => {
    const server = await disturbed("error-after-write");
    // Another name is taken from the random numbers in between.
    if (other !== "")
      await server.undisturbed.create(configMaps, { metadata: { namespace, generateName: other } });
    for (let count = 0; count < 20; count++)
      await server.client
        .create(configMaps, { metadata: { namespace, generateName: "web-" } })
        .catch(() => undefined);
    return server.injected().map(({ identity }) => identity);
  };
  const first = await identitiesOf("");
  expect(first.length).toBeGreaterThan(0);
  expect(first[0]).toMatch(/^error-after-write operator create configmaps default\/web-\* #\d+$/);
  expect(await identitiesOf("other-")).toEqual(first);
});

test("requests of other users and programs are not disturbed", async () => {
  for (const more of [{ user: "somebody" }, { agent: "manager" }]) {
    const server = await disturbed("conflict", more);
    expect(new Set(await write(server, names))).toEqual(new Set(["done"]));
    expect(server.injected()).toEqual([]);
  }
  const server = await disturbed("conflict", { user: "operator", agent: "trim" });
  expect(await write(server, names)).toContain("409");
});

test("/debug/faults shows the seed and every fault", async () => {
  const server = await disturbed("conflict", { user: "operator" });
  await write(server, names);
  expect(server.outside.debug("/debug/faults", new URLSearchParams())).toEqual({
    seed: "1",
    profile: "conflict",
    user: "operator",
    injected: server.injected().length,
    faults: server.injected(),
  });
  expect(server.outside.debug("/debug/other", new URLSearchParams())).toBeUndefined();
});

/** Watches from now on; returns the names of the events, and how it ended. */
function follow({ client, clock, store }: Disturbed, query: Partial<WatchQuery> = {}) {
  const seen: { readonly name: string; readonly at: number }[] = [];
  const begin = clock.now();
  const read = async () => {
    const from = { namespace, resourceVersion: String(store.revision()), ...query };
    for await (const event of client.watch(configMaps, from, new AbortController().signal))
      if (event.type !== "BOOKMARK") seen.push({ name: event.object.metadata.name, at: clock.now() - begin });
    return "end";
  };
  return { seen, ended: read().catch((error: Error & { code?: number }) => error.code ?? error.message) };
}

test("a watch that continues at a revision may be told that it has expired", async () => {
  const server = await disturbed("watch-expired");
  const endings: unknown[] = [];
  for (let count = 0; count < 20 && endings.length === 0; count++) {
    const { ended } = follow(server);
    const name = `map-${count}`;
    await server.undisturbed.create(configMaps, { metadata: { namespace, name } });
    await server.clock.advance(10);
    const ending = await Promise.race([ended, Promise.resolve("open")]);
    if (ending !== "open") endings.push(ending);
  }
  expect(endings).toEqual([410]);
  expect(server.injected()).toMatchObject([
    { fault: "watch-expired", verb: "watch", resource: "configmaps" },
  ]);
});

test("events are late, in their order, and none is left out", async () => {
  const server = await disturbed("late-event+bunched-events");
  const { seen } = follow(server);
  for (const name of names) await server.undisturbed.create(configMaps, { metadata: { namespace, name } });
  await server.clock.advance(10_000);
  expect(seen.map(({ name }) => name)).toEqual(names);
  expect(seen.at(-1)?.at).toBeGreaterThan(0);
  expect(new Set(server.injected().map(({ fault }) => fault))).toEqual(
    new Set(["late-event", "bunched-events"]),
  );
});

test("a cut watch has delivered everything before the cut", async () => {
  const server = await disturbed("watch-cut");
  const { seen, ended } = follow(server);
  const others = [follow(server), follow(server), follow(server), follow(server)];
  for (const name of names) {
    await server.undisturbed.create(configMaps, { metadata: { namespace, name } });
    await server.clock.advance(1);
  }
  const cuts = server.injected();
  expect(cuts.length).toBeGreaterThan(0);
  const all = [{ seen, ended }, ...others].map((each) => each.seen.map(({ name }) => name));
  for (const each of all) expect(each).toEqual(names.slice(0, each.length));
  expect(all.map((each) => each.length).filter((length) => length < names.length)).toHaveLength(cuts.length);
});

test("a list of any state may be an older one, which there was; a list of the newest never is", async () => {
  const server = await disturbed("stale-list");
  const { client } = server;
  for (const name of names) await server.undisturbed.create(configMaps, { metadata: { namespace, name } });
  for (let count = 0; count < 20; count++) {
    const { items } = await client.list(configMaps, { namespace });
    expect(items).toHaveLength(names.length);
  }
  expect(server.injected()).toEqual([]);
  const lengths = new Set<number>();
  for (let count = 0; count < 20; count++) {
    const { items, resourceVersion } = await client.list(configMaps, { namespace, resourceVersion: "0" });
    const latest = Math.max(...items.map(({ metadata }) => Number(metadata.resourceVersion)));
    expect(Number(resourceVersion)).toBeGreaterThanOrEqual(latest);
    lengths.add(items.length);
  }
  expect(Math.min(...lengths)).toBeGreaterThanOrEqual(names.length - 3);
  expect(lengths.size).toBeGreaterThan(1);
  expect(server.injected().length).toBeGreaterThan(0);
});

test("a holder cannot renew its Lease until it has expired; another one may take it over", async () => {
  const { clock, client, undisturbed, injected } = await disturbed("lease-expired");
  const name = { namespace, name: "operator" };
  const specOf = (holderIdentity: string) => ({
    holderIdentity,
    leaseDurationSeconds: 4,
    renewTime: formatMicroTime(clock.now()),
  });
  await undisturbed.create(leases, { metadata: name, spec: specOf("a") });
  const write = async (holder: string) => {
    const lease = await undisturbed.get(leases, name);
    return client.update(leases, { ...lease, spec: specOf(holder) }).then(
      () => "done",
      (error: Error & { code?: number }) => error.code,
    );
  };
  let ending = await write("a");
  while (ending === "done") {
    await clock.advance(1000);
    ending = await write("a");
  }
  expect(ending).toBe(500);
  await clock.advance(4000);
  expect(await write("a")).toBe(500);
  expect(await write("b")).toBe("done");
  expect(await write("a")).toBe(500);
  await clock.advance(1000);
  expect(await write("a")).toBe("done");
  const fault = { fault: "lease-expired", object: "default/operator", user: "operator" };
  expect(injected()).toMatchObject([fault]);
});
