import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { Event } from "../../api/generated/core-v1.ts";
import { replicaSets } from "../../api/resources.ts";
import { collectingLogger } from "../../testing/collecting-logger.ts";
import { memoryMetrics } from "../../testing/memory-metrics.ts";
import { ApiError } from "../client/api-error.ts";
import type { Client } from "../client/client.ts";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { seededRandom } from "../random/random.ts";
import { referenceTo } from "./event-draft.ts";
import { ClientEventRecorder, eventNames } from "./event-recorder.ts";
import { LruCache } from "./event-correlator.ts";

type Call = { readonly verb: "create" | "patch"; readonly name: string | undefined; readonly body: unknown };
type Answer = (call: Call, index: number) => Promise<unknown> | void;

/** A recorder whose client keeps every call and answers from a script. */
function recorder(answer: Answer = () => undefined) {
  const calls: Call[] = [];
  const take = async (call: Call) => {
    calls.push(call);
    await answer(call, calls.length);
  };
  const client = {
    create: (_: unknown, event: Event) => take({ verb: "create", name: event.metadata.name, body: event }),
    patch: (_: unknown, { name }: { name: string }, { body }: { body: unknown }) =>
      take({ verb: "patch", name, body }),
  } as unknown as Client;
  const clock = new VirtualClock();
  const metrics = memoryMetrics();
  const log = collectingLogger();
  const events = new ClientEventRecorder({
    client,
    clock,
    random: seededRandom("events"),
    component: "test",
    metrics,
    log,
  });
  const became = (outcome: string) => metrics.value("trimtab_events_total", { outcome });
  return { events, clock, calls, became, log };
}

const web = referenceTo(replicaSets, {
  metadata: { namespace: "games", name: "web", uid: "u", resourceVersion: "3" },
});
const draft = (message: string, regarding = web) =>
  ({ regarding, type: "Normal", reason: "Tested", message }) as const;
const refusal = (code: number, reason: string, causes: readonly { reason: string }[] = []) =>
  new ApiError({ code, reason, message: reason, details: { causes } });

test("a draft becomes an event after the caller returned, the same draft a patch of it", async () => {
  const { events, calls, clock, became } = recorder();
  events.record(draft("a"));
  events.record(draft("a"));
  expect(calls).toEqual([]);
  await clock.settle();
  expect(calls).toMatchObject([
    {
      verb: "create",
      body: { involvedObject: { kind: "ReplicaSet", apiVersion: "apps/v1", uid: "u" }, count: 1 },
    },
    { verb: "patch", body: { count: 2 } },
  ]);
  expect(calls[0]?.name).toMatch(/^web\.[0-9a-f]{16}$/);
  expect(calls[1]?.name).toBe(calls[0]?.name);
  expect(became("written")).toBe(2);
});

test("an event that has expired meanwhile is created again, with its count", async () => {
  const { events, calls, clock } = recorder(({ verb }) => {
    if (verb === "patch") throw refusal(404, "NotFound");
  });
  events.record(draft("a"));
  events.record(draft("a"));
  await clock.settle();
  expect(calls.map(({ verb }) => verb)).toEqual(["create", "patch", "create"]);
  expect(calls[2]?.body).toMatchObject({ count: 2, message: "a" });
});

test("a lost connection is tried again for two minutes, in order, then dropped", async () => {
  const { events, calls, clock, became, log } = recorder(({ body }) => {
    if ((body as Event).message === "a") throw new Error("connection refused");
  });
  events.record(draft("a"));
  events.record(draft("b"));
  await clock.advance(100_000);
  expect(became("failed")).toBe(0);
  await clock.advance(20_000);
  expect(became("failed")).toBe(1);
  expect(calls).toHaveLength(13);
  expect(became("written")).toBe(1);
  expect(log.entries).toMatchObject([{ level: "warn", message: "could not write event" }]);
});

test.for([
  { name: "overloaded", error: refusal(429, "TooManyRequests"), calls: 2, outcome: "written" },
  { name: "broken", error: refusal(500, "InternalError"), calls: 2, outcome: "written" },
  { name: "unwilling", error: refusal(403, "Forbidden"), calls: 1, outcome: "failed" },
  { name: "already informed", error: refusal(409, "AlreadyExists"), calls: 1, outcome: "unwanted" },
  {
    name: "emptying the namespace",
    error: refusal(403, "Forbidden", [{ reason: "NamespaceTerminating" }]),
    calls: 1,
    outcome: "unwanted",
  },
  { name: "without the namespace", error: refusal(404, "NotFound"), calls: 1, outcome: "unwanted" },
])("a server that is $name gets $calls requests: $outcome", async ({ error, calls: want, outcome }) => {
  const { events, calls, clock, became } = recorder((_, index) => {
    if (index === 1) throw error;
  });
  events.record(draft("a"));
  await clock.advance(10_000);
  expect(calls).toHaveLength(want);
  expect(became(outcome)).toBe(1);
});

test("a server that hangs blocks no caller: drafts beyond a thousand are counted and dropped", async () => {
  const { events, clock, became } = recorder(() => new Promise(() => undefined));
  for (let index = 0; index < 1100; index++) events.record(draft("a", { ...web, name: `web-${index}` }));
  await clock.settle();
  expect(became("queue-full")).toBeGreaterThanOrEqual(99);
});

test("noise about one object is kept back", async () => {
  const { events, clock, became } = recorder();
  for (let index = 0; index < 100; index++) events.record(draft(`pod ${index}`));
  await clock.settle();
  expect([became("written"), became("spam")]).toEqual([25, 75]);
});

test("closing gives up what waits and writes nothing more", async () => {
  const { events, calls, clock, became } = recorder(() => {
    throw new Error("connection refused");
  });
  events.record(draft("a"));
  events.record(draft("b"));
  await clock.settle();
  await events.close();
  events.record(draft("c"));
  await events.idle();
  await clock.advance(600_000);
  expect(calls).toHaveLength(1);
  expect(became("failed")).toBe(1);
});

test("names are short enough, well-formed and all different within one instant", () => {
  const newName = eventNames(new VirtualClock(), seededRandom("names"));
  const names = Array.from({ length: 1000 }, () => newName("web"));
  expect(new Set(names).size).toBe(1000);
  const long = newName(`${"a".repeat(230)}-.-${"b".repeat(20)}`);
  expect(long.length).toBeLessThanOrEqual(253);
  expect(long).toMatch(/^a+(-.-b*)?[a-z0-9]\.[0-9a-f]+$/);
  expect(newName(`${"a".repeat(235)}---${"b".repeat(20)}`)).toMatch(/^a{235}\.[0-9a-f]+$/);
});

test("what was used longest ago is forgotten first", () => {
  const cache = new LruCache<number>(2);
  cache.set("a", 1);
  cache.set("b", 2);
  expect(cache.get("a")).toBe(1);
  cache.set("c", 3);
  expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([1, undefined, 3]);
});

test("values that were replaced do not stay in memory", async () => {
  const cache = new LruCache<object>(4);
  for (let number = 0; number < 5; number++) cache.set(`key ${number}`, {}); // the last one evicts the first
  const values = Array.from({ length: 1000 }, (_, index) => {
    const value = {};
    cache.set(`key ${1 + (index % 4)}`, value);
    return new WeakRef(value);
  });
  await setImmediate(); // a new reference holds its object until the end of the turn
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  expect(values.filter((value) => value.deref() !== undefined).length).toBeLessThan(20);
  cache.set("key 5", {});
  expect([cache.get("key 1"), cache.get("key 2")]).toEqual([undefined, {}]);
});
