import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ConfigMap } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import { configMaps } from "../../api/resources.ts";
import { ScriptedApi } from "../../testing/scripted-api.ts";
import { apiFailure } from "../client/api-error.ts";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { Informer, type ResourceEventHandler, type InformerOptions } from "./informer.ts";
import { seededRandom } from "../random/random.ts";

function start(options: Partial<InformerOptions<ConfigMap>> & { api?: ScriptedApi } = {}) {
  const { api = new ScriptedApi(), ...rest } = options;
  const clock = new VirtualClock();
  const informer = new Informer<ConfigMap>({
    client: api,
    resource: configMaps,
    clock,
    random: seededRandom("informer"),
    ...rest,
  });
  const stop = new AbortController();
  const told: string[] = [];
  informer.addHandler(writingTo(told));
  const running = informer.run(stop.signal);
  return { api, clock, informer, stop, running, told: () => told.splice(0) };
}

function writingTo(told: string[]): ResourceEventHandler<ConfigMap> {
  return {
    added: (object) => void told.push(`added ${keyOf(object)}`),
    updated: (_old, object) => void told.push(`updated ${keyOf(object)}`),
    deleted: (object) => void told.push(`deleted ${keyOf(object)}`),
  };
}

const draft = (name: string, data: Readonly<Record<string, string>> = {}) => ({
  metadata: { name, namespace: "default" },
  data,
});
const named = (name: string) => ({ name, namespace: "default" });

test("an informer follows its collection and tells its handlers in order", async () => {
  const { api, clock, informer, told } = start();
  const created = await api.create(configMaps, draft("a"));
  await clock.settle();
  const updated = await api.update(configMaps, { ...created, data: { colour: "red" } });
  await clock.settle();
  expect(informer.get("default/a")).toBe(updated);
  expect(informer.list()).toEqual([updated]);
  expect(informer.resourceVersion).toBe("2");
  await api.delete(configMaps, named("a"));
  await clock.settle();
  expect(informer.get("default/a")).toBeUndefined();
  expect(informer.resourceVersion).toBe("3");
  expect(told()).toEqual(["added default/a", "updated default/a", "deleted default/a"]);
});

test("when a handler is called the view and its version have changed already", async () => {
  const { api, clock, informer } = start();
  const seen: unknown[] = [];
  const look = (object: ConfigMap) =>
    seen.push([informer.resourceVersion, informer.get(keyOf(object))?.metadata.resourceVersion]);
  informer.addHandler({ added: look, updated: (_old, object) => look(object), deleted: look });
  await clock.settle();
  const created = await api.create(configMaps, draft("a"));
  await api.update(configMaps, { ...created, data: { colour: "red" } });
  await api.delete(configMaps, named("a"));
  await clock.settle();
  expect(seen).toEqual([
    ["1", "1"],
    ["2", "2"],
    ["3", undefined],
  ]);
});

test("a bookmark takes the version further without a word to the handlers", async () => {
  const { api, clock, informer, told } = start();
  await clock.settle();
  await api.create({ ...configMaps, plural: "others" }, draft("elsewhere"));
  expect(informer.resourceVersion).toBe("0");
  api.bookmark();
  await clock.settle();
  expect(informer.resourceVersion).toBe("1");
  expect(told()).toEqual([]);
});

test("an informer is synced once its handlers have seen everything there is", async () => {
  const api = new ScriptedApi();
  await api.create(configMaps, draft("a"));
  const { clock, informer, told } = start({ api });
  const seen: boolean[] = [];
  informer.addHandler({ added: () => void seen.push(informer.hasSynced) });
  const synced = informer.synced(new AbortController().signal);
  expect(informer.hasSynced).toBe(false);
  await clock.settle();
  expect(await synced).toBe(true);
  expect(await informer.synced(AbortSignal.abort())).toBe(true);
  expect(informer.hasSynced).toBe(true);
  expect(seen).toEqual([false]);
  expect(told()).toEqual(["added default/a"]);
});

test("the first list is taken an object at a time, so that a long one does not keep others waiting", async () => {
  const api = new ScriptedApi();
  for (const name of ["a", "b", "c"]) await api.create(configMaps, draft(name));
  const { clock, informer, told, stop, running } = start({ api });
  const yieldToEventLoop = () => (informer.list().length > 0 ? clock.sleep(10) : undefined);
  Object.assign(clock, { yieldToEventLoop });
  await clock.settle();
  expect({ told: told(), hasSynced: informer.hasSynced }).toEqual({
    told: ["added default/a"],
    hasSynced: false,
  });
  await clock.advance(10);
  expect(told()).toEqual(["added default/b"]);
  stop.abort();
  await clock.advance(10);
  expect(told()).toEqual([]);
  expect(informer.hasSynced).toBe(false);
  await running;
});

test("waiting for an informer that cannot sync ends when told to stop", async () => {
  const api = new ScriptedApi();
  api.failures.push(...Array.from({ length: 100 }, () => apiFailure(403, "Forbidden")));
  const { clock, informer, stop, running } = start({ api });
  const waiting = informer.synced(stop.signal);
  await clock.advance(60_000);
  stop.abort();
  expect(await waiting).toBe(false);
  expect(await informer.synced(stop.signal)).toBe(false);
  await running;
});

test("a handler that comes late is told what is there, one that left nothing more", async () => {
  const { api, clock, informer } = start();
  await api.create(configMaps, draft("a"));
  await clock.settle();
  const told: string[] = [];
  const remove = informer.addHandler(writingTo(told));
  expect(told).toEqual(["added default/a"]);
  remove();
  await api.create(configMaps, draft("b"));
  await clock.settle();
  expect(told).toEqual(["added default/a"]);
});

test("a handler added by a handler hears of each object once", async () => {
  const api = new ScriptedApi();
  for (const name of ["a", "b", "c"]) await api.create(configMaps, draft(name));
  const { clock, informer } = start({ api });
  const told: string[] = [];
  let isAdded = false;
  informer.addHandler({
    added: () => {
      if (!isAdded) informer.addHandler(writingTo(told));
      isAdded = true;
    },
  });
  await clock.settle();
  expect(told).toEqual(["added default/a", "added default/b", "added default/c"]);
});

test("objects of an index are found by it", async () => {
  const { api, clock, informer } = start({
    indexes: { colour: (object) => (object.data?.["colour"] === undefined ? [] : [object.data["colour"]]) },
  });
  const red = await api.create(configMaps, draft("a", { colour: "red" }));
  await api.create(configMaps, draft("b"));
  await clock.settle();
  informer.addIndex("namespace", (object) => [object.metadata.namespace ?? ""]);
  expect(informer.byIndex("colour", "red")).toEqual([red]);
  expect(informer.byIndex("namespace", "default")).toHaveLength(2);
});

test("a scope narrows the view", async () => {
  const { api, clock, informer } = start({ scope: { namespace: "other" } });
  await api.create(configMaps, draft("a"));
  await api.create(configMaps, { metadata: { name: "b", namespace: "other" } });
  await clock.settle();
  expect(informer.list().map(keyOf)).toEqual(["other/b"]);
});

test("handlers are told everything again as often as asked", async () => {
  const { api, clock, told, stop, running } = start({ resyncMs: 60_000 });
  await api.create(configMaps, draft("a"));
  await clock.advance(130_000);
  expect(told()).toEqual(["added default/a", "updated default/a", "updated default/a"]);
  stop.abort();
  await running;
  await clock.advance(130_000);
  expect(told()).toEqual([]);
});

test("an informer that is run again goes on from what it knew", async () => {
  const { api, clock, informer, stop, running, told } = start();
  await api.create(configMaps, draft("a"));
  await api.create(configMaps, draft("b"));
  await clock.settle();
  stop.abort();
  await running;
  await api.delete(configMaps, named("a"));
  void informer.run(new AbortController().signal);
  await clock.settle();
  expect(told()).toEqual(["added default/a", "added default/b", "deleted default/a"]);
});

test("what a handler throws ends the run", async () => {
  const { api, informer, running } = start();
  const bug = new Error("a bug");
  informer.addHandler({
    added: () => {
      throw bug;
    },
  });
  await api.create(configMaps, draft("a"));
  await expect(running).rejects.toBe(bug);
});

type Action = (target: { readonly api: ScriptedApi; readonly clock: VirtualClock }, name: string) => unknown;

const writes: readonly Action[] = [
  ({ api }, name) => api.create(configMaps, draft(name)),
  async ({ api }, name) => api.update(configMaps, await api.get(configMaps, named(name))),
  ({ api }, name) => api.delete(configMaps, named(name)),
];
const troubles: readonly Action[] = [
  ({ api }) => api.endWatches(),
  ({ api }) => api.endWatches(new Error("connection reset")),
  ({ api }) => api.forgetHistory(),
  ({ api }) => api.holdWatches(),
  ({ api }) => api.releaseWatches(),
  ({ api }) => api.bookmark(),
  ({ api }) => api.failures.push(apiFailure(500, "InternalError")),
  ({ clock }) => clock.advance(500),
];
const anyAction = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...writes) },
  { weight: 1, arbitrary: fc.constantFrom(...troubles) },
);
const anyName = fc.constantFrom("a", "b", "c");

test("whatever happens, view and handlers end up with what the server has", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(anyAction, anyName), { maxLength: 60, size: "max" }),
      fc.boolean(),
      async (actions, streams) => {
        const api = new ScriptedApi();
        api.streams = streams;
        const { clock, informer } = start({ api });
        const replica = new Map<string, ConfigMap>();
        informer.addHandler(replicating(replica));
        for (const [act, name] of actions) {
          // There already, not there, refused: the server may say no.
          await Promise.resolve(act({ api, clock }, name)).catch(() => undefined);
          await clock.settle();
          expect([...replica.values()].map(keyOf).sort()).toEqual(informer.list().map(keyOf).sort());
        }
        api.releaseWatches();
        api.failures.length = 0;
        await clock.advance(120_000);
        const items = api.stored(configMaps);
        expect(new Set(informer.list())).toEqual(new Set(items));
        expect(new Set(replica.values())).toEqual(new Set(items));
        expect(api.requests.length).toBeLessThan(3 * actions.length + 40);
      },
    ),
  );
});

/** Rebuilds the collection from what a handler is told, and checks that each word makes sense after the last. */
function replicating(replica: Map<string, ConfigMap>): ResourceEventHandler<ConfigMap> {
  return {
    added(object) {
      expect(replica.has(keyOf(object))).toBe(false);
      replica.set(keyOf(object), object);
    },
    updated(old, object) {
      expect(replica.get(keyOf(object))).toBe(old);
      expect(old.metadata.uid).toBe(object.metadata.uid);
      expect(Number(object.metadata.resourceVersion)).toBeGreaterThan(Number(old.metadata.resourceVersion));
      replica.set(keyOf(object), object);
    },
    deleted(object) {
      expect(replica.get(keyOf(object))?.metadata.uid).toBe(object.metadata.uid);
      replica.delete(keyOf(object));
    },
  };
}
